#include "systems/fold_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "backends/choice.hpp"
#include "backends/dense_kernel.hpp"
#include "backends/registry.hpp"
#include "core/pieces.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// Row numbers sorted by the first fold that validates them; rows that no fold validates come last. Those are sorted by
/// the first fold that trains on them, so that the rows left out by a forward-chaining fold are contiguous.
std::vector<Index> sorted_by_fold(const Folds& folds) {
  using Firsts = std::pair<std::size_t, std::size_t>;  // validates, trains
  const std::size_t none = folds.folds.size();
  std::vector<Firsts> first(static_cast<std::size_t>(folds.rows), {none, none});
  for (std::size_t k = none; k-- > 0;) {
    for (Index row : folds.folds[k].validation) first[static_cast<std::size_t>(row)].first = k;
    for (Index row : folds.folds[k].training) first[static_cast<std::size_t>(row)].second = k;
  }
  std::vector<Index> order(first.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return first[static_cast<std::size_t>(a)] < first[static_cast<std::size_t>(b)];
  });
  return order;
}

std::vector<std::vector<char>> training_masks(const Folds& folds, const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<Index>(i);
  std::vector<std::vector<char>> masks;
  for (const Fold& fold : folds.folds) {
    std::vector<char> mask(order.size(), 0);
    for (Index row : fold.training) mask[static_cast<std::size_t>(place[static_cast<std::size_t>(row)])] = 1;
    masks.push_back(std::move(mask));
  }
  return masks;
}

}  // namespace

FoldSystem::FoldSystem(const KernelProgram& program, Matrix x, Vector noise, std::vector<Index> order,
                       std::vector<std::vector<char>> training, const ComputeOptions& options)
    : program_(program),
      options_(options),
      x_(std::move(x)),
      noise_(std::move(noise)),
      order_(std::move(order)),
      training_(std::move(training)) {
  if (noise_.size() != x_.rows()) {
    throw InputError(fmt::format("{} noise variances for {} rows", noise_.size(), x_.rows()));
  }
  if (!noise_.allFinite() || (noise_.array() <= 0).any()) {
    throw InputError("noise variances must be positive and finite");
  }
  options_.precision = resolve_precision(options_, program_, x_, noise_.size() > 0 ? noise_.mean() : 0);
  find_trained_rows();
  fast_ = make_kernel(options_.precision);
}

Precision resolve_precision(const ComputeOptions& options, const KernelProgram& program, ConstView x, double noise) {
  // At a noise ratio of 1e-2 single-precision products needed no more iterations than double ones; at 3e-5 they
  // stagnated (measured).
  constexpr double least_noise_ratio = 1e-3;
  if (options.precision != Precision::automatic) return options.precision;
  if (x.rows() == 0 || !computes_in_single(options.backend)) return Precision::double_;
  return noise >= least_noise_ratio * typical_variance(program, x) ? Precision::mixed : Precision::double_;
}

void FoldSystem::find_trained_rows() {
  trained_count_ = rows();
  // A device keeps the vectors of all rows: leaving rows out would save fewer products than copies cost.
  if (systems() != 1 || on_device(options_, rows(), rows())) return;
  // Sorting by fold has put the validation rows of a hold-out first, so the training rows are contiguous.
  const std::vector<char>& trains = training_[0];
  const auto first = std::find(trains.begin(), trains.end(), char{1});
  const auto last = std::find(trains.rbegin(), trains.rend(), char{1}).base();
  trained_first_ = first - trains.begin();
  trained_count_ = std::max<Index>(0, last - first);
}

std::unique_ptr<BackendOperator> FoldSystem::make_kernel(Precision precision) const {
  ComputeOptions options = options_;
  options.precision = precision;
  return make_backend(program_, x_.middleRows(trained_first_, trained_count_), options);
}

FoldSystem::FoldSystem(const KernelProgram& program, ConstView x, ConstVectorView noise, const Folds& folds,
                       const ComputeOptions& options)
    : FoldSystem([&] {
        if (folds.rows != x.rows()) throw InputError(fmt::format("folds of {} rows for {} rows", folds.rows, x.rows()));
        if (noise.size() != x.rows())
          throw InputError(fmt::format("{} noise variances for {} rows", noise.size(), x.rows()));
        std::vector<Index> order = sorted_by_fold(folds);
        std::vector<std::vector<char>> masks = training_masks(folds, order);
        Matrix points = x(order, Eigen::all);
        Vector variances = noise(order);
        return FoldSystem(program, std::move(points), std::move(variances), std::move(order), std::move(masks),
                          options);
      }()) {}

FoldSystem FoldSystem::whole(const KernelProgram& program, ConstView x, ConstVectorView noise,
                             const ComputeOptions& options) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  std::vector<std::vector<char>> everything{std::vector<char>(order.size(), 1)};
  return {program, x, noise, std::move(order), std::move(everything), options};
}

Matrix FoldSystem::sorted(ConstView caller_rows) const { return caller_rows(order_, Eigen::all); }

