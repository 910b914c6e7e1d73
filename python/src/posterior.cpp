/// Predictions, computed in blocks of rows.
#include "gpcv/posterior.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>

#include "arrays.hpp"
#include "bindings.hpp"
#include "caller.hpp"
#include "gpcv/error.hpp"
#include "gpcv/prediction_table.hpp"
#include "settings.hpp"

namespace gpcv::python {
namespace {

class Predictor {
 public:
  Predictor(const std::shared_ptr<Model>& model, const nb::dict& settings)
      : model_(model), posterior_(model, stoppable(compute_options(settings))) {}

  /// Prediction as mean, or as (mean, std); with numbers z as (mean, std, values), where the values, m × k, lie z
  /// standard deviations from the centre of the distribution: bounds of intervals and quantiles. With `average` a row
  /// without a level stands for all levels of the category.
  nb::object predict(const Array2& x, bool with_std, bool latent, const std::string& variance,
                     const std::optional<Array1>& noise, const std::vector<double>& z, bool average) {
    const auto m = static_cast<Index>(x.shape(0));
    Vector mean(m), std(with_std ? m : 0);
    Matrix values(m, static_cast<Index>(z.size()));
    PredictOptions options;
    options.mean_only = !with_std;
    options.latent = latent;
    options.expected_rows = rows_per_prediction_batch;
    options.variance = VarianceMethod::parse(variance);
    if (with_std) options.variance = posterior_.resolved(options.variance, options.expected_rows, latent);
    const Index batch = with_std ? options.variance.rows_at_once() : rows_per_prediction_batch;
    const Vector deviations = noise_of(noise, x);
    run([&](const Caller& caller) {
      for (Index first = 0; first < m; first += batch) {
        if (caller.raised()) return;
        const Index rows = std::min(batch, m - first);
        if (noise) options.noise = deviations.segment(first, rows);
        const Prediction block = predict_block(x, first, rows, options, average);
        mean.segment(first, rows) = block.mean;
        if (with_std) std.segment(first, rows) = block.variance.cwiseSqrt();
        for (Index k = 0; k < values.cols(); ++k) {
          values.col(k).segment(first, rows) = block.at(z[static_cast<std::size_t>(k)]);
        }
      }
    });
    if (!with_std) return nb::cast(to_numpy(std::move(mean)));
    if (z.empty()) return nb::make_tuple(to_numpy(std::move(mean)), to_numpy(std::move(std)));
    return nb::make_tuple(to_numpy(std::move(mean)), to_numpy(std::move(std)), to_numpy(std::move(values)));
  }

  /// Scores of the predictions of rows with known targets.
  nb::dict evaluate(const Array2& x, const Array1& y, const std::string& variance, const std::optional<Array1>& noise,
                    bool average) {
    PredictOptions options;
    options.variance = VarianceMethod::parse(variance);
    options.noise = noise_of(noise, x);
    Metrics m;
    run([&](const Caller&) {
      const Prediction prediction = predict_block(x, 0, static_cast<Index>(x.shape(0)), options, average);
      m = gpcv::evaluate(prediction, Vector(view(y)));
    });
    nb::dict out;
    out["rmse"] = m.rmse;
    out["smse"] = m.smse;
    out["nlpd"] = m.nlpd;
    out["crps"] = m.crps;
    out["coverage50"] = m.coverage50;
    out["coverage80"] = m.coverage80;
    out["coverage95"] = m.coverage95;
    out["n"] = m.n;
    return out;
  }

  NumPy covariance(const Array2& x, bool latent, const std::optional<Array1>& noise) {
    Matrix out;
    const Vector deviations = noise_of(noise, x);
    run([&](const Caller&) { out = posterior_.covariance(Matrix(view(x)), latent, deviations); });
    return to_numpy(std::move(out));
  }

  NumPy sample(const Array2& x, Index count, std::uint64_t seed, bool latent, const std::optional<Array1>& noise) {
    if (count < 1) throw InputError("at least one sample is needed");
    Matrix out;
    const Vector deviations = noise_of(noise, x);
    run([&](const Caller&) { out = posterior_.sample(Matrix(view(x)), count, seed, latent, deviations); });
    return to_numpy(std::move(out));
  }

  /// Contributions as {name: mean} or {name: (mean, std)}.
  nb::dict components(const Array2& x, bool with_std) {
    std::vector<Component> parts;
    run([&](const Caller&) { parts = posterior_.components(Matrix(view(x)), !with_std); });
    nb::dict out;
    for (Component& part : parts) {
      NumPy mean = to_numpy(std::move(part.prediction.mean));
      if (with_std) {
        out[part.name.c_str()] =
            nb::make_tuple(mean, to_numpy(Vector(part.prediction.variance.cwiseMax(0).cwiseSqrt())));
      } else {
        out[part.name.c_str()] = mean;
      }
    }
    out["offset"] = model_->scaling.y_mean;
    return out;
  }

