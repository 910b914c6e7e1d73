/// The hold-out error of one fold with a penalty, minimised by damped Gauss–Newton steps.
#pragma once

#include "evaluation/fold_evaluator.hpp"
#include "trainers/admm/lagrangian.hpp"

namespace gpcv {

/// The same problem with one of its folds alone.
std::shared_ptr<const Problem> with_fold(const Problem& problem, const Fold& fold);

struct ErrorPoint {
  Vector q;                  ///< log θ, or θ in raw coordinates
  double value = 0;          ///< ‖r‖² and the penalty; infinite when the solve failed
  double squared_error = 0;  ///< ‖r‖², r = y_V − K_VT C⁻¹ y_T
};

class HoldoutError {
 public:
  HoldoutError(const Problem& problem, const Fold& fold, const Coordinates& coordinates, Index rank,
               const ComputeOptions& compute);

  /// Weights near those of the next point; weights of another size are not used.
  void start_from(const Matrix& weights) { evaluator_->start_from(weights, {}); }
  /// Weights of the point that was reached last.
  Matrix weights() const { return evaluator_->weights(); }

  ErrorPoint at(const Vector& q, const QuadraticPenalty& penalty);
  /// 2 JᵀJ and 2 Jᵀr at q, the point that was evaluated last, become curvature() and gradient().
  void differentiate(const Vector& q);
  /// At most `steps` damped Gauss–Newton steps on ‖r‖² + penalty from q.
  ErrorPoint minimize(const Vector& q, const QuadraticPenalty& penalty, int steps);
  /// 2 JᵀJ and 2 Jᵀr where the last minimisation began.
  const Matrix& curvature() const { return curvature_; }
  const Vector& gradient() const { return gradient_; }

 private:
  NormalEquations normal(const Vector& q);

  const Coordinates& coordinates_;
  std::unique_ptr<FoldEvaluator> evaluator_;
  double damping_ = 1e-3;
  Matrix curvature_;
  Vector gradient_;
};

}  // namespace gpcv
