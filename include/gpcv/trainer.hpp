/// Finding the hyper-parameters.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
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
  Folds folds = {};  ///< of the n rows; the likelihood has no use for them
};

/// How ADMM moves θ while z and λ stand still.
enum class ThetaStep { coordinate, gradient, adam, gauss_newton };
std::string_view name_of(ThetaStep step);

/// What a consensus round does in each fold: one sweep of ADMM, or Gauss–Newton on the hold-out error itself.
enum class InnerEngine { admm, gauss_newton };
std::string_view name_of(InnerEngine engine);

/// ADMM on  min ‖y_V − K_VT z‖²  subject to  C(θ) z = y_T,  with the augmented Lagrangian
/// L_ρ = ‖y_V − K_VT z‖² + λᵀ(Cz − y_T) + (ρ/2)‖Cz − y_T‖².  docs/math/admm.md
struct AdmmOptions {
  ThetaStep theta_step = ThetaStep::gauss_newton;
  bool raw_theta = false;       ///< moves θ itself instead of its logarithm
  bool published_stop = false;  ///< ends when ‖Δθ‖ < epsilon, whatever the residuals say
  double epsilon = 1e-3;        ///< of the relative constraint residual and of the relative gradient in log θ
  double rho = 10;              ///< penalty of the constraint
  bool balance_rho = true;  ///< changes ρ with the residuals: in [rho/10, 10 rho], with gauss-newton in [rho, 1000 rho]
  std::optional<double> rho_dual;     ///< step of the dual update; ρ when not given
  std::optional<double> lambda0;      ///< every component of λ⁰; when not given, the one that is stationary in z
  double perturbation = 0;            ///< z⁰ solves C(|θ⁰ + δ|) z = y_T with δ normal of this standard deviation
  double z_tolerance = 1e-10;         ///< least relative residual the z-step is asked for, that of C z in units of y
  double z_step_tolerance = 0;        ///< when positive, the z-step ends once ‖Δz‖ is no larger
  bool precondition = true;           ///< the z-step
  double coordinate_gradient = 1e-3;  ///< a coordinate is minimised until its derivative is no larger
  double armijo_start = 0.125, armijo_shrink = 0.5, armijo_slope = 0.5;
  bool trace_gap = false;  ///< records ‖z − C⁻¹y_T‖²; one more solve per iteration

  /// The values of the paper and of its authors' program.
  static AdmmOptions paper();
};

struct ConsensusOptions {
  InnerEngine inner = InnerEngine::gauss_newton;
  double rho = 1;         ///< penalty of θ_k − θ̄, in units of the mean curvature of the folds' errors
  double epsilon = 1e-3;  ///< of ‖θ_k − θ̄‖ and ‖Δθ̄‖ in log θ
};

struct TrainOptions {
  std::string trainer = "likelihood";
  int restarts = 3;          ///< starts in all: the given or default one, then random ones
  int max_iterations = 200;  ///< per start: evaluations of the likelihood, sweeps of ADMM, rounds of consensus
  bool scan_periods = true;  ///< looks for better periods near those given, or anywhere when none is, before the start
  double tolerance = 1e-9;   ///< relative decrease of the likelihood that ends a start
  double prior = 10;  ///< W of the weak prior W (f⁰/n) ‖q − q⁰‖² that cross-validation trainers add, q = log θ or, with
                      ///< raw_theta, θ
  AdmmOptions admm = {};
  ConsensusOptions consensus = {};
  std::uint64_t seed = 1;
  ComputeOptions compute = {};
};

/// The preset of the paper: AdmmOptions::paper(), 100 iterations, one start, no prior.
void use_paper_preset(TrainOptions& options);
/// The paper trains neither σ² nor σ_e²: variances and noise are held where they stand.
void hold_variances(Kernel& kernel, Noise& noise);

/// One row of the iteration table and of the trace.
struct IterationRecord {
  int restart = 0;
  int fold = 0;                  ///< of trainers that run fold by fold
  int iteration = 0;             ///< likelihood: counted over all starts; others: of this start and fold
  double objective = 0;          ///< negative log likelihood, or mean squared hold-out error
  double gradient_norm = 0;      ///< largest component with respect to log θ that the bounds allow to move
  double seconds = 0;            ///< since training began
  std::vector<double> theta;     ///< free kernel parameters, then the noise when it is free
  std::vector<double> measures;  ///< what else the trainer reports, named by measure_names()
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
  double objective = 0;  ///< the trainer's own; NaN when there is no θ worth keeping
  double jitter = 0;     ///< that the optimum needed
  int iterations = 0;
  std::vector<Optimum> optima;  ///< best first
  std::vector<IterationRecord> history;
  double seconds = 0;
};

/// Names of θ in the order of IterationRecord::theta.
std::vector<std::string> theta_names(const Kernel& kernel, const Noise& noise);

/// Names of IterationRecord::measures for the trainer in the options, the most telling first.
std::vector<std::string> measure_names(const TrainOptions& options);

/// Throws InputError for what train() would refuse, before anything is computed.
void require_trainable(const Problem& problem, const TrainOptions& options);

/// Trains with the trainer named in the options.
TrainResult train(const Problem& problem, const TrainOptions& options, const Observer& observer = {});

/// Trainers compiled into this build.
std::vector<std::string> trainer_names();
/// Whether a trainer learns from the folds; the likelihood does not.
bool uses_folds(std::string_view trainer);

}  // namespace gpcv
