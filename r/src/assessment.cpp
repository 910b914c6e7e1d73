/// What predictions are worth: scores on rows with known targets, the report of such rows, the rank among other models.
#include <algorithm>

#include "caller.hpp"
#include "entries.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/comparison.hpp"
#include "gpcv/error.hpp"
#include "gpcv/named.hpp"
#include "gpcv/report.hpp"
#include "guard.hpp"
#include "handle.hpp"
#include "settings.hpp"

namespace gpcv::r {
namespace {

/// Scores of the predictions of rows with known targets.
cpp11::sexp evaluate_rows(SEXP handle, SEXP inputs, SEXP targets, SEXP how, SEXP settings) {
  const MatrixView x = matrix_view(inputs);
  const VectorView y = vector_view(targets);
  PredictOptions options{.variance = VarianceMethod::parse(text(entry(how, "variance")))};
  if (const SEXP noise = entry(how, "noise"); !Rf_isNull(noise)) options.noise = vector_view(noise);
  const bool average = truth(entry(how, "average"));
  const ComputeOptions compute = compute_options(settings);
  Caller caller(display_named(text(entry(how, "display"))), compute.threads);
  caller.tell("predicting");
  Metrics m;
  trained_of(handle).with_posterior(compute, caller, [&](const Posterior& posterior) {
    m = evaluate(average ? predict_rows(posterior, x, options) : posterior.predict(x, options), y);
  });
  return Named()
      .add("n", static_cast<double>(m.n))
      .add("rmse", m.rmse)
      .add("smse", m.smse)
      .add("nlpd", m.nlpd)
      .add("crps", m.crps)
      .add("coverage50", m.coverage50)
      .add("coverage80", m.coverage80)
      .add("coverage95", m.coverage95)
      .list();
}

/// Writes the report of a model, and of its predictions of test rows where `test` has them: list(x, y, noise) or NULL.
cpp11::sexp report(SEXP handle, SEXP path, SEXP test, SEXP settings, SEXP display) {
  const std::shared_ptr<const Model> model = trained_of(handle).model();
  ComputeOptions compute = compute_options(settings);
  const std::string file = text(path);
  require_writable(file, {});
  Dataset rows;
  if (!Rf_isNull(test)) {
    rows.x = matrix_view(entry(test, "x"));
    rows.y = vector_view(entry(test, "y"));
    rows.columns = model->columns;
    if (const SEXP noise = entry(test, "noise"); !Rf_isNull(noise)) rows.noise = vector_view(noise);
  }
  Caller caller(display_named(text(display)), compute.threads);
  caller.tell("writing the report");
  compute.stop = [&] { return caller.stops(); };
  caller.run([&] {
    const Diagnostics seen = diagnostics_of(*model, compute, Rf_isNull(test) ? nullptr : &rows);
    write_text_atomically(file, html_report(*model, seen, {}));
  });
  return R_NilValue;
}

/// Ranking of models by the loss of the rows that the same folds held out, best first, as columns of a data frame.
cpp11::sexp ranked(SEXP handles, SEXP names, SEXP criterion) {
  const std::vector<std::string> own = texts(names);
  std::vector<Contender> contenders;
  for (R_xlen_t i = 0; i < Rf_xlength(handles); ++i) {
    Contender contender;
    contender.kernel = own[static_cast<std::size_t>(i)];
    contender.result.model = *trained_of(VECTOR_ELT(handles, i)).model();
    contenders.push_back(std::move(contender));
  }
  const Criterion loss = choice_named(text(criterion), {Criterion::crps, Criterion::squared, Criterion::log});
  const Comparison comparison = compare(std::move(contenders), loss);
  if (!comparison.failed.empty()) {
    const Contender& failed = comparison.failed.front();
    throw InputError("model '" + failed.kernel + "': " + failed.failure);
  }
  const auto& rows = comparison.ranked;
  return Named()
      .add("name", column(rows, [](const Ranked& r) { return r.contender.kernel; }))
      .add("rmse", column(rows, [](const Ranked& r) { return r.rmse; }))
      .add("rmse_error", column(rows, [](const Ranked& r) { return r.rmse_error; }))
      .add("loss", column(rows, [](const Ranked& r) { return r.loss; }))
      .add("behind", column(rows, [](const Ranked& r) { return r.behind; }))
      .add("behind_error", column(rows, [](const Ranked& r) { return r.behind_error; }))
      .add("nlpd", column(rows, [](const Ranked& r) { return r.nlpd; }))
      .list();
}

}  // namespace
}  // namespace gpcv::r

using namespace gpcv::r;

extern "C" {
SEXP gpcv_r_evaluate(SEXP handle, SEXP x, SEXP y, SEXP how, SEXP settings) {
  return guarded([&] { return evaluate_rows(handle, x, y, how, settings); });
}
SEXP gpcv_r_report(SEXP handle, SEXP path, SEXP test, SEXP settings, SEXP display) {
  return guarded([&] { return report(handle, path, test, settings, display); });
}
SEXP gpcv_r_ranked(SEXP handles, SEXP names, SEXP criterion) {
  return guarded([&] { return ranked(handles, names, criterion); });
}
}
