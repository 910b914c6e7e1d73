/// A Model as one HDF5 file behind a sealed user block; docs/reference/model-file.md is the reader's description.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "gpcv/error.hpp"
#include "gpcv/model.hpp"
#include "model/checksummed_file.hpp"
#include "model/design.hpp"
#include "model/hdf5.hpp"
#include "model/optima_table.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

constexpr ChecksummedKind model_kind{"GPCVMODL", "gpcv model", 3, "copy or train it again"};

/// What stands in a file in another form than in a Model.
struct FileForms {
  std::string kernel, status, mean = std::string(name_of(Mean::zero));
  std::vector<std::string> methods, error_names;
  Vector factors, errors;
  OptimaTable optima;
};

/// The one list of what a file holds: written with a hdf5::Writer and a const Model, read with a hdf5::Reader.
template <class Archive, class AnyModel, class AnyForms>
void transfer(Archive& file, AnyModel& model, AnyForms& forms, std::uint32_t version) {
  file.group("/training");
  file.dataset("/training/x", model.x);
  file.dataset("/training/y", model.y);
  file.dataset("/training/weights", model.weights);

  file.group("/scaling");
  file.dataset("/scaling/x_mean", model.scaling.x_mean);
  file.dataset("/scaling/x_scale", model.scaling.x_scale);
  file.attribute("/scaling", "y_mean", model.scaling.y_mean);
  file.attribute("/scaling", "y_scale", model.scaling.y_scale);

  file.group("/columns");
  file.dataset("/columns/features", model.columns.features);
  file.dataset("/columns/feature_indices", model.columns.feature_indices);
  file.attribute("/columns", "target", model.columns.target);
  file.attribute("/columns", "target_index", model.columns.target_index);
  file.attribute("/columns", "table_columns", model.columns.table_columns);
  file.attribute("/columns", "has_header", model.columns.has_header);

  file.attribute("/", "kernel", forms.kernel);
  file.attribute("/", "noise", model.noise);
  file.attribute("/", "trainer", model.provenance.trainer);
  file.attribute("/", "status", forms.status);
  file.attribute("/", "message", model.provenance.message);
  file.attribute("/", "objective", model.provenance.objective);
  file.attribute("/", "cv_rmse", model.provenance.cv_rmse);
  file.attribute("/", "folds", model.provenance.folds);
  file.attribute("/", "iterations", model.provenance.iterations);
  file.attribute("/", "seed", model.provenance.seed);
  file.attribute("/", "version", model.provenance.version);

  if (version >= 2) {
    file.group("/calibration");
    file.dataset("/calibration/methods", forms.methods);
    file.dataset("/calibration/factors", forms.factors);
  }
  if (version >= 3) {
    file.attribute("/calibration", "added_noise", model.added_noise);
    file.group("/held_out");
    file.dataset("/held_out/mean", model.provenance.held_out.mean);
    file.dataset("/held_out/variance", model.provenance.held_out.variance);
    file.attribute("/held_out", "method", model.provenance.held_out.method);
    file.group("/conformal");
    file.dataset("/conformal/scores", model.conformal.scores);
    file.attribute("/conformal", "method", model.conformal.method);
    file.group("/optima");
    file.dataset("/optima/numbers", forms.optima.numbers);
    file.dataset("/optima/kernels", forms.optima.kernels);
    file.group("/standard_errors");
    file.dataset("/standard_errors/names", forms.error_names);
    file.dataset("/standard_errors/values", forms.errors);
    file.attribute("/", "command", model.provenance.command);
    file.attribute("/", "mean", forms.mean);
    file.attribute("/", "noise_reference", model.noise_reference);
    file.dataset("/columns/levels", model.columns.levels);
    file.attribute("/columns", "noise", model.columns.noise);
    file.attribute("/columns", "noise_index", model.columns.noise_index);
    file.attribute("/columns", "noise_is_weight", model.columns.noise_is_weight);
  }

  file.dataset("/settings", model.provenance.settings);
  file.group("/trace");
  file.dataset("/trace/columns", model.provenance.trace_names);
  file.dataset("/trace/values", model.provenance.trace);
}

void require(bool holds, std::string_view otherwise) {
  if (!holds) throw InputError(std::string(otherwise));
}

