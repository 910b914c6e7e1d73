/// The result of a product while blocks add to it, on this rank and on others.
#pragma once

#include <deque>
#include <vector>

#include "backends/simd/exact_add.hpp"
#include "core/exact_sum.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/types.hpp"

namespace gpcv::simd {

/// Sums over blocks: what is exact in double stands in the result itself, the rest, where it matters, beside it.
class BlockSums {
 public:
  /// bounds: of the sums of absolute values of each column
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

  /// These rows have all that this rank adds to them: what the others add is fetched while work goes on.
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
    Matrix numbers;  ///< sums, and beside them the rest
  };
  std::vector<ExactSum> exact_;
  View sums_;
  Matrix rest_;
  std::deque<Shared> shared_;  ///< stays where it is while it travels
};

}  // namespace gpcv::simd
