/// What a model is worth: its verdict in sentences, and its rank among others.
#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>

#include "bindings.hpp"
#include "caller.hpp"
#include "gpcv/comparison.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"
#include "gpcv/verdict.hpp"
#include "settings.hpp"

namespace gpcv::python {

namespace nb = nanobind;

namespace {

const char* level_name(Sentence::Level level) {
  return level == Sentence::Level::good ? "good" : level == Sentence::Level::note ? "note" : "warning";
}

nb::dict parameter_of(const ParameterRow& row) {
  nb::dict one;
  one["name"] = row.name;
  one["label"] = row.label;
  one["value"] = row.value;
  one["unit"] = row.unit;
  one["relative_error"] = row.relative_error;
  one["remark"] = row.remark;
  one["meaning"] = row.meaning;
  return one;
}

/// Verdict in sentences, and the hyper-parameters in the user's units.
nb::dict verdict_of(const Model& model, const nb::dict& settings) {
  ComputeOptions compute = compute_options(settings);
  Caller caller;
  compute.stop = [&] { return caller.raised(); };
  Diagnostics seen;
  caller.run([&] {
    seen = brief_diagnostics_of(model, compute);
    seen.held_out = assess_held_out(model);
    seen.importance = model.provenance.importance;
    seen.mean = mean_coefficients(model);
  });
  const std::vector<ParameterRow> rows = parameter_table(model, seen);
  const Sentence first = headline(model, seen);
  nb::list parameters, sentences;
  for (const ParameterRow& row : rows) parameters.append(parameter_of(row));
  for (const Sentence& s : verdict(model, seen, rows)) sentences.append(nb::make_tuple(level_name(s.level), s.text));
  nb::dict out;
  out["headline"] = first.text;
  out["level"] = level_name(first.level);
  out["limits"] = limits(model, seen);
  out["sentences"] = sentences;
  out["parameters"] = parameters;
  return out;
}

/// Ranking of models by the loss of the rows that the same folds held out, best first.
nb::list ranked(const std::vector<std::shared_ptr<Model>>& models, const std::vector<std::string>& names,
                const std::string& criterion) {
  std::vector<Contender> contenders;
  for (std::size_t i = 0; i < models.size(); ++i) {
    Contender contender;
    contender.kernel = names[i];
    contender.result.model = *models[i];
    contenders.push_back(std::move(contender));
  }
  const Criterion loss = choice_named(criterion, {Criterion::crps, Criterion::squared, Criterion::log});
  const Comparison comparison = compare(std::move(contenders), loss);
  if (!comparison.failed.empty()) {
    const Contender& failed = comparison.failed.front();
    throw InputError(fmt::format("model '{}': {}", failed.kernel, failed.failure));
  }
  nb::list out;
  for (const Ranked& one : comparison.ranked) {
    nb::dict row;
    row["name"] = one.contender.kernel;
    row["rmse"] = one.rmse;
    row["rmse_error"] = one.rmse_error;
    row["loss"] = one.loss;
    row["behind"] = one.behind;
    row["behind_error"] = one.behind_error;
    row["nlpd"] = one.nlpd;
    out.append(row);
  }
  return out;
}

}  // namespace

void bind_assessment(nb::module_& module) {
  module.def("verdict", &verdict_of, nb::arg("model"), nb::arg("settings"));
  module.def("ranked", &ranked, nb::arg("models"), nb::arg("names"), nb::arg("criterion"));
}

}  // namespace gpcv::python