  std::string variance_method(const std::string& variance) const {
    return posterior_.resolved(VarianceMethod::parse(variance), rows_per_prediction_batch).to_string();
  }
  double interval_factor(double probability) const {
    return gpcv::interval_factor(probability, model_->error_scale.degrees);
  }
  double quantile_factor(double probability) const {
    return gpcv::quantile_factor(probability, model_->error_scale.degrees);
  }
  double conformal_factor(double probability) const { return gpcv::conformal_factor(model_->conformal, probability); }
  std::string conformal_method() const { return model_->conformal.method; }
  double jitter() const { return posterior_.jitter(); }

 private:
  /// Prediction of a block of rows. Arrays in Fortran order are used in place; others are copied one block at a time.
  Prediction predict_block(const Array2& x, Index first, Index rows, const PredictOptions& options,
                           bool average) const {
    const auto of_points = [&](ConstView points) {
      return average ? predict_rows(posterior_, points, options) : posterior_.predict(points, options);
    };
    const auto columns = static_cast<Index>(x.shape(1));
    if (x.stride(0) == 1 && (columns == 1 || x.stride(1) >= static_cast<std::int64_t>(x.shape(0)))) {
      const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> block(
          x.data() + first, rows, columns, Eigen::OuterStride<>(columns == 1 ? rows : x.stride(1)));
      return of_points(block);
    }
    const Matrix block = view(x).middleRows(first, rows);
    return of_points(block);
  }

  /// Noise standard deviation of each row; empty when it is not given.
  static Vector noise_of(const std::optional<Array1>& noise, const Array2& x) {
    return noise ? per_row(*noise, static_cast<Index>(x.shape(0)), "noise_std") : Vector();
  }

  ComputeOptions stoppable(ComputeOptions compute) {
    compute.stop = [this] { return caller_ != nullptr && caller_->raised(); };
    return compute;
  }

  /// Runs one call at a time, because a computation on demand uses the stop function of its call.
  template <class Work>
  void run(const Work& work) {
    Caller caller;
    caller.run([&] {
      const std::scoped_lock lock(one_at_a_time_);
      caller_ = &caller;
      try {
        work(caller);
      } catch (...) {
        caller_ = nullptr;
        throw;
      }
      caller_ = nullptr;
    });
  }

  std::shared_ptr<Model> model_;
  Caller* caller_ = nullptr;
  std::mutex one_at_a_time_;
  Posterior posterior_;
};

}  // namespace

void bind_posterior(nb::module_& module) {
  nb::class_<Predictor>(module, "Posterior", "The posterior of a model, conditioned on its training rows.")
      .def(nb::init<const std::shared_ptr<Model>&, const nb::dict&>(), nb::arg("model"), nb::arg("settings"))
      .def("predict", &Predictor::predict, nb::arg("x"), nb::arg("with_std"), nb::arg("latent") = false,
           nb::arg("variance") = "auto", nb::arg("noise") = nb::none(), nb::arg("z") = nb::list(),
           nb::arg("average") = false)
      .def("evaluate", &Predictor::evaluate, nb::arg("x"), nb::arg("y"), nb::arg("variance") = "auto",
           nb::arg("noise") = nb::none(), nb::arg("average") = false)
      .def("covariance", &Predictor::covariance, nb::arg("x"), nb::arg("latent") = false, nb::arg("noise") = nb::none())
      .def("sample", &Predictor::sample, nb::arg("x"), nb::arg("count"), nb::arg("seed"), nb::arg("latent") = false,
           nb::arg("noise") = nb::none())
      .def("components", &Predictor::components, nb::arg("x"), nb::arg("with_std"))
      .def("variance_method", &Predictor::variance_method, nb::arg("variance") = "auto")
      .def("interval_factor", &Predictor::interval_factor, nb::arg("probability"))
      .def("quantile_factor", &Predictor::quantile_factor, nb::arg("probability"))
      .def("conformal_factor", &Predictor::conformal_factor, nb::arg("probability"))
      .def_prop_ro("conformal_method", &Predictor::conformal_method)
      .def_prop_ro("jitter", &Predictor::jitter);
  module.def("require_variance_method", [](const std::string& text) { VarianceMethod::parse(text); });
}

}  // namespace gpcv::python