Matrix FoldSystem::unsorted(ConstView internal_rows) const {
  Matrix out(internal_rows.rows(), internal_rows.cols());
  for (Index i = 0; i < internal_rows.rows(); ++i) out.row(order_[static_cast<std::size_t>(i)]) = internal_rows.row(i);
  return out;
}

void FoldSystem::mask(View v, std::span<const int> system) const {
  for (Index c = 0; c < v.cols(); ++c) {
    const std::vector<char>& trains = training_[static_cast<std::size_t>(system[static_cast<std::size_t>(c)])];
    for (Index i = 0; i < v.rows(); ++i) {
      if (trains[static_cast<std::size_t>(i)] == 0) v(i, c) = 0;
    }
  }
}

const BackendOperator& FoldSystem::kernel(Arithmetic arithmetic) const {
  if (arithmetic == Arithmetic::fast || !has_fast_arithmetic()) return *fast_;
  std::call_once(made_->exact, [&] { exact_ = make_kernel(Precision::double_); });
  return *exact_;
}

const Space* FoldSystem::space(Arithmetic arithmetic) const {
  if (trained_count_ != rows()) return nullptr;
  const bool fast = arithmetic == Arithmetic::fast || !has_fast_arithmetic();
  std::unique_ptr<Space>& kept = fast ? fast_space_ : exact_space_;
  std::call_once(fast ? made_->fast_space : made_->exact_space,
                 [&] { kept = kernel(arithmetic).space(noise_, training_); });
  return kept.get();
}

template <class Work>
void FoldSystem::with_all_rows(Arithmetic arithmetic, const Work& work) const {
  if (trained_count_ == rows()) return work(kernel(arithmetic));
  ComputeOptions options = options_;
  if (arithmetic == Arithmetic::exact) options.precision = Precision::double_;
  work(*make_backend(program_, x_, options));
}

void FoldSystem::pad_columns(const BackendOperator& k, ConstView v, View y, std::vector<ZeroRows> zeros) const {
  if (v.cols() != 1 || systems() == 1) return k.apply(v, y, zeros);
  Matrix pair = Matrix::Zero(v.rows(), 2), result(y.rows(), 2);
  pair.col(0) = v;
  for (ZeroRows& rows : zeros) rows.last_column = 2;
  k.apply(pair, result, zeros);
  y = result.col(0);
}

void FoldSystem::multiply(ConstView v, View y, Arithmetic arithmetic) const {
  with_all_rows(arithmetic, [&](const BackendOperator& k) { pad_columns(k, v, y); });
}

void FoldSystem::derivatives(ConstView v, View j, Arithmetic arithmetic) const {
  with_all_rows(arithmetic, [&](const BackendOperator& k) { k.derivatives(v, j); });
}

Vector FoldSystem::contract(ConstView u, ConstView v, Arithmetic arithmetic) const {
  Vector g(program_.parameters);
  with_all_rows(arithmetic, [&](const BackendOperator& k) { k.contract(u, v, g); });
  return g;
}

/// Runs of rows on which a fold does not train, for each run of its columns.
std::vector<ZeroRows> FoldSystem::zero_rows(std::span<const int> system, bool unwanted) const {
  std::vector<ZeroRows> zeros;
  const auto columns = static_cast<Index>(system.size());
  for (Index first = 0; first < columns;) {
    const int fold = system[static_cast<std::size_t>(first)];
    Index last = first + 1;
    while (last < columns && system[static_cast<std::size_t>(last)] == fold) ++last;
    const std::vector<char>& trains = training_[static_cast<std::size_t>(fold)];
    for (auto at = trains.begin(); at != trains.end();) {
      const auto begin = std::find(at, trains.end(), char{0});
      at = std::find(begin, trains.end(), char{1});
      if (begin != at) zeros.push_back({begin - trains.begin(), at - trains.begin(), first, last, unwanted});
    }
    first = last;
  }
  return zeros;
}

void FoldSystem::predict(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const {
  if (trained_count_ == rows()) return pad_columns(kernel(arithmetic), v, y, zero_rows(system, false));
  // For a hold-out, K(X, X_T) v_T visits only the columns of training points.
  ComputeOptions options = options_;
  if (arithmetic == Arithmetic::exact) options.precision = Precision::double_;
  const auto trained = x_.middleRows(trained_first_, trained_count_);
  make_backend(program_, x_, trained, options)->apply(v.middleRows(trained_first_, trained_count_), y);
}

void FoldSystem::apply(ConstView v, std::span<const int> system, View y, Arithmetic arithmetic) const {
  if (trained_count_ == rows()) {
    pad_columns(kernel(arithmetic), v, y, zero_rows(system, true));
  } else {
    kernel(arithmetic)
        .apply(v.middleRows(trained_first_, trained_count_), y.middleRows(trained_first_, trained_count_));
  }
  // M_k K v + D v; v is zero wherever M_k is zero.
  for_pieces(v.rows(), v.cols(), options_.threads, [&](Index c, Index first, Index count) {
    const char* trains = training_[static_cast<std::size_t>(system[static_cast<std::size_t>(c)])].data();
    for (Index i = first; i < first + count; ++i) y(i, c) = trains[i] != 0 ? y(i, c) + noise_(i) * v(i, c) : 0;
  });
}

}  // namespace gpcv
