#include "solvers/dense_cross_validation.hpp"

#include <algorithm>
#include <numeric>

#include "core/memory.hpp"
#include "data/folds/complete_folds.hpp"
#include "data/folds/repeated_folds.hpp"
#include "gpcv/operator.hpp"
#include "operators/space.hpp"
#include "solvers/factorise.hpp"
#include "solvers/host_inverse.hpp"

namespace gpcv {
namespace {

Index count_of(const Fold& fold) { return static_cast<Index>(fold.validation.size()); }

ComputeOptions in_double(ComputeOptions compute) {
  compute.precision = Precision::double_;
  return compute;
}

}  // namespace

bool DenseCrossValidation::inverts(const Folds& folds) { return are_complete(folds); }

DenseCrossValidation::DenseCrossValidation(const KernelProgram& program, double noise, ConstView x, ConstVectorView y,
                                           const Folds& folds, const ComputeOptions& compute)
    : DenseCrossValidation(program, noise, x, ConstView(y), Matrix(), folds, compute) {}

DenseCrossValidation::DenseCrossValidation(const KernelProgram& program, double noise, ConstView x, ConstView targets,
                                           Matrix mixture, const Folds& folds, const ComputeOptions& compute)
    : program_(program),
      noise_(noise),
      x_(x),
      targets_(targets),
      mixture_(std::move(mixture)),
      folds_(folds),
      compute_(in_double(compute)) {
  Index total = 0;
  for (const Fold& fold : folds.folds) {
    first_.push_back(total);
    total += count_of(fold);
  }
  residuals_.resize(total);
  // The inverse costs n³ for all folds. A chain costs n³/3 and suffices for forward-chaining and for a hold-out.
  if (inverts(folds)) {
    find_inverse();
  } else {
    by_chains();
  }
}

void DenseCrossValidation::find_inverse() {
  try {
    inverse_ = make_dense_inverse(program_, x_, noise_, compute_);
    if (inverse_) return by_inverse();
  } catch (const OutOfDeviceMemory&) {
    blocks_.clear();
    block_of_.clear();
    inverse_.reset();
    returned_to_host_ = true;
    const double needed = 2.0 * sizeof(double) * static_cast<double>(x_.rows()) * static_cast<double>(x_.rows());
    if (needed > static_cast<double>(available_memory())) throw;
  }
  inverse_ = std::make_unique<HostInverse>(factorise(program_, x_, noise_, compute_.threads), compute_.threads);
  by_inverse();
}

void DenseCrossValidation::by_inverse() {
  jitter_ = inverse_->jitter();
  weights_ = inverse_->times(targets_);
  blocks_.reserve(folds_.folds.size());
  for (std::size_t k = 0; k < folds_.folds.size(); ++k) {
    const std::vector<Index>& rows = fold(k).validation;
    if (!repeats(folds_, k)) {
      blocks_.push_back(inverse_->block_factor(rows));
      if (!blocks_.back()) {
        blocks_.back() = std::make_unique<HostBlock>(Cholesky(inverse_->block(rows), compute_.threads));
      }
    }
    block_of_.push_back(blocks_.size() - 1);
    jitter_ = std::max(jitter_, blocks_.back()->jitter());
    residuals_.segment(first_[k], count_of(fold(k))) = blocks_.back()->solve(of_fold(weights_(rows, Eigen::all), k));
  }
}

/// The folds sorted by their training rows, in as few chains as that order allows: forward-chaining folds make one.
std::vector<DenseCrossValidation::Chain> DenseCrossValidation::chains_of(const Folds& folds) {
  std::vector<std::size_t> by_size(folds.folds.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return folds.folds[a].training.size() < folds.folds[b].training.size();
  });
  std::vector<Chain> chains(1);
  std::vector<char> placed(static_cast<std::size_t>(folds.rows), 0);
  const auto is_placed = [&](Index row) { return placed[static_cast<std::size_t>(row)] != 0; };
  const auto place = [&](const std::vector<Index>& rows) {
    for (Index row : rows) {
      if (is_placed(row)) continue;
      placed[static_cast<std::size_t>(row)] = 1;
      chains.back().order.push_back(row);
    }
  };
  for (std::size_t k : by_size) {
    const Fold& fold = folds.folds[k];
    if (repeats(folds, k)) {
      chains.back().links.push_back({k, chains.back().links.back().first});
      continue;
    }
    const auto known = static_cast<std::size_t>(std::count_if(fold.training.begin(), fold.training.end(), is_placed));
    // The fold extends the chain if it trains on every row placed so far.
    if (known != chains.back().order.size()) {
      chains.emplace_back();
      std::fill(placed.begin(), placed.end(), char{0});
    }
    place(fold.training);
    chains.back().links.push_back({k, static_cast<Index>(chains.back().order.size())});
    place(fold.validation);
  }
  return chains;
}

