#include "solvers/preconditioner/local_inverse.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "backends/dense_kernel.hpp"
#include "core/parallel.hpp"
#include "core/stop_question.hpp"
#include "solvers/blas.hpp"

namespace gpcv {
namespace {

/// Rows of a piece of work.
constexpr Index rows_of_piece = 256;

/// The last row of L⁻¹ for L Lᵀ = e; only the diagonal entry where rounding has made e indefinite.   noise: of the last
/// row, which e has at least without rounding
Vector last_row_of_inverse(const Matrix& e, double noise) {
  const Index m = e.rows();
  Vector row = Vector::Zero(m);
  row(m - 1) = 1;
  const Eigen::LLT<Matrix> factor(e);
  if (factor.info() == Eigen::Success) {
    factor.matrixU().solveInPlace(row);  // L⁻ᵀ e_m
    if (row.allFinite()) return row;
  }
  row.setZero();
  row(m - 1) = 1 / std::sqrt(std::max(e(m - 1, m - 1), noise));
  return row;
}

}  // namespace

template <class Work>
void LocalInverse::each_piece(const Work& work) const {
  const auto [first_row, last_row] = share_.own_rows();
  const auto pieces = static_cast<int>((last_row - first_row + rows_of_piece - 1) / rows_of_piece);
  parallel_for(pieces, threads_, [&, from = first_row, to = last_row](int piece) {
    const Index first = from + piece * rows_of_piece;
    work(first, std::min(to, first + rows_of_piece));
  });
}

LocalInverse::LocalInverse(const FoldParts& parts, const RowShare& share, EarlierNeighbours near, const Matrix& f,
                           int threads)
    : share_(share), near_(std::move(near)), threads_(threads) {
  const Index n = parts.x.rows();
  values_.assign(parts.training.size(), std::vector<float>(static_cast<std::size_t>(n * width()), 0));
  StopQuestion question(parts.stop);
  each_piece([&](Index first, Index last) {
    question.check();
    for (Index row = first; row < last; ++row) find_row(parts, f, row);
  });
  gather_values(n);
  find_uses(n);
}

void LocalInverse::find_row(const FoldParts& parts, const Matrix& f, Index row) {
  const Index count = near_.count[static_cast<std::size_t>(row)];
  std::vector<Index> s;
  for (Index k = 0; k < count; ++k) s.push_back(near_.at(row, k));
  s.push_back(row);
  // E_ss = K_ss − F_s F_sᵀ + D_s
  Matrix e = dense_kernel(parts.program, parts.x(s, Eigen::all), 1);
  const Matrix own = f(Eigen::all, s);
  if (own.rows() > 0) multiply(-1, own, true, own, false, 1, e, 1);
  e.diagonal() += parts.noise(s);
  for (std::size_t fold = 0; fold < values_.size(); ++fold) {
    const std::vector<char>& trains = parts.training[fold];
    if (trains[static_cast<std::size_t>(row)] == 0) continue;
    std::vector<Index> kept;
    for (Index k = 0; k <= count; ++k) {
      if (trains[static_cast<std::size_t>(s[static_cast<std::size_t>(k)])] != 0) kept.push_back(k);
    }
    const Vector g = last_row_of_inverse(e(kept, kept), parts.noise(row));
    float* values = values_[fold].data() + row * width();
    for (std::size_t k = 0; k + 1 < kept.size(); ++k) values[kept[k]] = static_cast<float>(g(static_cast<Index>(k)));
    values[near_.width] = static_cast<float>(g(g.size() - 1));
  }
}

void LocalInverse::gather_values(Index n) {
  if (share_.communicator() == nullptr) return;
  for (std::vector<float>& values : values_) {
    using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::Map<Rows> own(values.data(), n, width());
    Matrix all = own.cast<double>();
    share_.gather(all);
    own = all.cast<float>();
  }
}

void LocalInverse::find_uses(Index n) {
  first_use_.assign(static_cast<std::size_t>(n) + 1, 0);
  const auto each = [&](const auto& use) {
    for (Index row = 0; row < n; ++row) {
      for (Index k = 0; k < near_.count[static_cast<std::size_t>(row)]; ++k) use(near_.at(row, k), row * width() + k);
    }
  };
  each([&](std::int32_t column, Index) { ++first_use_[static_cast<std::size_t>(column) + 1]; });
  for (std::size_t i = 1; i < first_use_.size(); ++i) {
    most_uses_ = std::max<Index>(most_uses_, first_use_[i] + 1);  // with the diagonal
    first_use_[i] += first_use_[i - 1];
  }
  uses_.resize(static_cast<std::size_t>(first_use_.back()));
  std::vector<std::int64_t> next(first_use_.begin(), first_use_.end() - 1);
  each([&](std::int32_t column, Index place) {
    uses_[static_cast<std::size_t>(next[static_cast<std::size_t>(column)]++)] = place;
  });
}

void LocalInverse::apply(ConstView r, std::span<const int> system, View z) const {
  const Index n = r.rows();
  // Columns beside each other: the entries of G are read once for all columns of a fold.
  const Matrix right = r.transpose();
  Matrix product = Matrix::Zero(n, r.cols());
  const auto each_fold = [&](const auto& work) {
    for (std::size_t first = 0; first < system.size();) {
      std::size_t last = first + 1;
      while (last < system.size() && system[last] == system[first]) ++last;
      work(values_[static_cast<std::size_t>(system[first])].data(), static_cast<Index>(first),
           static_cast<Index>(last - first));
      first = last;
    }
  };
  // G r
  each_piece([&](Index from, Index to) {
    Vector out(r.cols());
    for (Index i = from; i < to; ++i) {
      each_fold([&](const float* values, Index first, Index count) {
        const float* row = values + i * width();
        auto sum = out.segment(first, count);
        sum = static_cast<double>(row[near_.width]) * right.col(i).segment(first, count);
        for (Index k = 0; k < near_.count[static_cast<std::size_t>(i)]; ++k) {
          sum += static_cast<double>(row[k]) * right.col(near_.at(i, k)).segment(first, count);
        }
      });
      product.row(i) = out.transpose();
    }
  });
  share_.gather(product);
  const Matrix middle = product.transpose();
  // Gᵀ (G r), by the columns of G
  each_piece([&](Index from, Index to) {
    Vector out(r.cols());
    for (Index i = from; i < to; ++i) {
      const auto at = static_cast<std::size_t>(i);
      each_fold([&](const float* values, Index first, Index count) {
        auto sum = out.segment(first, count);
        sum = static_cast<double>(values[i * width() + near_.width]) * middle.col(i).segment(first, count);
        for (auto use = first_use_[at]; use < first_use_[at + 1]; ++use) {
          const Index place = uses_[static_cast<std::size_t>(use)];
          sum += static_cast<double>(values[place]) * middle.col(place / width()).segment(first, count);
        }
      });
      z.row(i) = out.transpose();
    }
  });
  share_.gather(z);
}

Matrix LocalInverse::times(std::size_t fold, const Matrix& f, Index first, Index count) const {
  constexpr Index at_once = 128;
  const float* values = values_[fold].data();
  Matrix out(f.rows(), count);
  parallel_for(static_cast<int>((count + at_once - 1) / at_once), threads_, [&](int part) {
    for (Index i = part * at_once; i < std::min(count, (part + 1) * at_once); ++i) {
      const float* row = values + (first + i) * width();
      out.col(i) = static_cast<double>(row[near_.width]) * f.col(first + i);
      for (Index k = 0; k < near_.count[static_cast<std::size_t>(first + i)]; ++k) {
        if (row[k] != 0) out.col(i) += static_cast<double>(row[k]) * f.col(near_.at(first + i, k));
      }
    }
  });
  return out.transpose();
}

}  // namespace gpcv
