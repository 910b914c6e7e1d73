/// Finding the hyper-parameters.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
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

class FoldEvaluator;

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

/// Where training begins: at the maximum of the likelihood of a part of the rows, at the values given (or derived from
/// the data's spread), or at length scales from the median distance of rows.
enum class Start { subset, values, median };
std::string_view name_of(Start start);

/// Gauss–Newton needs all ∂r/∂θ, K·p solves; L-BFGS the gradient alone, K solves by the adjoint, but many more steps.
enum class Derivatives { automatic, forward, adjoint };
std::string_view name_of(Derivatives derivatives);

struct GaussNewtonOptions {
  Derivatives derivatives = Derivatives::automatic;
  double tolerance = 1e-4;             ///< promised relative decrease of the error that ends it
  double nested_tolerance = 1e-3;      ///< the same where parts of the rows were trained on first
  Index nested_from = 20000;           ///< rows from which on n/16 and n/4 of them are trained on first
  double sensitivity_residual = 0.03;  ///< relative, of the solves for ∂z/∂θ
};

/// Where one start ended.
struct Optimum {
  int restart = 0;
  Status status = Status::not_run;
  double objective = 0;  ///< not finite when the start failed
  Vector log_theta;  ///< log θ of the free kernel parameters, then of the noise when it is free; empty when it failed

  bool reached() const { return std::isfinite(objective); }
};
/// The kernel with the optimum's values; what is held keeps the kernel's own. Throws InputError for another kernel's.
Kernel kernel_of(const Optimum& optimum, const Kernel& kernel);
/// The optimum's noise variance; `held` where the noise was not trained.
double noise_of(const Optimum& optimum, const Kernel& kernel, double held);

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

/// All that a training needs to go on where it was: written by save_checkpoint(), read by load_checkpoint().
struct TrainingState;

struct TrainOptions {
  std::string trainer = "gauss-newton";
  int restarts = 3;  ///< starts in all: the given or default one, then random ones
  int max_iterations =
      200;  ///< per start: steps of Gauss–Newton, evaluations of the likelihood, sweeps of ADMM, rounds of consensus
  bool scan_periods = true;  ///< looks for better periods near those given, or anywhere when none is, before the start
  double tolerance = 1e-9;   ///< relative decrease of the likelihood that ends a start
  double prior = 10;  ///< W of the weak prior W (f⁰/n) ‖q − q⁰‖² that cross-validation trainers add, q = log θ or, with
                      ///< raw_theta, θ
  std::optional<Start> start = std::nullopt;  ///< default: subset for gauss-newton, values for the others
  double time_limit = 0;                      ///< seconds after which the best so far is returned; 0: none
  GaussNewtonOptions gauss_newton = {};
  AdmmOptions admm = {};
  ConsensusOptions consensus = {};
  std::uint64_t seed = 1;
  ComputeOptions compute = {};
  std::function<void(const TrainingState&)> checkpoint = {};  ///< called at each accepted step by trainers that can
  std::shared_ptr<const TrainingState> resume = {};           ///< goes on from here
};

/// The preset of the paper: AdmmOptions::paper(), 100 iterations, one start, no prior.
void use_paper_preset(TrainOptions& options);
/// The paper trains neither σ² nor σ_e²: variances and noise are held where they stand.
void hold_variances(Kernel& kernel, Noise& noise);

/// Called after each evaluation; false stops the training and keeps the best so far.
using Observer = std::function<bool(const IterationRecord&)>;

/// What a training cost. A pass evaluates all pairs of the n rows; one on m of them counts (m/n)².
struct Work {
  double kernel_passes = 0;
  double column_passes = 0;  ///< in passes of K·(p + 1) columns, all folds and sensitivities together
  double pairs = 0;          ///< evaluated in products
  double product_seconds = 0;
  double preconditioner_seconds = 0;
  long cg_iterations = 0;
  bool returned_to_host = false;  ///< a device had no memory left for solves, whose vectors the host took over
  double residual = 0;  ///< ‖y − C z‖ / ‖y‖ of the final weights, worst fold, recomputed in double; 0 where factorised

  double pairs_per_second() const { return product_seconds > 0 ? pairs / product_seconds : 0; }
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
  bool free_scale = false;  ///< a common factor of all variances and the noise is still to be chosen
  std::vector<std::pair<std::string, double>> standard_errors;  ///< of log θ, by name; empty when not known
  Vector weights;  ///< C⁻¹y of all rows, or near it; empty when not known
  double weights_residual = std::numeric_limits<double>::infinity();  ///< at least ‖y − C weights‖ / ‖y‖
  Vector cv_residuals;                       ///< hold-out residual of each row, verified; empty when not known
  std::shared_ptr<FoldEvaluator> evaluator;  ///< the folds at the optimum, for fit() to go on with; null when not kept
  Work work;
  std::string plan;  ///< in words: which solver and derivatives, and why
};

/// Names of θ in the order of IterationRecord::theta.
std::vector<std::string> theta_names(const Kernel& kernel, const Noise& noise);

/// Names of IterationRecord::measures for the trainer in the options, the most telling first.
std::vector<std::string> measure_names(const TrainOptions& options);

/// Throws InputError for what train() would refuse, before anything is computed.
void require_trainable(const Problem& problem, const TrainOptions& options);

/// Trains with the trainer named in the options.
TrainResult train(const Problem& problem, const TrainOptions& options, const Observer& observer = {});

/// What a caller may want to know of a trainer.
struct TrainerInfo {
  std::string_view name;
  bool uses_folds = true;      ///< learns from the folds; the likelihood does not
  bool one_fold = false;       ///< validates on one hold-out split only
  bool pools_folds = false;    ///< an IterationRecord is of all folds together
  bool can_checkpoint = true;  ///< calls TrainOptions::checkpoint and goes on from TrainOptions::resume
};
/// Throws InputError, with the names there are, for an unknown trainer.
const TrainerInfo& trainer_info(std::string_view trainer);

/// Names of the trainers, the default first.
std::vector<std::string> trainer_names();
/// Whether a trainer learns from the folds. An unknown one, of a model that a newer program wrote, is taken to do so.
bool uses_folds(std::string_view trainer);

}  // namespace gpcv
