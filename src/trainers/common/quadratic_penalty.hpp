/// A quadratic term that trainers add to an error.
#pragma once

#include <utility>

#include "gpcv/types.hpp"

namespace gpcv {

/// Quadratic penalty (q − c)ᵀ W (q − c): a weak prior, or the consensus term of a fold. Penalties can be added.
class QuadraticPenalty {
 public:
  static QuadraticPenalty none(Index size) { return {Matrix::Zero(size, size), Vector::Zero(size)}; }
  QuadraticPenalty(Matrix weight, const Vector& centre)
      : weight_(std::move(weight)), linear_(weight_ * centre), constant_(centre.dot(linear_)) {}

  const Matrix& weight() const { return weight_; }
  double value(const Vector& q) const { return q.dot(weight_ * q) - 2 * q.dot(linear_) + constant_; }
  Vector gradient(const Vector& q) const { return 2 * (weight_ * q - linear_); }
  QuadraticPenalty& operator+=(const QuadraticPenalty& other) {
    weight_ += other.weight_;
    linear_ += other.linear_;
    constant_ += other.constant_;
    return *this;
  }

 private:
  Matrix weight_;
  Vector linear_;  ///< W c
  double constant_;
};

}  // namespace gpcv
