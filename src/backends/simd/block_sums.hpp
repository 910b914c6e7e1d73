/// The result of a product during the summation over blocks, on this rank and on others.
#pragma once

#include <deque>
#include <vector>

#include "backends/simd/exact_add.hpp"
#include "core/exact_sum.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/types.hpp"

namespace gpcv::simd {

/// Sums over blocks. The part that is exact in double is accumulated in the result itself; the remainder, if requested,
/// separately.
class BlockSums {
 public:
  /// bounds: bounds on the sums of absolute values of each column
  BlockSums(View sums, const std::vector<double>& bounds, bool with_rest)
      : exact_(bounds.begin(), bounds.end()),
        sums_(sums),
        rest_(with_rest ? Matrix::Zero(sums.rows(), sums.cols()) : Matrix()) {
    sums_.setZero();
  }

  Index columns() const { return static_cast<Index>(exact_.size()); }
  std::size_t rows() const { return static_cast<std::size_t>(sums_.rows()); }

  template <class T>
  void add(Index column, std::size_t row, const T* from, std::size_t count) {
    exact_add(exact_[static_cast<std::size_t>(column)], from, count, sums_.col(column).data() + row,
              rest_.size() == 0 ? nullptr : rest_.col(column).data() + row);
  }

  /// Starts the sum of these rows over all ranks in the background; this rank has added all its contributions to them.
  void begin_sharing(const Communicator& communicator, std::size_t begin, std::size_t end) {
    const auto first = static_cast<Index>(begin), rows = static_cast<Index>(end - begin);
    Shared& part = shared_.emplace_back(Shared{first, Matrix(rows, sums_.cols() + rest_.cols())});
    part.numbers.leftCols(sums_.cols()) = sums_.middleRows(first, rows);
    if (rest_.size() > 0) part.numbers.rightCols(rest_.cols()) = rest_.middleRows(first, rows);
    communicator.begin_sum({part.numbers.data(), static_cast<std::size_t>(part.numbers.size())});
  }

  void finish(const Communicator* communicator) {
    if (communicator != nullptr) communicator->finish();
    for (const Shared& part : shared_) {
      sums_.middleRows(part.first, part.numbers.rows()) = part.numbers.leftCols(sums_.cols());
      if (rest_.size() > 0) rest_.middleRows(part.first, part.numbers.rows()) = part.numbers.rightCols(rest_.cols());
    }
    if (rest_.size() > 0) sums_ += rest_;
  }

 private:
  struct Shared {
    Index first;
    Matrix numbers;  ///< the sums, and the remainders in the columns after them
  };
  std::vector<ExactSum> exact_;
  View sums_;
  Matrix rest_;
  std::deque<Shared> shared_;  ///< a deque, because elements must not move during communication
};

}  // namespace gpcv::simd
