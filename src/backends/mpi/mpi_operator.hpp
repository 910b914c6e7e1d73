/// Kernel products of any local backend, distributed by rows over the ranks of a communicator.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpcv/communicator.hpp"
#include "operators/backend_operator.hpp"

namespace gpcv {

/// The rows are divided into pieces whose size depends only on the number of rows. A rank has the local operators of
/// consecutive pieces and computes K(X_piece, X2) v. Every row belongs to one rank and `sum` adds zeros to it, so the
/// bits are those of the local backend for any number of ranks. This operator does not use the symmetry of K(X, X); the
/// simd backend distributes its blocks itself, with symmetry.
class MpiOperator final : public BackendOperator {
 public:
  /// Creates the local operator of some rows of X1.
  using MakeLocal = std::function<std::unique_ptr<BackendOperator>(ConstView rows)>;

  MpiOperator(ConstView x1, Index cols, Index parameters, const MakeLocal& make,
              std::shared_ptr<const Communicator> communicator);

 private:
  void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const override;
  void derivatives_impl(ConstView v, View j) const override;
  void contract_impl(ConstView u, ConstView v, VectorView g) const override;
  void share(View y) const;

  struct Piece {
    Index first = 0;  ///< first row
    Index number = 0;
    std::unique_ptr<BackendOperator> local;
  };
  std::vector<Piece> own_;
  Index pieces_ = 0;
  std::shared_ptr<const Communicator> communicator_;
};

}  // namespace gpcv
