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

LocalInverse::LocalInverse(const FoldParts& parts, const RowShare& share, const EarlierNeighbours& near,
                           const Matrix& f, int threads)
    : share_(share), threads_(threads) {
  place_entries(near);
  rows_.values.assign(parts.training.size(), std::vector<float>(rows_.columns.size(), 0));
  StopQuestion question(parts.stop);
  each_piece([&](Index first, Index last) {
    question.check();
    for (Index row = first; row < last; ++row) find_row(parts, f, row);
  });
  gather_values();
  transpose();
}

SparseRow LocalInverse::Entries::row(std::size_t fold, Index i) const {
  const auto from = static_cast<std::size_t>(first[static_cast<std::size_t>(i)]),
             to = static_cast<std::size_t>(first[static_cast<std::size_t>(i) + 1]);
  return {values[fold].data() + from, columns.data() + from, to - from};
}

void LocalInverse::place_entries(const EarlierNeighbours& near) {
  rows_.first.push_back(0);
  for (std::size_t row = 0; row < near.count.size(); ++row) {
    const auto i = static_cast<Index>(row);
    for (Index k = 0; k < near.count[row]; ++k) rows_.columns.push_back(near.at(i, k));
    rows_.columns.push_back(static_cast<std::int32_t>(i));
    rows_.first.push_back(static_cast<std::int64_t>(rows_.columns.size()));
  }
}

void LocalInverse::find_row(const FoldParts& parts, const Matrix& f, Index row) {
  const auto from = static_cast<std::size_t>(rows_.first[static_cast<std::size_t>(row)]);
  const auto to = static_cast<std::size_t>(rows_.first[static_cast<std::size_t>(row) + 1]);
  const std::vector<Index> s(rows_.columns.begin() + static_cast<std::ptrdiff_t>(from),
                             rows_.columns.begin() + static_cast<std::ptrdiff_t>(to));
  // E_ss = K_ss − F_s F_sᵀ + D_s
  Matrix e = dense_kernel(parts.program, parts.x(s, Eigen::all), 1);
  const Matrix own = f(Eigen::all, s);
  if (own.rows() > 0) gpcv::multiply(-1, own, true, own, false, 1, e, 1);
  e.diagonal() += parts.noise(s);
  for (std::size_t fold = 0; fold < rows_.values.size(); ++fold) {
    const std::vector<char>& trains = parts.training[fold];
    if (trains[static_cast<std::size_t>(row)] == 0) continue;
    std::vector<Index> kept;
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (trains[static_cast<std::size_t>(s[k])] != 0) kept.push_back(static_cast<Index>(k));
    }
    const Vector g = last_row_of_inverse(e(kept, kept), parts.noise(row));
    float* values = rows_.values[fold].data() + from;
    for (std::size_t k = 0; k < kept.size(); ++k) values[kept[k]] = static_cast<float>(g(static_cast<Index>(k)));
  }
}

void LocalInverse::gather_values() {
  if (share_.communicator() == nullptr) return;
  const auto [first, last] = share_.own_rows();
  const auto from = rows_.first[static_cast<std::size_t>(first)], to = rows_.first[static_cast<std::size_t>(last)];
  for (std::vector<float>& values : rows_.values) {
    std::vector<double> all(values.size(), 0);  // each entry has one rank
    std::copy(values.begin() + from, values.begin() + to, all.begin() + from);
    share_.communicator()->sum(all);
    std::copy(all.begin(), all.end(), values.begin());
  }
}

void LocalInverse::transpose() {
  const std::size_t n = rows_.first.size() - 1;
  columns_.first.assign(n + 1, 0);
  for (const std::int32_t column : rows_.columns) ++columns_.first[static_cast<std::size_t>(column) + 1];
  for (std::size_t i = 1; i <= n; ++i) {
    most_uses_ = std::max<Index>(most_uses_, columns_.first[i]);
    columns_.first[i] += columns_.first[i - 1];
  }
  columns_.columns.resize(rows_.columns.size());
  columns_.values.assign(rows_.values.size(), std::vector<float>(rows_.columns.size()));
  std::vector<std::int64_t> next(columns_.first.begin(), columns_.first.end() - 1);
  for (std::size_t row = 0; row < n; ++row) {
    for (auto place = static_cast<std::size_t>(rows_.first[row]);
         place < static_cast<std::size_t>(rows_.first[row + 1]); ++place) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(rows_.columns[place])]++);
      columns_.columns[to] = static_cast<std::int32_t>(row);
      for (std::size_t fold = 0; fold < rows_.values.size(); ++fold) {
        columns_.values[fold][to] = rows_.values[fold][place];
      }
    }
  }
}

void LocalInverse::multiply(const Entries& entries, const Matrix& v, std::span<const int> system, View out) const {
  const auto stride = static_cast<std::size_t>(v.rows());
  each_piece([&](Index from, Index to) {
    Matrix product(v.rows(), to - from);
    for (std::size_t first = 0; first < system.size();) {
      std::size_t last = first + 1;
      while (last < system.size() && system[last] == system[first]) ++last;
      for (Index i = from; i < to; ++i) {
        multiply_row(entries.row(static_cast<std::size_t>(system[first]), i), v.data() + first, stride, last - first,
                     product.col(i - from).data() + first);
      }
      first = last;
    }
    out.middleRows(from, to - from) = product.transpose();
  });
  share_.gather(out);
}

void LocalInverse::apply(ConstView r, std::span<const int> system, View z) const {
  // The columns of a row are adjacent, so that the entries of G are read once for all columns of a fold.
  const Matrix right = r.transpose();
  multiply(rows_, right, system, z);  // G r
  const Matrix middle = z.transpose();
  multiply(columns_, middle, system, z);  // Gᵀ (G r)
}

Matrix LocalInverse::times(std::size_t fold, const Matrix& f, Index first, Index count) const {
  constexpr Index at_once = 128;
  const auto size = static_cast<std::size_t>(f.rows());
  Matrix out(f.rows(), count);
  parallel_for(static_cast<int>((count + at_once - 1) / at_once), threads_, [&](int part) {
    for (Index i = part * at_once; i < std::min(count, (part + 1) * at_once); ++i) {
      multiply_row(rows_.row(fold, first + i), f.data(), size, size, out.col(i).data());
    }
  });
  return out.transpose();
}

}  // namespace gpcv
