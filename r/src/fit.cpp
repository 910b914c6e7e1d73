/// Training from matrices.
#include "gpcv/fit.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>

#include "caller.hpp"
#include "entries.hpp"
#include "findings.hpp"
#include "gpcv/error.hpp"
#include "gpcv/targets.hpp"
#include "guard.hpp"
#include "handle.hpp"
#include "remedies.hpp"
#include "settings.hpp"

namespace gpcv::r {
namespace {

/// Columns of the user's table, from R's description of them.
Columns columns_of(SEXP described, Index targets) {
  Columns columns;
  columns.features = texts(entry(described, "features"));
  columns.feature_indices = indices(entry(described, "positions"), 1);
  columns.levels = texts(entry(described, "levels"));
  columns.dates = indices(entry(described, "dates"), 1);
  columns.target_index = 1 + *std::ranges::max_element(columns.feature_indices);
  columns.table_columns = columns.target_index + targets;
  columns.has_header = truth(entry(described, "named"));
  return columns;
}

/// What rows have beside inputs and targets: their noise or weight, their label, their time.
void add_rows(SEXP rows, Dataset& data) {
  const SEXP noise = entry(rows, "noise"), weights = entry(rows, "weights");
  Columns& columns = data.columns;
  if (!Rf_isNull(noise) || !Rf_isNull(weights)) {
    const bool is_weight = Rf_isNull(noise);
    columns.noise = text(entry(rows, "noise_name"));
    columns.noise_index = columns.table_columns++;
    columns.noise_is_weight = is_weight;
    data.noise = vector_view(is_weight ? weights : noise);
    if (is_weight) data.noise = data.noise.cwiseSqrt().cwiseInverse();
  }
  if (const SEXP labels = entry(rows, "labels"); !Rf_isNull(labels)) data.labels = indices(labels, 1);
  if (const SEXP time = entry(rows, "time"); !Rf_isNull(time)) data.time = vector_view(time);
}

/// Data of each target, whose columns follow those of the inputs.
std::vector<Dataset> datasets_of(SEXP x, SEXP y, SEXP described, SEXP rows) {
  const MatrixView targets = matrix_view(y);
  Dataset inputs;
  inputs.x = matrix_view(x);
  inputs.columns = columns_of(described, targets.cols());
  inputs.reading.dates = *inputs.columns.dates;
  inputs.reading.dropped = indices(entry(rows, "dropped"), 1);
  add_rows(rows, inputs);
  std::vector<Dataset> out = split_targets(inputs, targets, texts(entry(described, "targets")));
  for (std::size_t t = 0; t < out.size(); ++t) out[t].columns.target_index += static_cast<Index>(t);
  return out;
}

/// Folds of a list of pairs of training and validation rows, which R's side has checked.
std::shared_ptr<const Folds> given_folds(SEXP pairs, Index rows, const std::string& description) {
  auto folds = std::make_shared<Folds>(Folds{rows, {}, description});
  for (R_xlen_t i = 0; i < Rf_xlength(pairs); ++i) {
    const SEXP pair = VECTOR_ELT(pairs, i);
    Fold fold{indices(VECTOR_ELT(pair, 0), 1), indices(VECTOR_ELT(pair, 1), 1)};
    std::ranges::sort(fold.training);
    std::ranges::sort(fold.validation);
    folds->folds.push_back(std::move(fold));
  }
  return folds;
}

/// Options of the folds, from list(kind = "random", count = 5), list(kind = "given", pairs = …, description = "…"), …
std::optional<FoldOptions> fold_options(SEXP how, Index rows) {
  using Kind = FoldOptions::Kind;
  static const std::map<std::string, Kind> kinds{{"random", Kind::random},   {"interleaved", Kind::interleaved},
                                                 {"holdout", Kind::holdout}, {"groups", Kind::groups},
                                                 {"labels", Kind::column},   {"blocks", Kind::blocks},
                                                 {"regions", Kind::regions}, {"time", Kind::time},
                                                 {"given", Kind::given}};
  const std::string kind = text(entry(how, "kind"));
  if (kind == "default") return std::nullopt;
  FoldOptions options{.kind = kinds.at(kind)};
  const auto given = [&](const char* name) { return !Rf_isNull(entry(how, name)); };
  if (given("column")) options.column = text(entry(how, "column"));
  if (given("count")) options.count = static_cast<Index>(number(entry(how, "count")));
  if (given("blocks")) options.blocks = static_cast<Index>(number(entry(how, "blocks")));
  if (given("fraction")) options.fraction = number(entry(how, "fraction"));
  if (given("width")) options.width = number(entry(how, "width"));
  if (given("pairs")) options.folds = given_folds(entry(how, "pairs"), rows, text(entry(how, "description")));
  return options;
}

/// Work of a training, as a named list.
cpp11::sexp work_of(const FitResult& result) {
  const Work& work = result.training.work;
  return Named()
      .add("plan", result.training.plan)
      .add("preset", result.preset)
      .add("solver", name_of(result.solver))
      .add("backend", result.backend)
      .add("planned_memory", static_cast<double>(result.planned_memory))
      .add("kernel_passes", work.kernel_passes)
      .add("column_passes", work.column_passes)
      .add("cg_iterations", static_cast<double>(work.cg_iterations))
      .add("verified_residual", work.residual)
      .add("pairs_per_second", work.pairs_per_second())
      .list();
}

/// Model, and details of the training that a model does not keep.
cpp11::sexp described(FitResult result, const std::vector<Finding>& about_data) {
  Named out;
  out.add("seconds", result.seconds)
      .add("work", work_of(result))
      .add("left_out", result.left_out)
      .add("findings", to_r(about_data, result.findings));
  out.add("model", to_handle(std::move(result.model)));
  return out.list();
}

/// Steps of a training, which the line of progress and the user's function are told.
class Steps {
 public:
  Steps(std::vector<std::string> targets, const TrainOptions& options, Caller& caller, SEXP callback)
      : targets_(std::move(targets)), measures_(measure_names(options)), caller_(caller), callback_(callback) {}

