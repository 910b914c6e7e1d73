/// The cross-validation error of all folds together as a function of θ.
#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "evaluation/normal_equations.hpp"
#include "gpcv/trainer.hpp"
#include "planning/training_plan.hpp"
#include "solvers/conjugate_gradients.hpp"

namespace gpcv {

/// The limit of the iterations of one solve.
constexpr int usual_most_iterations = iteration_limit::training;

/// C⁻¹y of all rows, and what ‖y − C values‖ / ‖y‖ is at the most.
struct WholeWeights {
  Vector values;
  double residual = std::numeric_limits<double>::infinity();
};

/// Weights of all rows from those of the folds that train on them: near C⁻¹y.   weights: n × folds
Vector mean_of_folds(const Matrix& weights, const Folds& folds);

/// f(u) = Σ_k ‖r_k‖², r_k = y_V − K_VT C_T⁻¹ y_T of fold k, u = log θ. A point is evaluated first; once accepted, its
/// derivatives can be asked for, and the next evaluations start from it.
class FoldEvaluator {
 public:
  virtual ~FoldEvaluator() = default;

  /// f(u); not finite where it cannot be evaluated. Solves are as accurate as moves the residuals by no more than
  /// `accuracy` of their norm.
  virtual double evaluate(const Vector& u, double accuracy) = 0;
  /// f(u) by solves to the residual that results are solved to (final_residual).
  virtual double verify(const Vector& u) = 0;
  /// What was evaluated last becomes the point of all that follows.
  virtual void accept() = 0;
  /// f at the accepted point, more accurately.
  virtual double refine(double accuracy) = 0;
  /// r of all folds, stacked.
  virtual const Vector& residuals() const = 0;
  /// JᵀJ and Jᵀr of J = ∂r/∂u, where J is found by solves to this relative residual.
  virtual NormalEquations normal(double residual) = 0;
  /// ∂f/∂u, by solves to this relative residual.
  virtual Vector gradient(double residual) = 0;

  /// z of every fold at the accepted point, n × folds, zero where a fold does not train; empty where nothing is
  /// iterated.
  virtual Matrix weights() const { return {}; }
  /// After verify(); empty where that has not solved for them.
  virtual WholeWeights whole_weights() const { return {}; }
  /// C_k⁻¹(∂_iC)z_k as last solved for, n × (folds · p), fold by fold; empty where nothing is iterated.
  virtual Matrix sensitivities() const { return {}; }
  /// Both, from an earlier run, to start the first solves from; either may be empty.
  virtual void start_from(const Matrix& weights, const Matrix& sensitivities) { (void)weights, (void)sensitivities; }

  /// No solve goes on for longer; one that would have to counts as failed.
  virtual void limit_iterations(int most) { (void)most; }
  /// Whether accuracies and residuals asked for make a difference.
  virtual bool iterates() const { return false; }
  /// Iterations and the relative residual of the last solve; 0 where nothing is iterated.
  virtual int iterations() const { return 0; }
  virtual double residual() const { return 0; }
};

/// By factorising the stored matrix.
std::unique_ptr<FoldEvaluator> dense_evaluator(const Problem& problem, const ComputeOptions& compute, Work& work);

/// Folds that one of several groups of ranks evaluates: [first, last).
struct FoldShare {
  Index first = 0, last = 0;
  std::function<void(View)> complete;  ///< numbers × all folds: fills in the columns of the other groups' folds
};

/// The same with the folds spread over the ranks of a communicator.
std::unique_ptr<FoldEvaluator> distributed_evaluator(const Problem& problem, const IterativePlan& plan,
                                                     const ComputeOptions& compute, Work& work);

/// By conjugate gradients on all folds at once, without a stored matrix.
std::unique_ptr<FoldEvaluator> iterative_evaluator(const Problem& problem, const IterativePlan& plan,
                                                   const ComputeOptions& compute, Work& work);
/// Of some folds, but f, JᵀJ and Jᵀr are those of all, added fold by fold: with the bits of a process that has them all
/// where its solves have the same. The gradient is that of the own folds.
std::unique_ptr<FoldEvaluator> iterative_evaluator(const Problem& problem, const IterativePlan& plan,
                                                   const ComputeOptions& compute, Work& work, const FoldShare& share);

}  // namespace gpcv