void DenseCrossValidation::by_chains() {
  chains_ = chains_of(folds_);
  for (Chain& chain : chains_) {
    const Matrix x = x_(chain.order, Eigen::all);
    chain.factor.push_back(factorise(program_, x, noise_, compute_.threads));
    const Cholesky& factor = chain.factor.front();
    jitter_ = std::max(jitter_, factor.jitter());
    chain.half = factor.half_solve(targets_(chain.order, Eigen::all));
    for (const auto& [k, first] : chain.links) {
      // y_V − L_VT [L⁻¹y]_T = L_VV [L⁻¹y]_V
      residuals_.segment(first_[k], count_of(fold(k))) =
          factor.multiply_factor(of_fold(chain.half.middleRows(first, count_of(fold(k))), k), first);
    }
  }
}

Matrix DenseCrossValidation::weights() const {
  if (chains_.empty()) return refined_weights();
  const Chain& chain = chains_.back();
  if (static_cast<Index>(chain.order.size()) != x_.rows()) return {};
  // C⁻¹y = L⁻ᵀ L⁻¹y, in the order of the chain
  Matrix solution = chain.half;
  chain.factor.front().factor().triangularView<Eigen::Lower>().transpose().solveInPlace(solution);
  Matrix weights(solution.rows(), solution.cols());
  weights(chain.order, Eigen::all) = solution;
  return weights;
}

Matrix DenseCrossValidation::refined_weights() const {
  // w + A (y − C w): an inverse has larger rounding errors than a solve has, by the condition of C.
  Matrix missing(weights_.rows(), weights_.cols());
  make_operator(program_, x_, compute_)->apply(weights_, missing);
  missing = targets_ - missing - (noise_ + inverse_->jitter()) * weights_;
  return weights_ + inverse_->times(missing);
}

Vector DenseCrossValidation::fold_weights(std::size_t k) const {
  if (chains_.empty()) {
    // z_k = A y − A_:k r_k
    const std::vector<Index>& rows = fold(k).validation;
    Vector z = of_fold(weights_, k) - inverse_->columns_times(rows, residuals_.segment(first_[k], count_of(fold(k))));
    z(rows).setZero();
    return z;
  }
  Vector z = Vector::Zero(x_.rows());
  for (const Chain& chain : chains_) {
    for (const auto& [of, first] : chain.links) {
      if (of != k) continue;
      Vector trained = of_fold(chain.half.topRows(first), k);
      chain.factor.front()
          .factor()
          .topLeftCorner(first, first)
          .triangularView<Eigen::Lower>()
          .transpose()
          .solveInPlace(trained);
      for (Index i = 0; i < first; ++i) z(chain.order[static_cast<std::size_t>(i)]) = trained(i);
    }
  }
  return z;
}

