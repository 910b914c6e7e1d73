/// Kernel products of any local backend, by rows, on the ranks of a communicator.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpcv/communicator.hpp"
#include "operators/backend_operator.hpp"

namespace gpcv {

/// Rows are cut into pieces of a size that depends on their number alone; a rank has the local operators of a stretch
/// of pieces and computes K(X_piece, X2) v. Every row is one rank's, so `sum` adds zeros to it: the bits are the local
/// backend's for any number of ranks. It does not use the symmetry of K(X, X); the simd backend shares its blocks
/// itself, with symmetry.
class MpiOperator final : public BackendOperator {
 public:
  /// The local operator of some rows of X1.
  using MakeLocal = std::function<std::unique_ptr<BackendOperator>(ConstView rows)>;

  MpiOperator(ConstView x1, Index cols, Index parameters, const MakeLocal& make,
              std::shared_ptr<const Communicator> communicator);

 private:
  void apply_impl(ConstView v, View y, std::span<const ZeroRows> zeros) const override;
  void derivatives_impl(ConstView v, View j) const override;
  void contract_impl(ConstView u, ConstView v, VectorView g) const override;
  void share(View y) const;

  struct Piece {
    Index first = 0;  ///< row
    Index number = 0;
    std::unique_ptr<BackendOperator> local;
  };
  std::vector<Piece> own_;
  Index pieces_ = 0;
  std::shared_ptr<const Communicator> communicator_;
};

}  // namespace gpcv