  void begin(Index target) { target_ = targets_[static_cast<std::size_t>(target)]; }
  void announce(const Problem& problem) { theta_ = theta_names(problem.kernel, problem.noise); }

  /// Whether training goes on.
  bool take(const IterationRecord& record) {
    char text[200];
    std::snprintf(text, sizeof text, "start %d, step %d, objective %.6g", record.restart + 1, record.iteration,
                  record.objective);
    caller_.tell((targets_.size() > 1 ? target_ + ": " : "") + text);
    if (Rf_isNull(callback_)) return !caller_.stops();
    bool going_on = true;
    caller_.call([&] {
      const cpp11::sexp answer = cpp11::function(callback_)(in_r(record).data());
      going_on = !(TYPEOF(answer) == LGLSXP && Rf_xlength(answer) == 1 && LOGICAL(answer)[0] == 0);
    });
    return going_on && !caller_.stops();
  }

 private:
  cpp11::sexp in_r(const IterationRecord& record) const {
    std::vector<std::pair<std::string, double>> theta, measures;
    for (std::size_t i = 0; i < std::min(theta_.size(), record.theta.size()); ++i) {
      theta.emplace_back(theta_[i], record.theta[i]);
    }
    for (std::size_t i = 0; i < std::min(measures_.size(), record.measures.size()); ++i) {
      measures.emplace_back(measures_[i], record.measures[i]);
    }
    return Named()
        .add("target", target_)
        .add("restart", record.restart + 1)
        .add("fold", record.fold + 1)
        .add("iteration", record.iteration)
        .add("objective", record.objective)
        .add("gradient_norm", record.gradient_norm)
        .add("seconds", record.seconds)
        .add("theta", theta)
        .add("measures", measures)
        .list();
  }