/// What predictions rely on. Asked of a model before it is written and after it was read.
void require_consistent(const Model& model) {
  const Index n = model.x.rows(), d = model.x.cols() - (model.noise_reference > 0 ? 1 : 0);
  const auto names = static_cast<std::size_t>(d);
  const auto is_place = [](Index i) { return i >= 0; };
  const Columns& columns = model.columns;
  const Standardization& scaling = model.scaling;

  require(n > 0 && d > 0, "there are no training inputs");
  require(model.y.size() == n, fmt::format("there are {} training targets for {} rows", model.y.size(), n));
  require(model.weights.size() == n, fmt::format("there are {} weights for {} rows", model.weights.size(), n));
  require(model.x.allFinite() && model.y.allFinite(), "the training data are not all finite");
  require(model.weights.allFinite(), "the weights are not all finite");

  require(scaling.x_mean.size() == d && scaling.x_scale.size() == d,
          fmt::format("the scaling does not fit {} input columns", d));
  require(scaling.x_mean.allFinite() && std::isfinite(scaling.y_mean), "the scaling's means are not all finite");
  require(scaling.x_scale.allFinite() && scaling.x_scale.minCoeff() > 0, "the scales are not all positive");
  require(std::isfinite(scaling.y_scale) && scaling.y_scale > 0, "the target's scale is not positive");
  require(std::isfinite(model.noise) && model.noise >= 0, "the noise variance is negative or not finite");

  for (const VarianceFactor& f : model.variance_factors) {
    require(std::isfinite(f.factor) && f.factor > 0,
            fmt::format("the variance factor of {} is not positive", f.method));
  }

  require(model.added_noise >= 0 && std::isfinite(model.added_noise), "the added noise is negative or not finite");
  const HeldOut& held = model.provenance.held_out;
  require(held.mean.size() == held.variance.size() && (held.empty() || held.mean.size() == n),
          fmt::format("there are {} held-out means and {} variances for {} rows", held.mean.size(),
                      held.variance.size(), n));
  const Vector& scores = model.conformal.scores;
  require(scores.allFinite() && std::is_sorted(scores.begin(), scores.end()) && (scores.array() >= 0).all(),
          "the conformal scores are not finite, positive and ascending");

  require(model.noise_reference >= 0 && std::isfinite(model.noise_reference), "the rows' noise has no reference");
  require(columns.levels.empty() || columns.levels.size() == names, "there is not one level per input column");
  require(columns.features.size() == names && columns.feature_indices.size() == names,
          fmt::format("there are {} column names and {} column positions for {} input columns", columns.features.size(),
                      columns.feature_indices.size(), d));
  require(std::all_of(columns.feature_indices.begin(), columns.feature_indices.end(), is_place) &&
              columns.target_index >= -1 && columns.noise_index >= -1 && columns.table_columns >= 0,
          "a column position is negative");
  // Data made in memory may come from no table.
  const auto is_inside = [&](Index i) { return columns.table_columns == 0 || i < columns.table_columns; };
  require(std::all_of(columns.feature_indices.begin(), columns.feature_indices.end(), is_inside) &&
              is_inside(columns.target_index) && is_inside(columns.noise_index),
          "a column position lies outside the table");
  const Provenance& provenance = model.provenance;
  require(provenance.iterations >= 0, "the number of iterations is negative");
  require(provenance.trace.rows() == 0 || provenance.trace.cols() == static_cast<Index>(provenance.trace_names.size()),
          "the trace does not have one name per column");
}

/// The kernel must have what mean and rows' noise are said to have added to it, and something before that.
void require_consistent_kernel(const Model& model) {
  const std::size_t added =
      mean_parameters(model.mean, model.scaling.x_mean.size()) + (model.noise_reference > 0 ? 1 : 0);
  require(model.kernel.summands().size() > mean_summands(model.mean) && model.kernel.parameters().size() > added,
          fmt::format("its kernel has no part for the {} mean and the rows' noise", name_of(model.mean)));
}

Kernel bound_kernel(const std::string& text, Index d) { return Kernel::parse(text).bind(d); }

