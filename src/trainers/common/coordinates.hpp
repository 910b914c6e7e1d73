/// The variables that ADMM optimises: log θ, or θ itself as in the paper.
#pragma once

#include "problem/parameters.hpp"

namespace gpcv {

/// Variables q = log θ or q = θ inside a box, in the order of LogParameters.
class Coordinates {
 public:
  Coordinates(const Problem& problem, bool raw, int threads = 1);

  bool raw() const { return raw_; }
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }

  Vector from_log(const Vector& u) const { return raw_ ? Vector(u.array().exp()) : u; }
  Vector to_log(const Vector& q) const { return raw_ ? Vector(q.array().log()) : q; }
  /// Factors ∂ log θ/∂q of the chain rule, one per coordinate.
  Vector chain(const Vector& q) const { return raw_ ? Vector(q.cwiseInverse()) : Vector::Ones(q.size()); }
  bool inside(const Vector& q) const {
    return (q.array() >= lower_.array()).all() && (q.array() <= upper_.array()).all();
  }
  /// Indices of the coordinates at one of their bounds.
  std::vector<Index> touching(const Vector& q) const {
    return gpcv::touching(to_log(q), to_log(lower_), to_log(upper_));
  }
  Vector clipped(const Vector& q) const { return q.cwiseMax(lower_).cwiseMin(upper_); }

 private:
  bool raw_;
  Vector lower_, upper_;
};

}  // namespace gpcv
