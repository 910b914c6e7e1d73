/// Cross-validation at θ: what trainers, verification, calibration and `cv` ask of the folds.
#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "evaluation/normal_equations.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/trainer.hpp"
#include "planning/execution_plan.hpp"
#include "solvers/conjugate_gradients.hpp"

namespace gpcv {

/// C⁻¹y of all rows, one column per target, with a bound of ‖y − C values‖ / ‖y‖.
struct AllRowWeights {
  Matrix values;
  double residual = std::numeric_limits<double>::infinity();

  /// Those of one target; empty where there are none.
  Vector of(Index target) const { return target < values.cols() ? Vector(values.col(target)) : Vector(); }
};

/// The mean of the folds' weights over the folds that train on a row: a guess of C⁻¹y.   weights: n × folds
Vector mean_of_folds(const Matrix& weights, const Folds& folds);

/// The loss Σ_i φ_i(r_i) of the held-out rows to second order, halved: its slopes g and weights W. A member that is
/// empty stands for squares, φ_i = r_i²: g = r and W = I.
struct RowLoss {
  Vector slope;   ///< ½ φ_i'(r_i), stacked by fold like the residuals
  Vector weight;  ///< positive, ½ φ_i''(r_i) or a bound of it
};

/// What the folds predict at the accepted point θ: r_k = y_V − K_VT C_T⁻¹ y_T of every fold k, and their variances.
class FoldPredictions {
 public:
  virtual ~FoldPredictions() = default;

  /// r of all folds, stacked.
  virtual const Vector& residuals() const = 0;
  /// Predictive variances of held-out rows, noise included, one per row and NaN where none was computed. About `sample`
  /// rows have one, or more: all rows have one where the factor at this point is still held. Iterative solves on one
  /// rank first release what they hold.
  virtual Vector variances(const VarianceMethod& method, Index sample) = 0;
  /// C⁻¹y of all rows; empty where verify() has not found them.
  virtual AllRowWeights all_row_weights() const { return {}; }
  /// The largest jitter that factorisations have added to a diagonal; 0: none.
  virtual double jitter() const { return 0; }
  /// z of one fold, n values, zero where it does not train; empty where they are not held any more.
  virtual Vector fold_weights(Index fold) { return (void)fold, Vector(); }
  /// The question that is asked between iterations: true gives up with Interrupted.
  virtual void stop_when(std::function<bool()> stop) = 0;
  /// Whether accuracies and residuals asked for make a difference.
  virtual bool iterates() const { return false; }
};

/// The folds at u = log θ, and the derivatives of their residuals. A point is evaluated first; once accepted, its
/// derivatives can be asked for, and the next evaluations start from it.
class FoldEvaluator : public FoldPredictions {
 public:
  /// f(u) = Σ_k ‖r_k‖²; not finite where it cannot be evaluated. Solves are accurate enough that the residuals change
  /// by at most `accuracy` of their norm.
  virtual double evaluate(const Vector& u, double accuracy) = 0;
  /// f(u) by solves to the residual of final results (final_residual); u becomes the accepted point.
  virtual double verify(const Vector& u) = 0;
  /// The point that was evaluated last becomes the accepted one.
  virtual void accept() = 0;
  /// f at the accepted point, more accurately.
  virtual double refine(double accuracy) = 0;
  /// r of all folds at the point that was evaluated last.
  virtual const Vector& trial_residuals() const = 0;

  /// JᵀWJ and Jᵀg of J = ∂r/∂u, with sensitivities solved to this relative residual.
  virtual NormalEquations normal(double residual, const RowLoss& loss = {}) = 0;
  /// Points accepted since normal() solved for J; −1 where no J is held, as always by an evaluator that factorises.
  virtual int moves_since_normal() const { return -1; }
  /// JᵀWJ and Jᵀg of the J that is held, which follows accepted points by Broyden's secants. No system is solved.
  virtual NormalEquations normal_of_jacobian(const RowLoss& loss) { return (void)loss, NormalEquations(); }
  /// 2 Jᵀg, by one adjoint solve per fold to this relative residual; an empty slope stands for g = r: the gradient of
  /// f.
  virtual Vector gradient(double residual, const Vector& slope = {}) = 0;

  /// z of every fold at the accepted point, n × folds, zero where a fold does not train; empty where nothing is
  /// iterated.
  virtual Matrix weights() const { return {}; }
  /// C_k⁻¹(∂_iC)z_k as last solved for, n × (folds · p), fold by fold; empty where nothing is iterated.
  virtual Matrix sensitivities() const { return {}; }
  /// Weights and sensitivities of an earlier run, to start the first solves from; either may be empty.
  virtual void start_from(const Matrix& weights, const Matrix& sensitivities) { (void)weights, (void)sensitivities; }

  /// A solve that needs more iterations counts as failed.
  virtual void limit_iterations(int most) { (void)most; }
  /// Iterations and the relative residual of the last solve; 0 where nothing is iterated.
  virtual int iterations() const { return 0; }
  virtual double residual() const { return 0; }
};

/// Evaluator that factorises the stored matrix.
std::unique_ptr<FoldEvaluator> dense_evaluator(std::shared_ptr<const Problem> problem, const ComputeOptions& compute,
                                               std::shared_ptr<Work> work);

/// Evaluator with the solver that the memory plan chooses.
std::unique_ptr<FoldEvaluator> make_evaluator(std::shared_ptr<const Problem> problem, const ComputeOptions& compute,
                                              std::shared_ptr<Work> work = std::make_shared<Work>());
/// f at the problem's own values, solved to the residual of final results. Throws NumericalError when that is out of
/// reach.
double verify_or_throw(FoldEvaluator& evaluator, const Problem& problem);

/// The folds [first, last) that one of several groups of ranks evaluates.
struct FoldShare {
  Index first = 0, last = 0;
  std::function<void(View)> complete;  ///< numbers × all folds: fills in the columns of the other groups' folds
};

/// Evaluator that uses conjugate gradients on all folds at once, without a stored matrix. If the options say so, the
/// folds are divided among the ranks of the communicator.
std::unique_ptr<FoldEvaluator> iterative_evaluator(std::shared_ptr<const Problem> problem, const IterativePlan& plan,
                                                   const ComputeOptions& compute, std::shared_ptr<Work> work);
/// The same for some folds, but f, JᵀWJ and Jᵀg are those of all, added fold by fold: the bits are those of a process
/// that has all folds where its solves have the same. Gradients are those of the own folds.
std::unique_ptr<FoldEvaluator> iterative_evaluator(std::shared_ptr<const Problem> problem, const IterativePlan& plan,
                                                   const ComputeOptions& compute, std::shared_ptr<Work> work,
                                                   const FoldShare& share);
/// The folds spread over groups of ranks; what travels are f, JᵀWJ and Jᵀg, p² numbers.
std::unique_ptr<FoldEvaluator> distributed_evaluator(std::shared_ptr<const Problem> problem, const IterativePlan& plan,
                                                     const ComputeOptions& compute, std::shared_ptr<Work> work);

}  // namespace gpcv
