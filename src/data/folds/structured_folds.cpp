/// Folds that keep related rows together: groups, labels, contiguous blocks, regions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.hpp"
#include "data/folds/fold_split.hpp"
#include "data/folds/kmeans.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// The numbers renumbered without gaps, which dropped rows may have left; -1 stays.
std::vector<Index> without_gaps(std::vector<Index> numbers) {
  std::vector<Index> sorted = numbers;
  std::erase(sorted, -1);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (Index& number : numbers) {
    if (number >= 0) number = std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin();
  }
  return numbers;
}

/// The number of rows with each number from 0 on; -1 is not counted.
std::vector<Index> counts_of(const std::vector<Index>& numbers) {
  std::vector<Index> counts;
  for (const Index number : numbers) {
    if (number < 0) continue;
    if (number >= static_cast<Index>(counts.size())) counts.resize(static_cast<std::size_t>(number) + 1);
    ++counts[static_cast<std::size_t>(number)];
  }
  return counts;
}

}  // namespace

Folds Folds::grouped(const std::vector<Index>& given, Index k, std::uint64_t seed) {
  const std::vector<Index> groups = without_gaps(given);
  const auto rows = static_cast<Index>(groups.size());
  require_fold_count(std::max(rows, k), k);  // there may be fewer groups than folds asked for
  if (const auto none = std::find(groups.begin(), groups.end(), -1); none != groups.end()) {
    throw InputError(
        fmt::format("row {} of the data belongs to no group; give it one or remove it", none - groups.begin() + 1));
  }
  const std::vector<Index> counts = counts_of(groups);
  const auto number = static_cast<Index>(counts.size());
  if (number < 2) throw InputError("all rows belong to one group: there is nothing to validate on");
  k = std::min(k, number);
  // The largest groups come first, equally large ones in random order; each goes to the fold with the fewest rows.
  auto order = Random(seed).permutation(number);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
  });
  std::vector<Index> fold_of_group(counts.size()), filled(static_cast<std::size_t>(k));
  for (const Index group : order) {
    const auto least = std::min_element(filled.begin(), filled.end());
    *least += counts[static_cast<std::size_t>(group)];
    fold_of_group[static_cast<std::size_t>(group)] = least - filled.begin();
  }
  std::vector<Index> fold_of;
  for (const Index group : groups) fold_of.push_back(fold_of_group[static_cast<std::size_t>(group)]);
  return {rows, split_by_fold(fold_of, k), fmt::format("{} folds of {} groups, seed {}", k, number, seed)};
}

Folds Folds::labelled(const std::vector<Index>& given) {
  const std::vector<Index> labels = without_gaps(given);
  const std::vector<Index> counts = counts_of(labels);
  const auto k = static_cast<Index>(counts.size());
  const Index labelled = std::accumulate(counts.begin(), counts.end(), Index{0});
  const auto rows = static_cast<Index>(labels.size());
  // A single label is a hold-out when there are other rows to train on.
  if (k == 0 || (k == 1 && labelled == rows)) {
    throw InputError("the column of folds needs two different values, or one and empty cells for rows that only train");
  }
  constexpr Index most = 100;
  if (k > most || (k > 20 && 2 * k > labelled)) {
    throw InputError(fmt::format("the column of folds has {} different values for {} rows", k, labelled),
                     Remedy::group_rows);
  }
  const std::string only = labelled < rows ? fmt::format(", {} rows only train", rows - labelled) : "";
  return {rows, split_by_fold(labels, k), fmt::format("{} fold{} of the table{}", k, k == 1 ? "" : "s", only)};
}

Folds Folds::blocks(ConstVectorView order, Index k) {
  const Index rows = order.size();
  require_fold_count(rows, k);
  if (!order.allFinite()) throw InputError("the column that orders the rows is not finite everywhere");
  std::vector<Index> sorted(static_cast<std::size_t>(rows));
  std::iota(sorted.begin(), sorted.end(), Index{0});
  std::stable_sort(sorted.begin(), sorted.end(), [&](Index a, Index b) { return order(a) < order(b); });
  std::vector<Index> fold_of(static_cast<std::size_t>(rows));
  Index fold = 0;
  for (Index i = 0; i < rows; ++i) {
    const bool tied =
        i > 0 && order(sorted[static_cast<std::size_t>(i)]) == order(sorted[static_cast<std::size_t>(i) - 1]);
    if (!tied) fold = i * k / rows;
    fold_of[static_cast<std::size_t>(sorted[static_cast<std::size_t>(i)])] = fold;
  }
  std::vector<Fold> folds = split_by_fold(fold_of, k);
  if (std::any_of(folds.begin(), folds.end(), [](const Fold& f) { return f.validation.empty(); })) {
    throw InputError(
        fmt::format("{} blocks would separate rows of equal value; ask for fewer, or order by another column", k));
  }
  return {rows, std::move(folds), fmt::format("{} contiguous blocks", k)};
}

Folds Folds::regions(ConstView x, Index k, std::uint64_t seed) {
  require_fold_count(x.rows(), k);
  const std::vector<Index> region = k_means(x, k, seed);
  const std::vector<Index> counts = counts_of(region);
  if (static_cast<Index>(counts.size()) < k || std::count(counts.begin(), counts.end(), 0) > 0) {
    throw InputError(fmt::format("the inputs do not divide into {} regions; ask for fewer", k));
  }
  return {x.rows(), split_by_fold(region, k),
          fmt::format("{} regions of the inputs with {} to {} rows, seed {}", k,
                      *std::min_element(counts.begin(), counts.end()), *std::max_element(counts.begin(), counts.end()),
                      seed)};
}

}  // namespace gpcv
