/// Trainers, which estimate the hyper-parameters.
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

#include "gpcv/admm.hpp"
#include "gpcv/export.hpp"
#include "gpcv/folds.hpp"
#include "gpcv/kernel.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/solver.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

class Deadline;
class FoldPredictions;

/// Observation noise.
struct GPCV_EXPORT Noise {
  double variance = 0.1;  ///< variance in the units of the (standardised) target squared
  bool fixed = false;     ///< fixed by the user, so not trained
  bool given = false;     ///< given by the user; otherwise a trainer chooses the start
  double least = 1e-6;    ///< lower bound of a trained variance, relative to the mean square of the target

  /// Noise of the text "0.1" or "0.1:fixed".
  static Noise parse(const std::string& text);
  /// Text that parse() accepts.
  std::string to_string() const;
};

/// Training problem in standardised units.
struct Problem {
  Matrix x;          ///< inputs, n × d
  Vector y;          ///< targets, n values
  Kernel kernel;     ///< kernel bound to d columns
  Noise noise;       ///< observation noise
  Folds folds = {};  ///< folds of the n rows; the likelihood does not use them
  /// Several targets that share θ, n × t; empty for y alone. y then stands for all of them in the search for starts.
  Matrix targets = {};
  /// Column k: the combination of `targets` in place of y in fold k, t × folds; empty for y in every fold.
  Matrix fold_targets = {};
};

/// Start of training. `automatic` screens the inputs, follows the most promising values on a subset of the rows, and on
/// large tables refines them by the local score; `subset` is the maximum of the likelihood of a subset of the rows;
/// `local` is `automatic` with the local score at any size; `values` are those given (or derived from the spread of the
/// data); `median` takes length scales from the median distance of rows.
enum class Start { automatic, subset, local, values, median };
/// Name of a start, as in options.
GPCV_EXPORT std::string_view name_of(Start start);

/// Criterion of training: the loss of the held-out rows that is minimised. `squared` is the squared error; `crps` is
/// the continuous ranked probability score and `log` the logarithmic score of predictions whose variances are computed
/// at the current θ and calibrated, then kept while θ moves, and computed again.
enum class Criterion { crps, squared, log };
/// Name of a criterion, as in options.
GPCV_EXPORT std::string_view name_of(Criterion criterion);

/// Derivatives of the residuals. Forward sensitivities give all ∂r/∂θ for Gauss–Newton with K·p solves; the adjoint
/// gives the gradient for L-BFGS with K solves, but L-BFGS takes many more steps.
enum class Derivatives { automatic, forward, adjoint };
/// Name of a kind of derivatives, as in options.
GPCV_EXPORT std::string_view name_of(Derivatives derivatives);

/// Options of trainer gauss-newton.
struct GaussNewtonOptions {
  Criterion criterion = Criterion::crps;             ///< loss of the held-out rows
  Derivatives derivatives = Derivatives::automatic;  ///< kind of derivatives
  double tolerance = 1e-4;         ///< training stops when the predicted relative decrease of the error is smaller
  double nested_tolerance = 1e-3;  ///< tolerance after training on subsets of the rows
  double least_noise = 1e-10;      ///< Noise::least where a device factorises all rows, without iterations
  Index nested_from = 20000;       ///< number of rows from which training starts on subsets of n/16 and n/4 rows
  /// Validated rows of the folds that most steps of an iterative training evaluate; 0: every step evaluates all folds.
  Index sample_rows = 2000;
  double sensitivity_residual = 0.03;  ///< relative residual of the solves for ∂z/∂θ
};

/// Optimum that one start reached.
struct Optimum {
  int restart = 0;                  ///< number of the start
  Status status = Status::not_run;  ///< status at its end
  double objective = 0;             ///< objective; not finite when the start failed
  Vector log_theta;  ///< log θ of the free kernel parameters, then of the noise if it is free; empty when it failed

