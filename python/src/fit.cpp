/// Training from arrays.
#include "gpcv/fit.hpp"

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "caller.hpp"
#include "findings.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"
#include "gpcv/targets.hpp"
#include "remedies.hpp"
#include "settings.hpp"

namespace gpcv::python {
namespace {

/// Training data, passed from Python.
struct Rows {
  Array2 x;
  Array2 y;  ///< one column per target, NaN where a row has none
  std::vector<std::string> features;
  std::vector<std::string> targets;
  bool named = false;                ///< the user has given the names
  std::optional<Array1> noise;       ///< noise standard deviation of each row
  std::optional<Array1> weights;     ///< weight of each row
  std::optional<IndexArray> labels;  ///< groups or folds, numbered in order of appearance
  std::optional<Array1> time;
  std::vector<std::string> levels;  ///< level of each indicator, "" for a number; empty without categories
  std::vector<Index> positions;     ///< column of the user's table that each feature comes from
  std::vector<Index> dates;         ///< features that were dates
};

/// All but the targets.
Dataset inputs_of(const Rows& rows) {
  Dataset data;
  data.x = view(rows.x);
  const Index n = data.x.rows(), d = data.x.cols();
  Columns& columns = data.columns;
  columns.features = rows.features;
  columns.feature_indices = rows.positions;
  columns.levels = rows.levels;
  if (rows.positions.empty()) {
    columns.feature_indices.resize(static_cast<std::size_t>(d));
    std::iota(columns.feature_indices.begin(), columns.feature_indices.end(), Index{0});
  }
  data.reading.dates = rows.dates;
  columns.dates = rows.dates;
  columns.target_index = 1 + *std::ranges::max_element(columns.feature_indices);
  columns.table_columns = columns.target_index + static_cast<Index>(rows.targets.size());
  columns.has_header = rows.named;
  if (rows.noise && rows.weights) throw InputError("noise_std and weights exclude each other");
  if (rows.noise || rows.weights) {
    columns.noise = rows.noise ? "noise_std" : "weight";
    columns.noise_index = columns.table_columns++;
    columns.noise_is_weight = rows.weights.has_value();
    data.noise = rows.noise ? per_row(*rows.noise, n, "noise_std")
                            : Vector(per_row(*rows.weights, n, "weights").cwiseSqrt().cwiseInverse());
  }
  if (rows.labels) data.labels = to_indices(*rows.labels);
  if (rows.time) data.time = view(*rows.time);
  return data;
}

/// The data of each target, whose columns follow those of the features.
std::vector<Dataset> datasets_of(const Rows& rows) {
  const Dataset inputs = inputs_of(rows);
  const Matrix y = view(rows.y);
  if (y.rows() != inputs.rows()) throw InputError(fmt::format("X has {} rows and y has {}", inputs.rows(), y.rows()));
  std::vector<Dataset> targets = split_targets(inputs, y, rows.targets);
  for (std::size_t t = 0; t < targets.size(); ++t) targets[t].columns.target_index += static_cast<Index>(t);
  return targets;
}

Folds given_folds(const std::vector<std::pair<IndexArray, IndexArray>>& pairs, Index rows,
                  const std::string& description) {
  Folds folds{rows, {}, description};
  for (const auto& [training, validation] : pairs) {
    Fold fold{to_indices(training), to_indices(validation)};
    std::vector<int> times(static_cast<std::size_t>(rows), 0);
    for (std::vector<Index>* part : {&fold.training, &fold.validation}) {
      std::sort(part->begin(), part->end());
      for (const Index row : *part) {
        if (row < 0 || row >= rows)
          throw InputError(fmt::format("a fold contains row {}, but there are {} rows", row, rows));
        if (++times[static_cast<std::size_t>(row)] > 1) {
          throw InputError(fmt::format("a fold contains row {} twice, or for both training and validation", row));
        }
      }
    }
    folds.folds.push_back(std::move(fold));
  }
  return folds;
}

/// Options of the folds, from ("random", {"count": 5}), ("given", {"pairs": […], "description": "…"}), …
std::optional<FoldOptions> fold_options(const std::string& kind, const nb::dict& how, Index rows) {
  using Kind = FoldOptions::Kind;
  if (kind == "default") return std::nullopt;
  FoldOptions options;
  const std::vector<std::pair<std::string, Kind>> kinds{{"random", Kind::random},   {"interleaved", Kind::interleaved},
                                                        {"holdout", Kind::holdout}, {"groups", Kind::groups},
                                                        {"labels", Kind::column},   {"blocks", Kind::blocks},
                                                        {"regions", Kind::regions}, {"time", Kind::time},
                                                        {"given", Kind::given}};
  const auto found = std::ranges::find(kinds, kind, &std::pair<std::string, Kind>::first);
  if (found == kinds.end()) throw InputError(fmt::format("unknown folds '{}'", kind));
  options.kind = found->second;
  options.column = how.contains("column") ? nb::cast<std::string>(how["column"]) : "";
  if (how.contains("count")) options.count = nb::cast<Index>(how["count"]);
  if (how.contains("fraction")) options.fraction = nb::cast<double>(how["fraction"]);
  if (how.contains("blocks")) options.blocks = nb::cast<Index>(how["blocks"]);
  if (how.contains("width")) options.width = nb::cast<double>(how["width"]);
  if (options.kind == Kind::given) {
    options.folds =
        std::make_shared<Folds>(given_folds(nb::cast<std::vector<std::pair<IndexArray, IndexArray>>>(how["pairs"]),
                                            rows, nb::cast<std::string>(how["description"])));
  }
  return options;
}

nb::dict described(const IterationRecord& record, const std::string& target, const std::vector<std::string>& theta,
                   const std::vector<std::string>& measures) {
  nb::dict out;
  out["target"] = target;
  out["restart"] = record.restart;
  out["fold"] = record.fold;
  out["iteration"] = record.iteration;
  out["objective"] = record.objective;
  out["gradient_norm"] = record.gradient_norm;
  out["seconds"] = record.seconds;
  nb::dict parameters, more;
  for (std::size_t i = 0; i < std::min(theta.size(), record.theta.size()); ++i) {
    parameters[theta[i].c_str()] = record.theta[i];
  }
  for (std::size_t i = 0; i < std::min(measures.size(), record.measures.size()); ++i) {
    more[measures[i].c_str()] = record.measures[i];
  }
  out["theta"] = parameters;
  out["measures"] = more;
  return out;
}

nb::dict work_of(const FitResult& result) {
  nb::dict out;
  const Work& work = result.training.work;
  out["plan"] = result.training.plan;
  out["preset"] = result.preset;
  out["solver"] = std::string(name_of(result.solver));
  out["planned_memory"] = result.planned_memory;
  out["kernel_passes"] = work.kernel_passes;
  out["column_passes"] = work.column_passes;
  out["cg_iterations"] = work.cg_iterations;
  out["returned_to_host"] = work.returned_to_host;
  out["verified_residual"] = work.residual;
  out["pairs_per_second"] = work.pairs_per_second();
  return out;
}

/// Model, and details of the training that a model does not keep.
nb::tuple described(FitResult result, const std::vector<Finding>& about_data) {
  nb::dict seconds;
  for (const auto& [phase, time] : result.seconds) seconds[phase.c_str()] = time;
  nb::dict more;
  more["seconds"] = seconds;
  more["work"] = work_of(result);
  nb::list findings = to_list(about_data, "data");
  for (const nb::handle finding : to_list(result.findings, "result")) findings.append(finding);
  more["findings"] = findings;
  return nb::make_tuple(std::make_shared<Model>(std::move(result.model)), more);
}

/// Options of all targets. One earlier model is that of each target.
TargetsOptions targets_options(const Rows& rows, const nb::dict& settings, bool share_kernel,
                               const std::vector<std::shared_ptr<Model>>& warm) {
  TargetsOptions options{.fit = fit_options(settings), .share_kernel = share_kernel};
  if (!warm.empty()) {
    options.warm.assign(warm.begin(), warm.end());
    if (warm.size() == 1) options.warm.resize(rows.targets.size(), warm.front());
    if (!settings.contains("restarts") || settings["restarts"].is_none()) options.fit.train.restarts = 1;
  }
  if (rows.noise && options.fit.noise.given) {
    throw InputError("noise_std defines the noise: leave out noise, or give weights instead");
  }
  return options;
}

/// What Python is told of the steps of a training.
class Steps {
 public:
  Steps(const Rows& rows, const TrainOptions& options, Caller& caller, const nb::object& callback)
      : targets_(rows.targets), measures_(measure_names(options)), caller_(caller), callback_(callback) {}

