#include "gpcv/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "data/folds/fold_split.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// A block of times: rows with first ≤ t < end validate, rows with t < first train.
struct Block {
  double first = 0, end = 0;
};

constexpr double forever = std::numeric_limits<double>::infinity();

void require_times(ConstVectorView time, Index blocks) {
  if (blocks < 1) throw InputError(fmt::format("folds in time order need at least 1 block, {} asked for", blocks));
  for (Index i = 0; i < time.size(); ++i) {
    if (!std::isfinite(time(i))) {
      throw InputError(
          fmt::format("the time of row {} is {}, not a finite number; fill it in or remove the row", i, time(i)));
    }
  }
  // Each block needs a row to validate, and the first block a row to train.
  if (blocks >= time.size()) {
    throw InputError(fmt::format("{} block{} in time order need{} more than {} rows, the data have {}; ask for fewer",
                                 blocks, blocks == 1 ? "" : "s", blocks == 1 ? "s" : "", blocks, time.size()));
  }
  if (time.minCoeff() == time.maxCoeff()) {
    throw InputError(fmt::format("every row has the same time, {:.10g}; choose a column that varies", time(0)));
  }
}

/// The last `blocks` of blocks + 1 pieces of n / (blocks + 1) rows; the remaining rows train the first block.
std::vector<Block> blocks_of_equal_count(ConstVectorView time, Index blocks) {
  std::vector<double> ordered(time.begin(), time.end());
  std::sort(ordered.begin(), ordered.end());
  const Index n = time.size(), piece = n / (blocks + 1);
  std::vector<Block> out(static_cast<std::size_t>(blocks));
  double end = forever;
  for (Index b = blocks; b-- > 0; end = out[static_cast<std::size_t>(b)].first) {
    out[static_cast<std::size_t>(b)] = {ordered[static_cast<std::size_t>(n - (blocks - b) * piece)], end};
  }
  return out;
}

std::vector<Block> blocks_of_width(ConstVectorView time, Index blocks, double width) {
  if (!(width > 0) || !std::isfinite(width)) {
    throw InputError(fmt::format("the width of a block must be positive and finite, it is {}", width));
  }
  const double earliest = time.minCoeff(), latest = time.maxCoeff(), span = latest - earliest;
  if (!std::isfinite(span)) throw InputError("the times lie too far apart for double precision; rescale the column");
  if (width >= span) {
    throw InputError(fmt::format(
        "no block of width {} fits: the times span {:.10g} and some must train; choose a smaller width", width, span));
  }
  // The distance of the cuts is (span·blocks/(blocks + 1) − width)/(blocks − 1), at least a width when
  // (blocks + 1)·width ≤ span.
  constexpr double rounding = 1 + 1e-9;
  const double fitting = std::max(1.0, std::floor(span / width * rounding) - 1);
  if (static_cast<double>(blocks) > fitting) {
    throw InputError(
        fmt::format("{} blocks of width {} would overlap, {:.0f} fit{} into times that span {:.10g}; ask for fewer, or "
                    "for a smaller width",
                    blocks, width, fitting, fitting == 1 ? "s" : "", span));
  }
  const auto count = static_cast<double>(blocks);
  const double last = latest - width, first = blocks == 1 ? last : earliest + span / (count + 1);
  std::vector<Block> out(static_cast<std::size_t>(blocks), {last, forever});
  for (std::size_t b = out.size() - 1; b-- > 0;) {
    const double cut = first + (last - first) * static_cast<double>(b) / (count - 1);
    out[b] = {cut, std::min(cut + width, out[b + 1].first)};
  }
  return out;
}

}  // namespace

Index Folds::validated() const {
  return std::accumulate(folds.begin(), folds.end(), Index{0},
                         [](Index sum, const Fold& fold) { return sum + static_cast<Index>(fold.validation.size()); });
}

Index Folds::largest_validation() const {
  std::size_t largest = 0;
  for (const Fold& fold : folds) largest = std::max(largest, fold.validation.size());
  return static_cast<Index>(largest);
}

Vector Folds::by_row(const Vector& stacked) const {
  Vector values = Vector::Constant(rows, std::numeric_limits<double>::quiet_NaN());
  Index at = 0;
  for (const Fold& fold : folds) {
    for (Index row : fold.validation) values(row) = stacked(at++);
  }
  return values;
}