  /// Whether the start reached an optimum.
  bool reached() const { return std::isfinite(objective); }
};
/// Kernel with the values of the optimum; fixed parameters keep their values. Throws InputError when the optimum
/// belongs to another kernel.
GPCV_EXPORT Kernel kernel_of(const Optimum& optimum, const Kernel& kernel);
/// Noise variance of the optimum; `held` when the noise was fixed.
GPCV_EXPORT double noise_of(const Optimum& optimum, const Kernel& kernel, double held);

/// Record of one iteration: a row of the iteration table and of the trace.
struct IterationRecord {
  int restart = 0;               ///< number of the start
  int fold = 0;                  ///< number of the fold, for trainers that work fold by fold
  int iteration = 0;             ///< number of the iteration: of all starts (likelihood), or of this start and fold
  double objective = 0;          ///< negative log likelihood, or mean squared hold-out error
  double gradient_norm = 0;      ///< largest component of the projected gradient with respect to log θ
  double seconds = 0;            ///< time since training began
  std::vector<double> theta;     ///< free kernel parameters, then the noise if it is free
  std::vector<double> measures;  ///< further measures of the trainer, named by measure_names()
};

/// State from which a training continues; it is written by save_checkpoint() and read by load_checkpoint().
struct TrainingState;

/// Options of training: the trainer, its start and its stopping criteria.
struct TrainOptions {
  std::string trainer = "gauss-newton";  ///< name of the trainer
  int restarts = 3;                      ///< number of starts: the given or default one, then random ones
  /// Largest number, per start, of Gauss–Newton steps, likelihood evaluations, ADMM sweeps or consensus rounds.
  int max_iterations = 200;
  bool scan_periods = true;  ///< searches for better periods before the start, near those given or everywhere
  double tolerance = 1e-9;   ///< relative decrease of the likelihood below which a start stops
  /// Weight W of the weak prior W (f⁰/n) ‖q − q⁰‖² that cross-validation trainers add; q is log θ, or θ with raw_theta.
  /// It is equivalent to W held-out observations.
  double prior = 10;
  std::vector<Vector> known_starts = {};  ///< log θ of the first of the starts that Start::automatic follows
  double log_prior = 0;  ///< deviation of a normal prior of log θ around the start, for the likelihood; 0 for none
  std::optional<Start> start = std::nullopt;  ///< start; by default automatic for gauss-newton, values for the others
  /// Seconds after which train() returns the best point; fit() ends with a model after so many. 0 for no limit.
  double time_limit = 0;
  std::shared_ptr<Deadline> deadline = {};                    ///< end of the fit that trains; set by fit()
  GaussNewtonOptions gauss_newton = {};                       ///< options of trainer gauss-newton
  AdmmOptions admm = {};                                      ///< options of the ADMM trainers
  ConsensusOptions consensus = {};                            ///< options of trainer consensus
  std::uint64_t seed = 1;                                     ///< seed of random numbers
  ComputeOptions compute = {};                                ///< options of the computation
  std::function<void(const TrainingState&)> checkpoint = {};  ///< called at each accepted step where supported
  std::shared_ptr<const TrainingState> resume = {};           ///< state from which training continues
};

/// Applies the values of the paper: AdmmOptions::paper(), consensus by a scalar penalty, 100 iterations, one start, no
/// prior.
GPCV_EXPORT void use_paper_preset(TrainOptions& options);
/// Fixes the variances at their values, because the paper does not train σ².
GPCV_EXPORT void hold_variances(Kernel& kernel);

/// Function called after each evaluation; when it returns false, training stops and keeps the best point.
using Observer = std::function<bool(const IterationRecord&)>;