Vector DenseCrossValidation::variances() const {
  Vector variances(residuals_.size());
  for (std::size_t k = 0; k < block_of_.size(); ++k) {
    const Index count = count_of(fold(k));
    if (k > 0 && block_of_[k] == block_of_[k - 1]) {
      variances.segment(first_[k], count) = variances.segment(first_[k - 1], count);
      continue;
    }
    variances.segment(first_[k], count) = block(k).inverse_diagonal();
  }
  for (const Chain& chain : chains_) {
    const Matrix& l = chain.factor.front().factor();
    for (const auto& [k, first] : chain.links) {
      for (Index i = 0; i < count_of(fold(k)); ++i) {
        variances(first_[k] + i) = l.row(first + i).segment(first, i + 1).squaredNorm();
      }
    }
  }
  return variances;
}

Matrix DenseCrossValidation::jacobian(bool noise) const {
  if (program_.parameters == 0 && !noise) return Matrix(residuals_.size(), 0);
  return chains_.empty() ? inverse_jacobian(noise) : chain_jacobian(noise);
}

Matrix DenseCrossValidation::inverse_jacobian(bool noise) const {
  const Index n = x_.rows(), p = program_.parameters, columns = p + (noise ? 1 : 0);
  const Index folds = folds_.size();
  Matrix jacobian(residuals_.size(), columns);
  const auto kernel = make_operator(program_, x_, compute_);
  // The number of folds at once is limited so that their derivatives need no more memory than the matrix.
  const Index at_once = std::clamp<Index>(n / std::max<Index>(1, p + 1), 1, folds);
  for (Index begin = 0; begin < folds; begin += at_once) {
    const Index count = std::min(at_once, folds - begin);
    // z_k = A y − A_:k r_k, zero where fold k validates.
    Matrix r = Matrix::Zero(n, count);
    for (Index c = 0; c < count; ++c) {
      const auto k = static_cast<std::size_t>(begin + c);
      r(fold(k).validation, c) = residuals_.segment(first_[k], count_of(fold(k)));
    }
    Matrix z = inverse_->times(r);
    for (Index c = 0; c < count; ++c) {
      const auto k = static_cast<std::size_t>(begin + c);
      z.col(c) = of_fold(weights_, k) - z.col(c);
      z(fold(k).validation, c).setZero();
    }
    Matrix d(n, p * count);
    if (p > 0) kernel->derivatives(z, d);
    for (Index c = 0; c < count; ++c) {
      const auto k = static_cast<std::size_t>(begin + c);
      Matrix changed(n, columns);  // (∂C) z_k
      for (Index i = 0; i < p; ++i) changed.col(i) = d.col(i * count + c);
      if (noise) changed.col(p) = noise_ * z.col(c);
      jacobian.middleRows(first_[k], count_of(fold(k))) =
          -block(k).solve(inverse_->rows_times(fold(k).validation, changed));
    }
  }
  return jacobian;
}

Matrix DenseCrossValidation::chain_jacobian(bool noise) const {
  const Index p = program_.parameters, columns = p + (noise ? 1 : 0);
  Matrix jacobian(residuals_.size(), columns);
  for (const Chain& chain : chains_) {
    const Matrix& l = chain.factor.front().factor();
    const Matrix x = x_(chain.order, Eigen::all);
    for (const auto& [k, first] : chain.links) {
      const Index count = count_of(fold(k));
      const auto l_tt = l.topLeftCorner(first, first).triangularView<Eigen::Lower>();
      Vector z = of_fold(chain.half.topRows(first), k);
      l_tt.transpose().solveInPlace(z);
      Matrix d = Matrix::Zero(first + count, columns);
      if (p > 0) {
        make_operator(program_, x.topRows(first + count), x.topRows(first), compute_)->derivatives(z, d.leftCols(p));
      }
      if (noise) d.col(p).head(first) = noise_ * z;
      Matrix w = d.topRows(first);
      l_tt.solveInPlace(w);
      jacobian.middleRows(first_[k], count) = l.block(first, 0, count, first) * w - d.bottomRows(count);
    }
  }
  return jacobian;
}

}  // namespace gpcv
