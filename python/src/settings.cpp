#include "settings.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <omp.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/named.hpp"
#include "gpcv/trainer_settings.hpp"

namespace gpcv::python {

namespace nb = nanobind;

namespace {

/// Reader of settings that are present and not None. It records the names it was asked for.
class Reader {
 public:
  explicit Reader(const nb::dict& settings) : settings_(settings) {}

  template <class Value>
  void read(const char* name, Value& value) {
    known_.insert(name);
    if (!settings_.contains(name) || settings_[name].is_none()) return;
    if (!nb::try_cast(settings_[name], value)) refuse(name);
  }
  template <class Value>
  void read(const char* name, std::optional<Value>& value) {
    Value found{};
    known_.insert(name);
    if (!settings_.contains(name) || settings_[name].is_none()) return;
    if (!nb::try_cast(settings_[name], found)) refuse(name);
    value = found;
  }
  /// One number stands for a list of one.
  void read(const char* name, std::optional<std::vector<double>>& values) {
    known_.insert(name);
    if (!settings_.contains(name) || settings_[name].is_none()) return;
    if (double one = 0; nb::try_cast(settings_[name], one)) {
      values = std::vector<double>{one};
    } else if (std::vector<double> found; nb::try_cast(settings_[name], found)) {
      values = std::move(found);
    } else {
      refuse(name);
    }
  }
  void finish() const {
    for (const auto& [key, value] : settings_) {
      const auto name = nb::cast<std::string>(key);
      if (!known_.contains(name)) throw InputError(fmt::format("unknown setting '{}'", name));
    }
  }

 private:
  [[noreturn]] void refuse(const char* name) const {
    throw InputError(fmt::format("{} cannot be {}", name, nb::cast<std::string>(nb::str(nb::repr(settings_[name])))));
  }

  const nb::dict& settings_;
  std::set<std::string, std::less<>> known_;
};

void read_compute(Reader& reader, ComputeOptions& compute) {
  compute.threads = default_threads();
  std::string precision = "auto", solver = "auto", memory;
  reader.read("threads", compute.threads);
  reader.read("backend", compute.backend);
  reader.read("precision", precision);
  reader.read("solver", solver);
  std::optional<int> rank;
  reader.read("rank", rank);
  reader.read("memory", memory);
  if (compute.threads < 1) throw InputError(fmt::format("the number of threads cannot be {}", compute.threads));
  if (rank.value_or(0) < 0)
    throw InputError(fmt::format("rank cannot be {}: expected a whole number, at least 0", *rank));
  compute.rank = rank.value_or(compute.rank);
  compute.precision =
      choice_named(precision, {Precision::automatic, Precision::double_, Precision::mixed, Precision::single});
  compute.solver = choice_named(solver, {Solver::automatic, Solver::cg, Solver::cholesky});
  if (!memory.empty()) compute.memory = parse_memory(memory);
  resolve_backend(compute.backend);
}

}  // namespace

int default_threads() {
  return std::max(1, std::min({available_threads(), omp_get_max_threads(), omp_get_thread_limit()}));
}

ComputeOptions compute_options(const nb::dict& settings) {
  Reader reader(settings);
  ComputeOptions compute;
  read_compute(reader, compute);
  reader.finish();
  return compute;
}

FitOptions fit_options(const nb::dict& settings) {
  Reader reader(settings);
  FitOptions options;
  TrainerSettings trainer;
  std::string kernel = "auto", assess = "auto", noise, mean = "zero", transform = "none", checkpoint;
  reader.read("kernel", kernel);
  reader.read("candidates", options.candidates);
  reader.read("assess", assess);
  reader.read("noise", noise);
  reader.read("mean", mean);
  reader.read("transform", transform);
  std::optional<bool> standardize;
  reader.read("standardize", standardize);
  reader.read("robust", options.robust);
  reader.read("calibration", options.calibration);
  reader.read("checkpoint", checkpoint);
  reader.read("resume", options.resume);
  reader.read("seed", options.train.seed);
  reader.read("trainer", trainer.trainer);
  reader.read("restarts", trainer.restarts);
  reader.read("max_iterations", trainer.max_iterations);
  reader.read("start", trainer.start);
  std::optional<double> time_limit;
  reader.read("time_limit", time_limit);
  TrainerSettings::visit_fields(trainer, [&](const char* name, auto& field) { reader.read(name, field); });
  bool period_scan = true;
  reader.read("period_scan", period_scan);
  trainer.no_period_scan = !period_scan;
  read_compute(reader, options.train.compute);
  reader.finish();

  if (time_limit && !(*time_limit > 0)) {
    throw InputError(fmt::format("time_limit cannot be {}: expected a positive number of seconds", *time_limit));
  }
  trainer.time_limit = time_limit.value_or(0);
  options.train.trainer = trainer.trainer;
  options.use_kernel(kernel);
  options.assess = choice_named(assess, {Assess::automatic, Assess::nested, Assess::inner});
  if (!options.candidates.empty() && !options.choose_kernel) {
    throw InputError("candidates restrict the choice of a kernel: use them with kernel=\"auto\"");
  }
  if (!noise.empty()) options.use_noise(noise);
  options.mean = choice_named(mean, {Mean::zero, Mean::constant, Mean::linear});
  options.transform = TransformOptions::parse(transform);
  if (!(options.calibration >= 0 && options.calibration < 1)) {
    throw InputError(fmt::format("expected a number between 0 and 1, not '{}'", options.calibration));
  }
  options.checkpoint = checkpoint;
  trainer.apply(options);
  if (standardize) options.standardize = *standardize;
  return options;
}

}  // namespace gpcv::python
