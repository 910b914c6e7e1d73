/// Predictions, computed in blocks of rows.
#include "gpcv/posterior.hpp"

#include <algorithm>

#include "caller.hpp"
#include "entries.hpp"
#include "gpcv/error.hpp"
#include "gpcv/far_rows.hpp"
#include "gpcv/prediction_table.hpp"
#include "gpcv/quantity.hpp"
#include "guard.hpp"
#include "handle.hpp"
#include "settings.hpp"

namespace gpcv::r {
namespace {

/// What R asks of a prediction.
struct Wanted {
  bool std = false, latent = false, average = false;
  std::string variance;
  Vector noise;           ///< deviation of each row's noise; empty for a typical one
  std::vector<double> z;  ///< values that lie so many standard deviations from the centre of the distribution
  Display display;

  explicit Wanted(SEXP how)
      : std(truth(entry(how, "std"))),
        latent(truth(entry(how, "latent"))),
        average(truth(entry(how, "average"))),
        variance(text(entry(how, "variance"))),
        z(numbers(entry(how, "z"))),
        display(display_named(text(entry(how, "display")))) {
    if (const SEXP given = entry(how, "noise"); !Rf_isNull(given)) noise = vector_view(given);
  }
};

/// Deviations, where a rounding error may have made a variance negative.
Vector deviations(const Vector& variances) { return variances.cwiseMax(0).cwiseSqrt(); }

/// Means, deviations and values of all rows; rows that share work come together.
class Blocks {
 public:
  Blocks(Index rows, const Wanted& wanted)
      : wanted_(wanted), mean_(rows), values_(rows, static_cast<Index>(wanted.z.size())) {
    if (wanted.std) std_.resize(rows);
  }

  void compute(const Posterior& posterior, const MatrixView& x, Caller& caller) {
    PredictOptions options{.latent = wanted_.latent, .mean_only = !wanted_.std};
    options.expected_rows = rows_per_prediction_batch;
    options.variance = VarianceMethod::parse(wanted_.variance);
    if (wanted_.std) options.variance = posterior.resolved(options.variance, options.expected_rows, options.latent);
    method_ = options.variance.to_string();
    const Index batch = wanted_.std ? options.variance.rows_at_once() : rows_per_prediction_batch;
    for (Index first = 0; first < x.rows(); first += batch) {
      if (caller.stops()) throw Interrupted("stopped");
      if (first > 0) caller.tell(grouped(first) + " of " + grouped(x.rows()) + " rows are predicted");
      const Index rows = std::min(batch, x.rows() - first);
      if (wanted_.noise.size() > 0) options.noise = wanted_.noise.segment(first, rows);
      const auto block = x.middleRows(first, rows);
      keep(first, wanted_.average ? predict_rows(posterior, block, options) : posterior.predict(block, options));
    }
  }

  cpp11::sexp in_r() const {
    return Named().add("mean", mean_).add("std", std_).add("values", values_).add("method", method_).list();
  }

 private:
  void keep(Index first, const Prediction& block) {
    const Index rows = block.mean.size();
    mean_.segment(first, rows) = block.mean;
    if (wanted_.std) std_.segment(first, rows) = deviations(block.variance);
    for (Index k = 0; k < values_.cols(); ++k) {
      values_.col(k).segment(first, rows) = block.at(wanted_.z[static_cast<std::size_t>(k)]);
    }
  }