/// The kernel's text, once it is certain that reading it gives every value back.
std::string exact_text(const Kernel& kernel, Index d) {
  require(kernel.inputs() == d, fmt::format("the kernel is bound to {} input columns, not to {}", kernel.inputs(), d));
  std::string text = kernel.to_string();
  const Kernel read = bound_kernel(text, d);
  const auto same = [](const Parameter& a, const Parameter& b) { return a.value == b.value && a.fixed == b.fixed; };
  require(std::equal(kernel.parameters().begin(), kernel.parameters().end(), read.parameters().begin(),
                     read.parameters().end(), same),
          fmt::format("the kernel's text '{}' does not give its parameters back", text));
  return text;
}

Status status_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Status::numerical_failure); ++i) {
    if (name_of(static_cast<Status>(i)) == name) return static_cast<Status>(i);
  }
  throw InputError(fmt::format("its status '{}' is unknown", name));
}

Mean mean_named(const std::string& name) {
  for (const Mean mean : {Mean::zero, Mean::constant, Mean::linear}) {
    if (name_of(mean) == name) return mean;
  }
  throw InputError(fmt::format("its mean function '{}' is unknown", name));
}

}  // namespace

std::string_view name_of(Mean mean) {
  switch (mean) {
    case Mean::zero:
      return "zero";
    case Mean::constant:
      return "constant";
    case Mean::linear:
      break;
  }
  return "linear";
}

void save(const Model& model, const fs::path& path) {
  std::string payload;
  try {
    require_consistent(model);
    require_consistent_kernel(model);
    FileForms forms;
    forms.kernel = exact_text(model.kernel, model.x.cols());
    forms.status = name_of(model.provenance.status);
    forms.mean = name_of(model.mean);
    forms.optima = OptimaTable(model.provenance.optima, model.kernel, model.noise);
    forms.factors.resize(static_cast<Index>(model.variance_factors.size()));
    for (const VarianceFactor& f : model.variance_factors) {
      forms.factors(static_cast<Index>(forms.methods.size())) = f.factor;
      forms.methods.push_back(f.method);
    }
    forms.errors.resize(static_cast<Index>(model.provenance.standard_errors.size()));
    for (const auto& [name, error] : model.provenance.standard_errors) {
      forms.errors(static_cast<Index>(forms.error_names.size())) = error;
      forms.error_names.push_back(name);
    }
    hdf5::Writer file(checksum_block_size);
    transfer(file, model, std::as_const(forms), model_kind.version);
    payload = file.image();
  } catch (const Error& error) {
    throw InputError(fmt::format("cannot save the model as '{}': {}", path.string(), error.what()), error.remedy(),
                     error.facts());
  }
  write_checksummed(path, model_kind, std::move(payload));
}

Model load_model(const fs::path& path) {
  const ChecksummedBytes sealed = read_checksummed(path, model_kind);
  try {
    Model model;
    FileForms forms;
    hdf5::Reader file(sealed.bytes);
    transfer(file, model, forms, sealed.version);
    require(forms.factors.size() == static_cast<Index>(forms.methods.size()),
            "there is not one variance factor per method");
    for (Index i = 0; i < forms.factors.size(); ++i) {
      model.variance_factors.push_back({forms.methods[static_cast<std::size_t>(i)], forms.factors(i)});
    }
    require(forms.errors.size() == static_cast<Index>(forms.error_names.size()),
            "there is not one standard error per name");
    for (Index i = 0; i < forms.errors.size(); ++i) {
      model.provenance.standard_errors.emplace_back(forms.error_names[static_cast<std::size_t>(i)], forms.errors(i));
    }
    require_consistent(model);
    model.kernel = bound_kernel(forms.kernel, model.x.cols());
    model.provenance.status = status_named(forms.status);
    model.mean = mean_named(forms.mean);
    require_consistent_kernel(model);
    const std::vector<std::string>& names = model.provenance.trace_names;
    const bool noise_is_free = std::find(names.begin(), names.end(), "noise") != names.end();
    model.provenance.optima = forms.optima.optima_of_texts(model.kernel, noise_is_free);
    return model;
  } catch (const Error& error) {
    // A kernel that does not parse is shown with a caret below it; one line is enough here.
    const std::string_view what = error.what();
    throw InputError(fmt::format("'{}' is not a usable gpcv model: {}", path.string(), what.substr(0, what.find('\n'))),
                     error.remedy(), error.facts());
  }
}

}  // namespace gpcv
