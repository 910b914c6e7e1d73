#include "model/model_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "gpcv/error.hpp"
#include "model/consistency.hpp"
#include "model/optima_table.hpp"
#include "model/ranking_tables.hpp"
#include "model/trace_row.hpp"

namespace gpcv {
namespace {

using hdf5::Need;

/// Objects of the folder of a model that this program reads.
constexpr std::array<std::string_view, 18> known{
    "training",   "scaling",         "columns",    "calibration",   "conformal",    "held_out",
    "optima",     "standard_errors", "settings",   "trace",         "kernels",      "reading",
    "importance", "transform",       "transforms", "noise_process", "noise_choice", "robust"};

/// Names of the decimal marks, in the order of Decimal.
constexpr std::array<std::string_view, 3> decimal_names{"automatic", "point", "comma"};

/// Kinds of a target: not known, a number, a date.
constexpr std::array<std::string_view, 3> target_kinds{"unknown", "number", "date"};

/// Values that stand in a file in another form than in a Model.
struct FileForms : RankingTables {
  std::string kernel, noise_kernel, status, mean = std::string(name_of(Mean::zero)), transform_kind;
  std::vector<std::string> methods, error_names, trace_names;
  Vector factors, errors;
  Matrix trace;
  std::string decimal = std::string(decimal_names.front());
  std::string target_kind = std::string(target_kinds.front());
  bool dates_known = false;
  std::vector<Index> dates;
  OptimaTable optima;
};

// Each function below is the one list of what a part of the file holds: a hdf5::Writer writes a const Model with it, a
// hdf5::Reader reads one.

template <class Archive, class AnyColumns>
void transfer_columns(Archive& file, AnyColumns& columns, std::uint32_t version) {
  file.group("/columns", Need::required);
  file.dataset("/columns/features", columns.features);
  file.dataset("/columns/feature_indices", columns.feature_indices);
  file.attribute("/columns", "target", columns.target);
  file.attribute("/columns", "target_index", columns.target_index);
  file.attribute("/columns", "table_columns", columns.table_columns);
  file.attribute("/columns", "has_header", columns.has_header);
  if (version < 3) return;
  file.dataset("/columns/levels", columns.levels);
  file.attribute("/columns", "noise", columns.noise);
  file.attribute("/columns", "noise_index", columns.noise_index);
  file.attribute("/columns", "noise_is_weight", columns.noise_is_weight);
}

/// How the training table was read.
template <class Archive, class AnyColumns, class AnyForms>
void transfer_reading(Archive& file, AnyColumns& columns, AnyForms& forms) {
  if (!file.group("/reading", Need::optional)) return;
  file.attribute("/reading", "id", columns.id);
  file.attribute("/reading", "dates_known", forms.dates_known);
  file.dataset("/reading/dates", forms.dates);
  if (file.holds("/reading", "decimal")) file.attribute("/reading", "decimal", forms.decimal);
  if (!file.holds("/reading", "target_kind")) return;
  file.attribute("/reading", "target_kind", forms.target_kind);
  file.dataset("/reading/missing_texts", columns.missing_texts);
}

/// Whether the archive has a group, which a Writer has not unless the model needs it.
bool has_group(hdf5::Writer& file, const std::string& path, Need need, bool needed) {
  return needed && file.group(path, need);
}
bool has_group(const hdf5::Reader& file, const std::string& path, Need, bool) {
  return file.group(path, Need::optional);
}

/// Whether the archive has a dataset, which a Writer leaves out unless the model needs it.
bool has_dataset(const hdf5::Writer&, const std::string&, bool needed) { return needed; }
bool has_dataset(const hdf5::Reader& file, const std::string& path, bool) { return file.has(path); }

/// The transform of the target. Predictions need it, but most models have none.
template <class Archive, class AnyTransform, class AnyForms>
void transfer_transform(Archive& file, AnyTransform& transform, AnyForms& forms) {
  if (!has_group(file, "/transform", Need::required, !transform.is_none())) return;
  file.attribute("/transform", "kind", forms.transform_kind);
  file.attribute("/transform", "offset", transform.offset);
  file.attribute("/transform", "lower", transform.lower);
  file.attribute("/transform", "upper", transform.upper);
  file.attribute("/transform", "lambda", transform.lambda);
  file.attribute("/transform", "centre", transform.centre);
  file.attribute("/transform", "scale", transform.scale);
}

/// The noise that was learned. Predictions need it, but most models have constant noise.
template <class Archive, class AnyModel, class AnyForms>
void transfer_noise(Archive& file, AnyModel& model, AnyForms& forms) {
  if (!has_group(file, "/noise_process", Need::required, !model.noise_process.is_constant())) return;
  file.attribute("/noise_process", "kernel", forms.noise_kernel);
  file.attribute("/noise_process", "constant", model.noise_process.constant);
  file.dataset("/noise_process/points", model.noise_process.points);
  file.dataset("/noise_process/weights", model.noise_process.weights);
}

/// The comparison of learned with constant noise.
template <class Archive, class AnyChoice>
void transfer_noise_choice(Archive& file, AnyChoice& choice) {
  if (!has_group(file, "/noise_choice", Need::optional, !choice.asked.empty())) return;
  file.attribute("/noise_choice", "asked", choice.asked);
  file.attribute("/noise_choice", "learned", choice.learned);
  file.attribute("/noise_choice", "rounds", choice.rounds);
  file.attribute("/noise_choice", "gain", choice.gain);
  file.attribute("/noise_choice", "gain_error", choice.gain_error);
}

/// Everything a prediction needs.
template <class Archive, class AnyModel, class AnyForms>
void transfer_predictor(Archive& file, AnyModel& model, AnyForms& forms, std::uint32_t version) {
  file.group("/training", Need::required);
  file.common_dataset("/training/x", model.x);
  file.dataset("/training/y", model.y);
  file.dataset("/training/weights", model.weights);

  file.group("/scaling", Need::required);
  file.dataset("/scaling/x_mean", model.scaling.x_mean);
  file.dataset("/scaling/x_scale", model.scaling.x_scale);
  file.attribute("/scaling", "y_mean", model.scaling.y_mean);
  file.attribute("/scaling", "y_scale", model.scaling.y_scale);

  transfer_columns(file, model.columns, version);
  transfer_reading(file, model.columns, forms);
  transfer_transform(file, model.transform, forms);
  transfer_noise(file, model, forms);
  file.attribute("/", "kernel", forms.kernel);
  file.attribute("/", "noise", model.noise);

  if (version < 2) return;
  file.group("/calibration", Need::required);
  if (version < 5) {
    file.dataset("/calibration/methods", forms.methods);
    file.dataset("/calibration/factors", forms.factors);
  } else {
    file.attribute("/calibration", "factor", model.error_scale.factor);
    file.attribute("/calibration", "degrees", model.error_scale.degrees);
    file.attribute("/calibration", "usual", model.error_scale.usual);
    file.attribute("/calibration", "rare", model.error_scale.rare);
    file.attribute("/calibration", "largest", model.error_scale.largest);
    file.attribute("/calibration", "observed_degrees", model.error_scale.observed_degrees);
  }

  if (version < 3) return;
  file.attribute("/calibration", "added_noise", model.error_scale.added);
  file.attribute("/", "mean", forms.mean);
  file.attribute("/", "noise_reference", model.noise_reference);
  file.group("/conformal", Need::required);
  file.dataset("/conformal/scores", model.conformal.scores);
  file.attribute("/conformal", "method", model.conformal.method);
}

/// The weights of the rows of a robust training. Predictions find them in the column of /training/x.
template <class Archive, class AnyTrust, class AnyForms>
void transfer_trust(Archive& file, AnyTrust& trust, AnyForms& forms) {
  if (!has_group(file, "/robust", Need::optional, trust.weights.size() > 0)) return;
  file.dataset("/robust/weights", trust.weights);
  file.attribute("/robust", "alone", trust.alone);
  file.attribute("/robust", "share", trust.share);
  file.attribute("/robust", "degrees", trust.degrees);
  file.dataset("/robust/distrusted", forms.distrusted_numbers);
  file.dataset("/robust/ids", forms.distrusted_ids);
}

/// Transfers the provenance.
template <class Archive, class AnyProvenance, class AnyForms>
void transfer_provenance(Archive& file, AnyProvenance& provenance, AnyForms& forms, std::uint32_t version) {
  file.attribute("/", "trainer", provenance.trainer);
  file.attribute("/", "status", forms.status);
  file.attribute("/", "message", provenance.message);
  file.attribute("/", "objective", provenance.objective);
  file.attribute("/", "cv_rmse", provenance.cv_rmse);
  file.attribute("/", "folds", provenance.folds);
  file.attribute("/", "iterations", provenance.iterations);
  file.attribute("/", "seed", provenance.seed);
  file.attribute("/", "version", provenance.version);
  if (version >= 3) file.attribute("/", "command", provenance.command);
  if (version >= 5) {
    file.attribute("/", "assessment", provenance.assessment);
    file.attribute("/", "inner_rmse", provenance.inner_rmse);
    file.attribute("/", "optimism", provenance.optimism);
    if (file.group("/kernels", Need::optional)) {
      file.dataset("/kernels/texts", forms.kernel_texts);
      file.dataset("/kernels/numbers", forms.kernel_numbers);
    }
  }

  if (has_group(file, "/transforms", Need::optional, !provenance.transforms.empty())) {
    file.dataset("/transforms/texts", forms.transform_texts);
    file.dataset("/transforms/numbers", forms.transform_numbers);
  }
  transfer_noise_choice(file, provenance.noise_choice);
  transfer_trust(file, provenance.trust, forms);
  if (file.group("/held_out", Need::optional)) {
    file.dataset("/held_out/mean", provenance.held_out.mean);
    file.dataset("/held_out/variance", provenance.held_out.variance);
    file.attribute("/held_out", "method", provenance.held_out.method);
    if (has_dataset(file, "/held_out/fold", !provenance.fold_of_row.empty())) {
      file.dataset("/held_out/fold", provenance.fold_of_row);
    }
  }
  if (file.group("/importance", Need::optional)) {
    file.attribute("/importance", "rows", provenance.importance.rows);
    file.attribute("/importance", "rmse", provenance.importance.rmse);
    file.dataset("/importance/names", forms.important_names);
    file.dataset("/importance/numbers", forms.important_numbers);
  }
  if (file.group("/optima", Need::optional)) {
    file.dataset("/optima/numbers", forms.optima.numbers);
    if (version >= 4) file.dataset("/optima/log_theta", forms.optima.log_theta);
    if (version < 4) file.dataset("/optima/kernels", forms.optima.kernels);
  }
  if (file.group("/standard_errors", Need::optional)) {
    file.dataset("/standard_errors/names", forms.error_names);
    file.dataset("/standard_errors/values", forms.errors);
  }
  if (file.group("/trace", Need::optional)) {
    file.dataset("/trace/columns", forms.trace_names);
    file.dataset("/trace/values", forms.trace);
  }
  file.dataset("/settings", provenance.settings);
}

template <class Archive, class AnyModel, class AnyForms>
void transfer(Archive& file, AnyModel& model, AnyForms& forms, std::uint32_t version) {
  transfer_predictor(file, model, forms, version);
  transfer_provenance(file, model.provenance, forms, version);
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

/// The trace without the columns that a clock filled: equal trainings must write equal bytes.
void set_trace(const Provenance& provenance, FileForms& forms) {
  std::vector<Index> kept;
  for (std::size_t i = 0; i < provenance.trace_names.size(); ++i) {
    if (is_clock_column(provenance.trace_names[i])) continue;
    kept.push_back(static_cast<Index>(i));
    forms.trace_names.push_back(provenance.trace_names[i]);
  }
  if (provenance.trace.rows() > 0) {
    forms.trace = provenance.trace(Eigen::all, kept);
  } else {
    forms.trace.resize(0, provenance.trace.cols() > 0 ? static_cast<Index>(kept.size()) : 0);
  }
}

/// Kind with this name. A kind of a later version is a group that this program does not know.
TargetTransform::Kind transform_kind_named(const std::string& name) {
  using Kind = TargetTransform::Kind;
  for (const Kind kind : {Kind::none, Kind::log, Kind::logit, Kind::sqrt, Kind::yeo_johnson}) {
    if (name_of(kind) == name) return kind;
  }
  throw InputError(
      fmt::format("predictions need its transform '{}', which this version of gpcv does not know: upgrade", name));
}

FileForms forms_of(const Model& model) {
  FileForms forms;
  static_cast<RankingTables&>(forms) = ranking_tables(model.provenance);
  forms.transform_kind = name_of(model.transform.kind);
  forms.kernel = exact_text(model.kernel, model.x.cols());
  if (!model.noise_process.is_constant()) {
    forms.noise_kernel = exact_text(model.noise_process.kernel, model.scaling.x_mean.size());
  }
  forms.status = name_of(model.provenance.status);
  forms.mean = name_of(model.mean);
  forms.optima = OptimaTable(model.provenance.optima);
  forms.decimal = decimal_names[static_cast<std::size_t>(model.columns.decimal)];
  const auto& date = model.columns.target_is_date;
  forms.target_kind = target_kinds[!date ? 0 : *date ? 2 : 1];
  forms.dates_known = model.columns.dates.has_value();
  forms.dates = model.columns.dates.value_or(std::vector<Index>{});
  forms.errors.resize(static_cast<Index>(model.provenance.standard_errors.size()));
  for (const auto& [name, error] : model.provenance.standard_errors) {
    forms.errors(static_cast<Index>(forms.error_names.size())) = error;
    forms.error_names.push_back(name);
  }
  set_trace(model.provenance, forms);
  return forms;
}

/// Gives the model what the file holds in another form; throws InputError where that makes no sense.
void take_forms(FileForms forms, std::uint32_t version, Model& model) {
  require(forms.factors.size() == static_cast<Index>(forms.methods.size()),
          "there is not one variance factor per method");
  // Older files have a factor for each estimator of variances, the one that predictions use first.
  if (forms.factors.size() > 0) model.error_scale.factor = forms.factors(0);
  if (forms.dates_known) model.columns.dates = std::move(forms.dates);
  const auto* const kind = std::find(target_kinds.begin(), target_kinds.end(), forms.target_kind);
  require(kind != target_kinds.end(), fmt::format("the kind '{}' of the target is unknown", forms.target_kind));
  if (kind != target_kinds.begin()) model.columns.target_is_date = *kind == "date";
  const auto* const decimal = std::find(decimal_names.begin(), decimal_names.end(), forms.decimal);
  require(decimal != decimal_names.end(), fmt::format("the decimal mark '{}' is unknown", forms.decimal));
  model.columns.decimal = static_cast<Decimal>(decimal - decimal_names.begin());
  Provenance& provenance = model.provenance;
  take_rankings(forms, provenance);
  if (!forms.transform_kind.empty()) model.transform.kind = transform_kind_named(forms.transform_kind);
  if (version < 5) provenance.inner_rmse = provenance.cv_rmse;
  require(forms.errors.size() == static_cast<Index>(forms.error_names.size()),
          "there is not one standard error per name");
  for (Index i = 0; i < forms.errors.size(); ++i) {
    provenance.standard_errors.emplace_back(forms.error_names[static_cast<std::size_t>(i)], forms.errors(i));
  }
  provenance.trace_names = std::move(forms.trace_names);
  provenance.trace = std::move(forms.trace);
  provenance.status = status_named(forms.status);
  model.mean = mean_named(forms.mean);
  require_consistent(model);
  if (!forms.noise_kernel.empty()) {
    model.noise_process.kernel = bound_kernel(forms.noise_kernel, model.scaling.x_mean.size());
  }
  model.kernel = bound_kernel(forms.kernel, model.x.cols());
  require_consistent_kernel(model);
  provenance.optima = version >= 4 ? forms.optima.optima()
                                   : forms.optima.optima_of_texts(model.kernel, provenance.trace_column("noise") >= 0);
  require_consistent_optima(model);
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

void require_known_groups(const hdf5::Reader& file, std::span<const std::string_view> also) {
  for (const std::string& name : file.members()) {
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end() ||
                          std::find(also.begin(), also.end(), name) != also.end();
    if (is_known || !file.is_required("/" + name)) continue;
    throw InputError(
        fmt::format("predictions need its part '/{}', which this version of gpcv does not know: upgrade", name));
  }
}

void write_content(hdf5::Writer& file, const Model& model) {
  require_consistent(model);
  require_consistent_kernel(model);
  require_consistent_optima(model);
  const FileForms forms = forms_of(model);
  transfer(file, model, forms, model_version);
}

Model read_content(hdf5::Reader& file, std::uint32_t version) {
  Model model;
  FileForms forms;
  require_known_groups(file);
  transfer(file, model, forms, version);
  take_forms(std::move(forms), version, model);
  return model;
}

}  // namespace gpcv