/// Cost of a training. A pass evaluates all pairs of the n rows; a pass over m of them counts (m/n)².
struct Work {
  double kernel_passes = 0;    ///< number of passes
  double column_passes = 0;    ///< number of passes with K·(p + 1) columns, all folds and sensitivities together
  double pairs = 0;            ///< number of pairs evaluated in products
  double product_seconds = 0;  ///< time of kernel products
  double preconditioner_seconds = 0;  ///< time of building preconditioners
  long cg_iterations = 0;             ///< number of iterations of conjugate gradients
  bool returned_to_host = false;      ///< solves moved to the host because the device ran out of memory
  double residual = 0;  ///< largest ‖y − C z‖ / ‖y‖ of the folds' final weights, in double; 0 where factorised

  /// Pairs per second of product time; 0 when there were no products.
  double pairs_per_second() const { return product_seconds > 0 ? pairs / product_seconds : 0; }
};

/// Result of training: the hyper-parameters and a record of the optimisation.
struct TrainResult {
  Status status = Status::not_run;       ///< outcome
  std::string message;                   ///< outcome in words
  Kernel kernel;                         ///< kernel with the trained values
  double noise = 0;                      ///< trained noise variance
  double objective = 0;                  ///< objective of the trainer; NaN when every start failed
  double jitter = 0;                     ///< jitter of the factorisation at the optimum
  int iterations = 0;                    ///< number of iterations
  std::vector<Optimum> optima;           ///< optima of all starts, best first
  std::vector<IterationRecord> history;  ///< records of all iterations
  double seconds = 0;                    ///< time of training
  bool free_scale = false;               ///< a common factor of all variances and the noise remains to be chosen
  std::vector<std::pair<std::string, double>> standard_errors;  ///< standard errors of log θ by name; may be empty
  double effective_parameters = 0;  ///< number of parameters that the folds have chosen, beyond the prior; 0 if unknown
  Vector weights;                   ///< C⁻¹y of all rows, or an approximation; empty when not computed
  double weights_residual = std::numeric_limits<double>::infinity();  ///< upper bound of ‖y − C weights‖ / ‖y‖
  /// Hold-out residual of each row, verified unless the training was stopped; empty when not computed.
  Vector cv_residuals;
  std::shared_ptr<FoldPredictions> evaluator;  ///< folds at the optimum, which fit() continues to use; may be null
  Work work;                                   ///< cost of training
  std::string plan;                            ///< solver and derivatives in words, with the reason of the choice
};

/// Names of θ in the order of IterationRecord::theta.
GPCV_EXPORT std::vector<std::string> theta_names(const Kernel& kernel, const Noise& noise);

/// Names of IterationRecord::measures for the trainer in the options, the most informative first.
GPCV_EXPORT std::vector<std::string> measure_names(const TrainOptions& options);

/// Throws InputError for a problem that train() would refuse, before anything is computed.
GPCV_EXPORT void require_trainable(const Problem& problem, const TrainOptions& options);

/// Trains with the trainer named in the options.
GPCV_EXPORT TrainResult train(const Problem& problem, const TrainOptions& options, const Observer& observer = {});

/// Properties of a trainer.
struct TrainerInfo {
  std::string_view name;       ///< name of the trainer
  bool uses_folds = true;      ///< minimises the error of the folds; the likelihood does not use them
  bool one_fold = false;       ///< validates on one hold-out split only
  bool pools_folds = false;    ///< an IterationRecord describes all folds together
  bool shares_theta = false;   ///< the folds' copies of θ must agree
  bool can_checkpoint = true;  ///< calls TrainOptions::checkpoint and continues from TrainOptions::resume
};
/// Properties of the trainer with this name. Throws InputError, which lists the names, for an unknown trainer.
GPCV_EXPORT const TrainerInfo& trainer_info(std::string_view trainer);

/// Names of the trainers, the default first.
GPCV_EXPORT std::vector<std::string> trainer_names();
/// Whether a trainer uses the folds. An unknown trainer, of a model that a newer program wrote, is assumed to do so.
GPCV_EXPORT bool uses_folds(std::string_view trainer);

}  // namespace gpcv
