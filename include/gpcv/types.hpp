/// Number types of the library.
#pragma once

#include <Eigen/Core>

namespace gpcv {

/// Index of a row or column.
using Index = Eigen::Index;

/// Column-major matrix: a data set is n × d with contiguous input columns, a block of right-hand sides is n × r with
/// contiguous vectors.
using Matrix = Eigen::MatrixXd;
/// Column vector.
using Vector = Eigen::VectorXd;

/// Read-only view of any column block of a Matrix, or of a Vector, without a copy.
using ConstView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
/// Writable view of any column block of a Matrix, or of a Vector.
using View = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
/// Read-only view of a Vector without a copy.
using ConstVectorView = Eigen::Ref<const Vector>;
/// Writable view of a Vector.
using VectorView = Eigen::Ref<Vector>;

}  // namespace gpcv
