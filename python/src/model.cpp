/// Trained models and their files.
#include "gpcv/model.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "caller.hpp"
#include "findings.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/effects.hpp"
#include "gpcv/model_bytes.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/report.hpp"
#include "gpcv/targets.hpp"
#include "settings.hpp"

namespace gpcv::python {
namespace {

template <class Pairs>
nb::dict to_dict(const Pairs& pairs) {
  nb::dict out;
  for (const auto& [name, value] : pairs) out[name.c_str()] = value;
  return out;
}

/// Choice of the kernel, best first.
nb::list kernels_of(const Model& model) {
  nb::list out;
  for (const RankedKernel& k : model.provenance.kernels) {
    nb::dict one;
    one["name"] = k.name;
    one["kernel"] = k.kernel;
    one["parameters"] = k.parameters;
    one["rounds"] = k.rounds;
    one["loss"] = k.loss;
    one["behind"] = k.behind;
    one["behind_error"] = k.behind_error;
    one["chosen"] = k.chosen;
    out.append(one);
  }
  return out;
}

/// What held-out predictions lose without each input, the most important first.
nb::list importance_of(const Model& model) {
  nb::list out;
  const Importance& importance = model.provenance.importance;
  for (const InputImportance& input : importance.inputs) {
    nb::dict one;
    one["name"] = input.name;
    one["increase"] = input.increase;
    one["standard_error"] = input.standard_error;
    one["relative"] = input.increase / importance.rmse;
    out.append(one);
  }
  return out;
}

/// Choice of the transform, best first.
nb::list transforms_of(const Model& model) {
  nb::list out;
  for (const RankedTransform& t : model.provenance.transforms) {
    nb::dict one;
    one["transform"] = t.transform;
    one["rounds"] = t.rounds;
    one["loss"] = t.loss;
    one["behind"] = t.behind;
    one["behind_error"] = t.behind_error;
    one["chosen"] = t.chosen;
    out.append(one);
  }
  return out;
}

/// Comparison of learned with constant noise; empty where the noise was not to be learned.
nb::dict noise_model_of(const Model& model) {
  nb::dict out;
  const NoiseChoice& choice = model.provenance.noise_choice;
  if (choice.asked.empty()) return out;
  nb::list inputs;
  for (const Index c : model.noise_process.inputs()) inputs.append(model.columns.features[static_cast<std::size_t>(c)]);
  const NoiseRange range = noise_range(model);
  out["asked"] = choice.asked;
  out["learned"] = choice.learned;
  out["rounds"] = choice.rounds;
  out["gain"] = choice.gain;
  out["gain_error"] = choice.gain_error;
  out["inputs"] = inputs;
  out["low"] = range.low;
  out["high"] = range.high;
  return out;
}

nb::list optima_of(const Model& model) {
  nb::list out;
  for (const Optimum& o : model.provenance.optima) {
    nb::dict one;
    one["restart"] = o.restart;
    one["status"] = std::string(name_of(o.status));
    one["objective"] = o.objective;
    one["kernel"] = o.reached() ? kernel_of(o, model.kernel).to_string() : "";
    one["noise"] = o.reached() ? noise_of(o, model.kernel, model.noise) : 0;
    out.append(one);
  }
  return out;
}

/// Scores of the held-out rows that have a variance; empty when none has.
nb::dict held_out_scores(const Model& model) {
  nb::dict out;
  const HeldOutRows held = held_out_rows(model);
  if (held.rows.empty()) return out;
  const Metrics m = evaluate(held.prediction, held.y);
  out["nlpd"] = m.nlpd;
  out["crps"] = m.crps;
  out["coverage50"] = m.coverage50;
  out["coverage80"] = m.coverage80;
  out["coverage95"] = m.coverage95;
  const std::vector<CalibrationPoint> curve = calibration_curve(held.prediction, held.y);
  Vector promised(static_cast<Index>(curve.size())), covered(promised.size());
  for (std::size_t i = 0; i < curve.size(); ++i) {
    promised(static_cast<Index>(i)) = curve[i].promised;
    covered(static_cast<Index>(i)) = curve[i].covered;
  }
  out["promised"] = to_numpy(promised);
  out["covered"] = to_numpy(covered);
  return out;
}

/// Report of the model, and of its predictions of test rows where these are given.
void write_report(const Model& model, const std::filesystem::path& path, const nb::dict& settings,
                  const std::optional<Array2>& x, const std::optional<Array1>& y, const std::optional<Array1>& noise) {
  ComputeOptions compute = compute_options(settings);
  require_writable(path.string(), {});
  Dataset test;
  if (x && y) {
    test.x = view(*x);
    test.y = view(*y);
    test.columns = model.columns;
    if (noise) test.noise = per_row(*noise, test.x.rows(), "noise_std");
  }
  Caller caller;
  compute.stop = [&] { return caller.raised(); };
  caller.run([&] {
    const Diagnostics seen = diagnostics_of(model, compute, x && y ? &test : nullptr);
    write_text_atomically(path, html_report(model, seen, {}));
  });
}

std::vector<std::shared_ptr<Model>> load_shared(const std::filesystem::path& path) {
  std::vector<std::shared_ptr<Model>> models;
  for (Model& model : load_models(path)) models.push_back(std::make_shared<Model>(std::move(model)));
  return models;
}

void save_shared(const std::vector<std::shared_ptr<Model>>& models, const std::filesystem::path& path) {
  std::vector<Model> copies;
  for (const std::shared_ptr<Model>& model : models) copies.push_back(*model);
  save(copies, path);
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A trained Gaussian process, with the contents of its file.")
      .def("__getstate__",
           [](const Model& model) {
             const std::string content = bytes_of(model);
             return nb::bytes(content.data(), content.size());
           })
      .def("__setstate__",
           [](Model& model, const nb::bytes& content) {
             new (&model) Model(model_of(std::string(content.c_str(), content.size())));
           })
      .def(
          "save", [](const Model& model, const std::filesystem::path& path) { save(model, path); }, nb::arg("path"))
      .def("report", &write_report, nb::arg("path"), nb::arg("settings"), nb::arg("x") = nb::none(),
           nb::arg("y") = nb::none(), nb::arg("noise") = nb::none())
      .def(
          "held_out_at", [](const Model& m, double z) { return to_numpy(held_out_prediction(m).at(z)); }, nb::arg("z"))
      .def_prop_ro("kernel", [](const Model& m) { return m.kernel; })
      .def_prop_ro("noise", [](const Model& m) { return m.noise; })
      .def_prop_ro("noise_std", [](const Model& m) { return noise_std(m); })
      .def_prop_ro("noise_model", &noise_model_of)
      .def_prop_ro("rows", [](const Model& m) { return m.y.size(); })
      .def_prop_ro("features", [](const Model& m) { return m.columns.features; })
      .def_prop_ro("positions", [](const Model& m) { return m.columns.feature_indices; })
      .def_prop_ro("findings", &model_findings)
      .def_prop_ro("noise_is_weight", [](const Model& m) { return m.columns.noise_is_weight; })
      .def_prop_ro("levels", [](const Model& m) { return m.columns.levels; })
      .def_prop_ro("target", [](const Model& m) { return m.columns.target; })
      .def_prop_ro("named", [](const Model& m) { return m.columns.has_header; })
      .def_prop_ro("own_noise", [](const Model& m) { return m.columns.noise; })
      .def_prop_ro(
          "row_weights", [](const Model& m) { return to_numpy(m.provenance.trust.weights); }, nb::rv_policy::automatic)
      .def_prop_ro("trainer", [](const Model& m) { return m.provenance.trainer; })
      .def_prop_ro("status", [](const Model& m) { return std::string(name_of(m.provenance.status)); })
      .def_prop_ro("message", [](const Model& m) { return m.provenance.message; })
      .def_prop_ro("objective", [](const Model& m) { return m.provenance.objective; })
      .def_prop_ro("cv_rmse", [](const Model& m) { return m.provenance.cv_rmse; })
      .def_prop_ro("folds", [](const Model& m) { return m.provenance.folds; })
      .def_prop_ro("fold_of_row", [](const Model& m) { return m.provenance.fold_of_row; })
      .def_prop_ro("dates", [](const Model& m) { return m.columns.dates; })
      .def_prop_ro("assessment", [](const Model& m) { return m.provenance.assessment; })
      .def_prop_ro("inner_rmse", [](const Model& m) { return m.provenance.inner_rmse; })
      .def_prop_ro("optimism", [](const Model& m) { return m.provenance.optimism; })
      .def_prop_ro("target_deviation", [](const Model& m) { return target_deviation(m); })
      .def_prop_ro("kernels", &kernels_of)
      .def_prop_ro("importance", &importance_of)
      .def_prop_ro("transform", [](const Model& m) { return m.transform.to_string(); })
      .def_prop_ro("transforms", &transforms_of)
      .def_prop_ro("degrees", [](const Model& m) { return m.error_scale.degrees; })
      .def_prop_ro("iterations", [](const Model& m) { return m.provenance.iterations; })
      .def_prop_ro("seed", [](const Model& m) { return m.provenance.seed; })
      .def_prop_ro("settings", [](const Model& m) { return to_dict(m.provenance.settings); })
      .def_prop_ro("standard_errors", [](const Model& m) { return to_dict(m.provenance.standard_errors); })
      .def_prop_ro("optima", &optima_of)
      .def_prop_ro("calibration_rows", [](const Model& m) { return m.conformal.scores.size(); })
      .def_prop_ro(
          "inputs", [](const Model& m) { return to_numpy(training_inputs(m)); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "targets", [](const Model& m) { return to_numpy(training_targets(m)); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "held_out_mean", [](const Model& m) { return to_numpy(held_out_prediction(m).mean); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "held_out_std", [](const Model& m) { return to_numpy(Vector(held_out_prediction(m).variance.cwiseSqrt())); },
          nb::rv_policy::automatic)
      .def_prop_ro("held_out_scores", &held_out_scores)
      .def_prop_ro("trace_names", [](const Model& m) { return m.provenance.trace_names; })
      .def_prop_ro(
          "trace", [](const Model& m) { return to_numpy(m.provenance.trace); }, nb::rv_policy::automatic);
  module.def("load_models", &load_shared, nb::arg("path"));
  module.def("save_models", &save_shared, nb::arg("models"), nb::arg("path"));
  module.def("path_of_target", &path_of_target, nb::arg("path"), nb::arg("names"), nb::arg("target"));
}

}  // namespace gpcv::python