  void begin(Index target) { target_ = targets_[static_cast<std::size_t>(target)]; }
  void announce(const Problem& problem) { theta_ = theta_names(problem.kernel, problem.noise); }
  /// Whether training goes on.
  bool take(const IterationRecord& record) {
    if (callback_.is_none()) return !caller_.raised();
    bool going_on = true;
    caller_.call([&] {
      const nb::object answer = callback_(described(record, target_, theta_, measures_));
      going_on = !answer.is(nb::handle(Py_False));
    });
    return going_on && !caller_.raised();
  }

 private:
  const std::vector<std::string>& targets_;
  const std::vector<std::string> measures_;
  std::vector<std::string> theta_;
  std::string target_;
  Caller& caller_;
  const nb::object& callback_;
};

/// Model and details of each target that was trained, and what the others failed of, by name.
nb::tuple fit_rows(const Rows& rows, const nb::dict& settings, const std::string& fold_kind, const nb::dict& fold_how,
                   const std::vector<std::shared_ptr<Model>>& warm, bool share_kernel, const nb::object& callback) {
  TargetsOptions options = targets_options(rows, settings, share_kernel, warm);
  FitOptions& fit = options.fit;
  const std::vector<Dataset> targets = datasets_of(rows);
  fit.folds = fold_options(fold_kind, fold_how, static_cast<Index>(rows.x.shape(0)));
  Caller caller;
  fit.train.compute.stop = [&] { return caller.raised(); };
  fit.abandon = [&] { return caller.raised(); };
  Steps steps(rows, fit.train, caller, callback);
  std::map<std::string, std::vector<Finding>> about_data;
  std::map<std::string, std::string> failures;
  std::vector<FitResult> results;
  options.failed = [&](Index t, const NumericalError& error) {
    failures[rows.targets[static_cast<std::size_t>(t)]] = in_words(error);
  };
  caller.run([&] {
    for (const Dataset& data : targets) {
      about_data[data.columns.target] =
          data_findings(data, ordered(fit.folds.value_or(FoldOptions{})), fit.transform.known());
    }
    results = fit_targets(
        targets, options, [&](Index t) { steps.begin(t); },
        [&](const IterationRecord& record) { return steps.take(record); },
        [&](const Problem& problem, const std::string&) { steps.announce(problem); });
  });
  nb::list out;
  for (FitResult& result : results) {
    const std::vector<Finding>& findings = about_data[result.model.columns.target];
    out.append(described(std::move(result), findings));
  }
  return nb::make_tuple(out, failures);
}

/// Findings of each target about its rows and the training that is asked for: what fit() would say, its memory and its
/// time.
nb::list check_rows(const Rows& rows, const nb::dict& settings, const std::string& fold_kind,
                    const nb::dict& fold_how) {
  FitOptions fit = fit_options(settings);
  fit.folds = fold_options(fold_kind, fold_how, static_cast<Index>(rows.x.shape(0)));
  const DiagnosisOptions options{.ordered_folds = ordered(fit.folds.value_or(FoldOptions{})),
                                 .transform = fit.transform.known()};
  std::vector<std::vector<Finding>> found;
  Caller caller;
  fit.train.compute.stop = [&] { return caller.raised(); };
  caller.run([&] {
    for (const Dataset& data : datasets_of(rows)) found.push_back(diagnose_fit(data, fit, options));
  });
  nb::list out;
  for (const std::vector<Finding>& findings : found) out.append(to_list(findings, "data"));
  return out;
}

}  // namespace

void bind_fit(nb::module_& module) {
  nb::class_<Rows>(module, "Rows", "Training data.")
      .def(
          "__init__",
          [](Rows* self, const Array2& x, const Array2& y, const std::vector<std::string>& features,
             const std::vector<std::string>& targets, bool named, const std::optional<Array1>& noise,
             const std::optional<Array1>& weights, const std::optional<IndexArray>& labels,
             const std::optional<Array1>& time, const std::vector<std::string>& levels,
             const std::vector<Index>& positions, const std::vector<Index>& dates) {
            new (self) Rows{x, y, features, targets, named, noise, weights, labels, time, levels, positions, dates};
          },
          nb::arg("x"), nb::arg("y"), nb::arg("features"), nb::arg("targets"), nb::arg("named"),
          nb::arg("noise") = nb::none(), nb::arg("weights") = nb::none(), nb::arg("labels") = nb::none(),
          nb::arg("time") = nb::none(), nb::arg("levels") = nb::list(), nb::arg("positions") = nb::list(),
          nb::arg("dates") = nb::list())
      .def_ro("targets", &Rows::targets);
  module.def("check", &check_rows, nb::arg("rows"), nb::arg("settings"), nb::arg("fold_kind"), nb::arg("fold_how"));
  module.def("fit", &fit_rows, nb::arg("rows"), nb::arg("settings"), nb::arg("fold_kind"), nb::arg("fold_how"),
             nb::arg("warm"), nb::arg("share_kernel"), nb::arg("callback").none());
}

}  // namespace gpcv::python
