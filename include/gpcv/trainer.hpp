/// Finding the hyper-parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpcv/folds.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/solver.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Variance of the observation noise, in the units of the (standardised) target squared.
struct Noise {
  double variance = 0.1;
  bool fixed = false;
  bool given = false;  ///< stated by the user; otherwise a trainer chooses the start

  /// "0.1" or "0.1:fixed".
  static Noise parse(const std::string& text);
  std::string to_string() const;
};

/// What is to be trained, in standardised units.
struct Problem {
  Matrix x;       ///< n × d
  Vector y;       ///< n
  Kernel kernel;  ///< bound to d columns
  Noise noise;
};

struct TrainOptions {
  std::string trainer = "likelihood";
  int restarts = 3;          ///< starts in all: the given or default one, then random ones
  int max_iterations = 200;  ///< objective evaluations per start
  double tolerance = 1e-9;   ///< relative decrease of the objective that ends a start
  std::uint64_t seed = 1;
  ComputeOptions compute = {};
};

/// One row of the iteration table and of the trace.
struct IterationRecord {
  int restart = 0;
  int iteration = 0;  ///< counted over all starts
  double objective = 0;
  double gradient_norm = 0;   ///< largest component with respect to log θ that the bounds allow to move
  double seconds = 0;         ///< since training began
  std::vector<double> theta;  ///< free kernel parameters, then the noise when it is free
};

/// Called after each evaluation; false stops the training and keeps the best so far.
using Observer = std::function<bool(const IterationRecord&)>;

/// Where one start ended.
struct Optimum {
  int restart = 0;
  Status status = Status::not_run;
  double objective = 0;
  std::string kernel;
  double noise = 0;
};

struct TrainResult {
  Status status = Status::not_run;
  std::string message;
  Kernel kernel;  ///< with the trained values
  double noise = 0;
  double objective = 0;  ///< the trainer's own
  double jitter = 0;     ///< that the optimum needed
  int iterations = 0;
  std::vector<Optimum> optima;  ///< best first
  std::vector<IterationRecord> history;
  double seconds = 0;
};

/// Names of θ in the order of IterationRecord::theta.
std::vector<std::string> theta_names(const Kernel& kernel, const Noise& noise);

/// Trains with the trainer named in the options.
TrainResult train(const Problem& problem, const TrainOptions& options, const Observer& observer = {});

/// Trainers compiled into this build.
std::vector<std::string> trainer_names();

}  // namespace gpcv
