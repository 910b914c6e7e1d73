#include "solvers/preconditioner/earlier_neighbours.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "backends/dense_kernel.hpp"
#include "core/parallel.hpp"
#include "core/stop_question.hpp"

namespace gpcv {
namespace {

/// Rows that are searched for together, and rows among which they are searched at once: the tile fits the cache.
constexpr Index rows_at_once = 64, searched_at_once = 1024;

using Candidate = std::pair<double, std::int32_t>;  ///< worth and row

/// The best candidates of one row, the worst of them in front.
class Best {
 public:
  explicit Best(Index most) : most_(static_cast<std::size_t>(most)) { heap_.reserve(most_); }

  double least() const { return heap_.size() < most_ ? -1 : heap_.front().first; }
  void add(double worth, Index row) {
    if (heap_.size() == most_) {
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.pop_back();
    }
    heap_.emplace_back(worth, static_cast<std::int32_t>(row));
    std::push_heap(heap_.begin(), heap_.end(), better);
  }
  /// The rows in ascending order.
  std::vector<Index> rows() const {
    std::vector<Index> rows;
    for (const Candidate& candidate : heap_) rows.push_back(candidate.second);
    std::sort(rows.begin(), rows.end());
    return rows;
  }

 private:
  static bool better(const Candidate& a, const Candidate& b) { return a.first > b.first; }

  std::size_t most_;
  std::vector<Candidate> heap_;
};

/// The best earlier rows of the rows [first, first + rows), whose last has the most candidates.
std::vector<Best> best_of_block(const KernelProgram& program, const Matrix& x, const Vector& scale, Index first,
                                Index rows, Index width) {
  std::vector<Best> best(static_cast<std::size_t>(rows), Best(width));
  for (Index from = 0; from < first + rows; from += searched_at_once) {
    const Index count = std::min(searched_at_once, first + rows - from);
    const Matrix cross = dense_kernel(program, x.middleRows(from, count), x.middleRows(first, rows), 1);
    for (Index i = 0; i < rows; ++i) {
      Best& own = best[static_cast<std::size_t>(i)];
      double least = own.least();
      for (Index j = 0; j < std::min(count, first + i - from); ++j) {
        const double worth = cross(j, i) * cross(j, i) * scale(from + j);
        if (!(worth > least)) continue;
        own.add(worth, from + j);
        least = own.least();
      }
    }
  }
  return best;
}

}  // namespace

EarlierNeighbours earlier_neighbours(const KernelProgram& program, const Matrix& x, Index width, const RowShare& share,
                                     int threads, const std::function<bool()>& stop) {
  const Index n = x.rows();
  const auto [own_first, own_last] = share.own_rows();
  Matrix lists = Matrix::Constant(n, width, -1);  // what ranks exchange are matrices
  const Vector scale = kernel_diagonal(program, x).cwiseMax(std::numeric_limits<double>::min()).cwiseInverse();
  const auto blocks = static_cast<int>((own_last - own_first + rows_at_once - 1) / rows_at_once);
  StopQuestion question(stop);
  parallel_for(blocks, threads, [&, first_row = own_first, last_row = own_last](int block) {
    question.check();
    // The last rows have the most pairs and go first.
    const Index first = first_row + (blocks - 1 - block) * rows_at_once,
                rows = std::min(rows_at_once, last_row - first);
    const std::vector<Best> best = best_of_block(program, x, scale, first, rows, width);
    for (Index i = 0; i < rows; ++i) {
      const std::vector<Index> found = best[static_cast<std::size_t>(i)].rows();
      for (std::size_t k = 0; k < found.size(); ++k) {
        lists(first + i, static_cast<Index>(k)) = static_cast<double>(found[k]);
      }
    }
  });
  share.gather(lists);
  EarlierNeighbours near{width, std::vector<std::int32_t>(static_cast<std::size_t>(n * width)),
                         std::vector<std::int32_t>(static_cast<std::size_t>(n), 0)};
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < width; ++k) {
      near.rows[static_cast<std::size_t>(i * width + k)] = static_cast<std::int32_t>(lists(i, k));
      if (lists(i, k) >= 0) ++near.count[static_cast<std::size_t>(i)];
    }
  }
  return near;
}

}  // namespace gpcv
