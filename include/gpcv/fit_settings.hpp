/// Settings of a fit as texts and numbers with names, shared by the packages for Python and R.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/export.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/trainer_settings.hpp"

namespace gpcv {

/// Settings of the computation. A setting that is not given keeps its default.
struct GPCV_EXPORT ComputeSettings {
  int threads = 1;                         ///< number of threads
  std::string backend = "auto";            ///< name of the backend
  std::string precision = "auto";          ///< name of the precision
  std::string solver = "auto";             ///< name of the solver
  std::optional<int> rank = {};            ///< rank of the preconditioner
  std::optional<std::string> memory = {};  ///< memory budget, such as "2G"

  /// Calls visit(name, field) for each setting.
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("threads", self.threads);
    visit("backend", self.backend);
    visit("precision", self.precision);
    visit("solver", self.solver);
    visit("rank", self.rank);
    visit("memory", self.memory);
  }

  /// Options of the computation. Throws InputError for a value that does not exist, or a device that is not there.
  ComputeOptions options() const;
};

/// Settings of a fit, without folds and callbacks. A setting that is not given keeps its default.
struct GPCV_EXPORT FitSettings {
  std::string kernel = "auto";            ///< text of the kernel
  std::vector<std::string> candidates;    ///< names of the kernels to choose from
  std::string assess = "auto";            ///< name of the assessment
  std::optional<std::string> noise;       ///< text of the noise
  std::string mean = "zero";              ///< name of the mean function
  std::string transform = "none";         ///< text of the transform
  std::optional<bool> standardize;        ///< standardises inputs and target
  bool robust = false;                    ///< gives rows that contradict the model little weight
  double calibration = 0;                 ///< fraction of the rows reserved for conformal intervals
  std::optional<std::string> checkpoint;  ///< file to which each accepted step is saved
  bool resume = false;                    ///< continues from the checkpoint
  std::uint64_t seed = 1;                 ///< seed of random numbers
  std::optional<double> time_limit;       ///< seconds after which the fit ends
  bool period_scan = true;                ///< searches for periods before the start
  TrainerSettings trainer;                ///< settings of the trainer
  ComputeSettings compute;                ///< settings of the computation

  /// Calls visit(name, field) for each setting, those of trainer and computation among them.
  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor&& visit) {
    visit("kernel", self.kernel);
    visit("candidates", self.candidates);
    visit("assess", self.assess);
    visit("noise", self.noise);
    visit("mean", self.mean);
    visit("transform", self.transform);
    visit("standardize", self.standardize);
    visit("robust", self.robust);
    visit("calibration", self.calibration);
    visit("checkpoint", self.checkpoint);
    visit("resume", self.resume);
    visit("seed", self.seed);
    visit("time_limit", self.time_limit);
    visit("period_scan", self.period_scan);
    visit("trainer", self.trainer.trainer);
    visit("restarts", self.trainer.restarts);
    visit("max_iterations", self.trainer.max_iterations);
    visit("start", self.trainer.start);
    TrainerSettings::visit_fields(self.trainer, visit);
    ComputeSettings::visit_fields(self.compute, visit);
  }

  /// Options of the fit. Throws InputError for a value that does not exist, or settings that exclude each other.
  FitOptions options() const;
};

}  // namespace gpcv
