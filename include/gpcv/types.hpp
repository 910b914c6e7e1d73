/// The number types every floor shares.
#pragma once

#include <Eigen/Core>

namespace gpcv {

/// Number of a row or column.
using Index = Eigen::Index;

/// Column-major: a data set is n × d with each input column contiguous,
/// a block of right-hand sides is n × r with each vector contiguous.
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Views accept any column block of a Matrix, or a Vector, without a copy.
using ConstView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using View = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
using ConstVectorView = Eigen::Ref<const Vector>;
using VectorView = Eigen::Ref<Vector>;

}  // namespace gpcv