std::vector<Index> Folds::fold_of_row() const {
  std::vector<Index> numbers(static_cast<std::size_t>(rows), -1);
  for (std::size_t k = 0; k < folds.size(); ++k) {
    for (const Index row : folds[k].validation) numbers[static_cast<std::size_t>(row)] = static_cast<Index>(k);
  }
  return numbers;
}

Folds Folds::of_rows(const std::vector<Index>& chosen) const {
  if (folds.empty()) return {static_cast<Index>(chosen.size()), {}, description};
  std::vector<Index> place(static_cast<std::size_t>(rows), -1);
  for (std::size_t i = 0; i < chosen.size(); ++i) place[static_cast<std::size_t>(chosen[i])] = static_cast<Index>(i);
  const auto kept = [&](const std::vector<Index>& all) {
    std::vector<Index> some;
    for (Index row : all) {
      if (place[static_cast<std::size_t>(row)] >= 0) some.push_back(place[static_cast<std::size_t>(row)]);
    }
    return some;
  };
  Folds part{static_cast<Index>(chosen.size()), {}, description};
  for (const Fold& fold : folds) {
    Fold smaller{kept(fold.training), kept(fold.validation)};
    if (!smaller.training.empty() && !smaller.validation.empty()) part.folds.push_back(std::move(smaller));
  }
  return part;
}

Folds Folds::random(Index rows, Index k, std::uint64_t seed) {
  require_fold_count(rows, k);
  std::vector<Index> fold_of(static_cast<std::size_t>(rows));
  Index dealt = 0;
  for (Index row : Random(seed).permutation(rows)) fold_of[static_cast<std::size_t>(row)] = dealt++ % k;
  return {rows, split_by_fold(fold_of, k), fmt::format("{} random folds, seed {}", k, seed)};
}

Folds Folds::interleaved(Index rows, Index k) {
  require_fold_count(rows, k);
  std::vector<Index> fold_of(static_cast<std::size_t>(rows));
  for (Index row = 0; row < rows; ++row) fold_of[static_cast<std::size_t>(row)] = row % k;
  return {rows, split_by_fold(fold_of, k), fmt::format("{} interleaved folds", k)};
}

Folds Folds::holdout(Index rows, double fraction, std::uint64_t seed) {
  if (!(fraction > 0 && fraction < 1)) {
    throw InputError(fmt::format("the holdout fraction must lie between 0 and 1, it is {}", fraction));
  }
  const auto validating = static_cast<Index>(std::llround(fraction * static_cast<double>(rows)));
  if (validating < 1 || validating >= rows) {
    throw InputError(fmt::format("a holdout of {} of {} rows leaves none to {}; choose another fraction", fraction,
                                 rows, validating < 1 ? "validate" : "train"));
  }
  // Rows marked 0 validate; rows marked 1 only train.
  std::vector<Index> fold_of(static_cast<std::size_t>(rows));
  Index drawn = 0;
  for (Index row : Random(seed).permutation(rows)) fold_of[static_cast<std::size_t>(row)] = drawn++ >= validating;
  return {rows, split_by_fold(fold_of, 1), fmt::format("holdout of {} of {} rows, seed {}", validating, rows, seed)};
}

Folds Folds::forward_chaining(ConstVectorView time, Index blocks, std::optional<double> width) {
  require_times(time, blocks);
  Folds folds{time.size(), {}, {}};
  for (const Block& block : width ? blocks_of_width(time, blocks, *width) : blocks_of_equal_count(time, blocks)) {
    Fold fold;
    for (Index row = 0; row < time.size(); ++row) {
      if (time(row) < block.first) {
        fold.training.push_back(row);
      } else if (time(row) < block.end) {
        fold.validation.push_back(row);
      }
    }
    if (fold.training.empty() || fold.validation.empty()) {
      throw InputError(
          fmt::format("block {} of {} in time order, from {:.10g} on, has no rows to {}; ask for fewer "
                      "blocks{}",
                      folds.size() + 1, blocks, block.first, fold.training.empty() ? "train" : "validate",
                      width ? " or another width" : " or give a width, many rows share one time"));
    }
    folds.folds.push_back(std::move(fold));
  }
  folds.description =
      fmt::format("{} block{} in time order, {}trained on all before it", blocks, blocks == 1 ? "" : "s",
                  width         ? fmt::format("{}of width {} and ", blocks == 1 ? "" : "each ", *width)
                  : blocks == 1 ? std::string()
                                : std::string("each "));
  return folds;
}

}  // namespace gpcv