  const std::vector<std::string> targets_;
  const std::vector<std::string> measures_;
  std::vector<std::string> theta_;
  std::string target_;
  Caller& caller_;
  SEXP callback_;
};

/// Makes the training ask whether it is to stop, and say what it does.
void connect(FitOptions& fit, Caller& caller) {
  fit.train.compute.stop = [&caller] { return caller.stops(); };
  fit.abandon = [&caller] { return caller.abandoned(); };
  fit.stoppable = [&caller](double seconds) { caller.keep_after(seconds); };
  fit.progress = [&caller](const std::string& text) { caller.tell(text); };
  fit.expected = [&caller](double seconds) { caller.expect(seconds); };
}

TargetsOptions targets_options(SEXP settings, SEXP rows, SEXP warm, bool share_kernel, std::size_t targets) {
  TargetsOptions options{.fit = fit_options(settings), .share_kernel = share_kernel};
  if (options.fit.noise.given && !Rf_isNull(entry(rows, "noise"))) {
    throw InputError("'noise_sd' defines the noise of each row: leave out 'noise', or give weights instead");
  }
  for (R_xlen_t i = 0; i < Rf_xlength(warm); ++i) options.warm.push_back(trained_of(VECTOR_ELT(warm, i)).model());
  if (options.warm.size() == 1) options.warm.resize(targets, options.warm.front());
  // An earlier model is a better start than random values.
  if (!options.warm.empty() && Rf_isNull(entry(settings, "restarts"))) options.fit.train.restarts = 1;
  return options;
}

}  // namespace

/// Findings of each target about its rows and the training that is asked for, with its memory and its time.
cpp11::sexp findings_before(SEXP x, SEXP y, SEXP columns, SEXP rows, SEXP settings, SEXP folds) {
  using Kind = FoldOptions::Kind;
  FitOptions fit = fit_options(settings);
  fit.folds = fold_options(folds, static_cast<Index>(Rf_nrows(x)));
  const Kind kind = fit.folds.value_or(FoldOptions{}).kind;
  const bool ordered = kind != Kind::random && kind != Kind::interleaved && kind != Kind::holdout;
  const std::vector<Dataset> targets = datasets_of(x, y, columns, rows);
  Caller caller(Display::none, fit.train.compute.threads);
  fit.train.compute.stop = [&] { return caller.stops(); };
  std::vector<std::vector<Finding>> found;
  caller.run([&] {
    for (const Dataset& data : targets) {
      found.push_back(diagnose_fit(data, fit, {.ordered_folds = ordered, .transform = fit.transform.known()}));
      // R's side has left these rows out, and says so itself.
      std::erase_if(found.back(), [](const Finding& finding) { return finding.code == "missing"; });
    }
  });
  std::vector<cpp11::sexp> out;
  for (const std::vector<Finding>& findings : found) out.push_back(to_r(findings, {}));
  return to_r(out);
}

/// Models and details of the targets that were trained, and the reasons why the others failed.
cpp11::sexp fit_targets_of(SEXP x, SEXP y, SEXP columns, SEXP rows, SEXP settings, SEXP folds, SEXP how) {
  const std::vector<Dataset> targets = datasets_of(x, y, columns, rows);
  TargetsOptions options =
      targets_options(settings, rows, entry(how, "warm"), truth(entry(how, "share_kernel")), targets.size());
  FitOptions& fit = options.fit;
  fit.folds = fold_options(folds, static_cast<Index>(Rf_nrows(x)));
  Caller caller(display_named(text(entry(how, "display"))), fit.train.compute.threads);
  connect(fit, caller);
  Steps steps(texts(entry(columns, "targets")), fit.train, caller, entry(how, "callback"));
  std::vector<std::vector<Finding>> about_data(targets.size());
  std::vector<std::pair<std::string, std::string>> failures;
  std::vector<std::size_t> trained;
  std::vector<FitResult> results;
  options.done = [&](Index t, const FitResult&) { trained.push_back(static_cast<std::size_t>(t)); };
  options.failed = [&](Index t, const NumericalError& error) {
    failures.emplace_back(targets[static_cast<std::size_t>(t)].columns.target, in_words(error));
  };
  caller.run([&] {
    for (std::size_t t = 0; t < targets.size(); ++t) {
      about_data[t] = data_findings(targets[t], fit.folds.value_or(FoldOptions{}), fit.transform.known());
    }
    results = fit_targets(
        targets, options, [&](Index t) { steps.begin(t); },
        [&](const IterationRecord& record) { return steps.take(record); },
        [&](const Problem& problem, const std::string&) { steps.announce(problem); });
  });
  std::vector<cpp11::sexp> models;
  for (std::size_t k = 0; k < results.size(); ++k) {
    models.push_back(described(std::move(results[k]), about_data[trained[k]]));
  }
  return Named().add("models", models).add("failures", failures).list();
}

}  // namespace gpcv::r

extern "C" SEXP gpcv_r_check(SEXP x, SEXP y, SEXP columns, SEXP rows, SEXP settings, SEXP folds) {
  return gpcv::r::guarded([&] { return gpcv::r::findings_before(x, y, columns, rows, settings, folds); });
}

extern "C" SEXP gpcv_r_fit(SEXP x, SEXP y, SEXP columns, SEXP rows, SEXP settings, SEXP folds, SEXP how) {
  return gpcv::r::guarded([&] { return gpcv::r::fit_targets_of(x, y, columns, rows, settings, folds, how); });
}