  const Wanted& wanted_;
  Vector mean_, std_;
  Matrix values_;
  std::string method_;
};

cpp11::sexp predict(SEXP handle, SEXP inputs, SEXP how, SEXP settings) {
  const Wanted wanted(how);
  const MatrixView x = matrix_view(inputs);
  Blocks blocks(x.rows(), wanted);
  const ComputeOptions compute = compute_options(settings);
  Caller caller(wanted.display, compute.threads);
  caller.tell("predicting");
  trained_of(handle).with_posterior(compute, caller,
                                    [&](const Posterior& posterior) { blocks.compute(posterior, x, caller); });
  return blocks.in_r();
}

/// Mean and deviation of each summand of the kernel, m × summands.
cpp11::sexp components(SEXP handle, SEXP inputs, SEXP how, SEXP settings) {
  const Wanted wanted(how);
  const MatrixView x = matrix_view(inputs);
  Trained& trained = trained_of(handle);
  std::vector<Component> parts;
  const ComputeOptions compute = compute_options(settings);
  Caller caller(wanted.display, compute.threads);
  caller.tell("predicting the summands of the kernel");
  trained.with_posterior(compute, caller,
                         [&](const Posterior& posterior) { parts = posterior.components(x, !wanted.std); });
  std::vector<std::string> names;
  Matrix means(x.rows(), static_cast<Index>(parts.size())), std(wanted.std ? x.rows() : 0, means.cols());
  for (Index k = 0; k < means.cols(); ++k) {
    const Component& part = parts[static_cast<std::size_t>(k)];
    names.push_back(part.name);
    means.col(k) = part.prediction.mean;
    if (wanted.std) std.col(k) = deviations(part.prediction.variance);
  }
  return Named()
      .add("names", names)
      .add("means", means)
      .add("std", std)
      .add("offset", trained.model()->scaling.y_mean)
      .list();
}

/// Joint covariance of all rows.
cpp11::sexp covariance(SEXP handle, SEXP inputs, SEXP how, SEXP settings) {
  const Wanted wanted(how);
  const MatrixView x = matrix_view(inputs);
  Matrix out;
  const ComputeOptions compute = compute_options(settings);
  Caller caller(wanted.display, compute.threads);
  caller.tell("computing the covariance of " + grouped(x.rows()) + " rows");
  trained_of(handle).with_posterior(
      compute, caller, [&](const Posterior& posterior) { out = posterior.covariance(x, wanted.latent, wanted.noise); });
  return to_r(out);
}

cpp11::sexp sample(SEXP handle, SEXP inputs, SEXP how, SEXP settings) {
  const Wanted wanted(how);
  const MatrixView x = matrix_view(inputs);
  const auto count = static_cast<Index>(number(entry(how, "count")));
  const auto seed = static_cast<std::uint64_t>(number(entry(how, "seed")));
  Matrix draws;
  const ComputeOptions compute = compute_options(settings);
  Caller caller(wanted.display, compute.threads);
  caller.tell("drawing from the joint distribution of " + grouped(x.rows()) + " rows");
  trained_of(handle).with_posterior(compute, caller, [&](const Posterior& posterior) {
    draws = posterior.sample(x, count, seed, wanted.latent, wanted.noise);
  });
  return to_r(draws);
}

/// Half widths of central intervals, conformal or not, or places of quantiles, in standard deviations.
cpp11::sexp factors(SEXP handle, SEXP probabilities, SEXP kind) {
  const Model& model = *trained_of(handle).model();
  const std::string wanted = text(kind);
  std::vector<double> out;
  for (const double p : numbers(probabilities)) {
    out.push_back(wanted == "conformal"  ? conformal_factor(model.conformal, p)
                  : wanted == "interval" ? interval_factor(p, model.error_scale.degrees)
                                         : quantile_factor(p, model.error_scale.degrees));
  }
  return Named().add("factors", out).add("method", model.conformal.method).list();
}

cpp11::sexp far_rows(SEXP handle, SEXP inputs) {
  FarRows far;
  far.compare_with(*trained_of(handle).model());
  far.look_at(matrix_view(inputs), [](Index i) { return i; });
  return Named()
      .add("count", static_cast<double>(far.count()))
      .add("rows", positions(far.first_rows()))
      .add("input", far.first_input())
      .list();
}

}  // namespace
}  // namespace gpcv::r

using namespace gpcv::r;

extern "C" {
SEXP gpcv_r_predict(SEXP handle, SEXP x, SEXP how, SEXP settings) {
  return guarded([&] { return predict(handle, x, how, settings); });
}
SEXP gpcv_r_components(SEXP handle, SEXP x, SEXP how, SEXP settings) {
  return guarded([&] { return components(handle, x, how, settings); });
}
SEXP gpcv_r_covariance(SEXP handle, SEXP x, SEXP how, SEXP settings) {
  return guarded([&] { return covariance(handle, x, how, settings); });
}
SEXP gpcv_r_sample(SEXP handle, SEXP x, SEXP how, SEXP settings) {
  return guarded([&] { return sample(handle, x, how, settings); });
}
SEXP gpcv_r_factors(SEXP handle, SEXP probabilities, SEXP kind) {
  return guarded([&] { return factors(handle, probabilities, kind); });
}
SEXP gpcv_r_far_rows(SEXP handle, SEXP x) {
  return guarded([&] { return far_rows(handle, x); });
}
SEXP gpcv_r_require_variance(SEXP method) {
  return guarded([&] { return to_r(gpcv::VarianceMethod::parse(text(method)).to_string()); });
}
}
