/// Rows that occur more than once.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "data/diagnosis/diagnosis.hpp"
#include "data/tables/location.hpp"

namespace gpcv {
namespace {

constexpr Index none = -1;

using ColumnSpan = std::span<const DiagnosedColumn>;

/// Adds a column to the hash of every row. Columns are hashed one by one, so that memory is read in order; −0 and 0
/// have equal hashes.
void mix(const DiagnosedColumn& column, std::vector<std::uint64_t>& hashes) {
  const double* value = column.values.data();
  for (std::uint64_t& hash : hashes) {
    const auto bits = std::bit_cast<std::uint64_t>(*value++ + 0.0);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
}

bool equal_rows(ColumnSpan columns, Index a, Index b) {
  for (const DiagnosedColumn& column : columns) {
    if (column.values(a) != column.values(b)) return false;
  }
  return true;
}

/// For each row the first row equal to it, or none when there is no earlier one. The hash table holds row numbers and
/// uses open addressing.
std::vector<Index> first_equal(ColumnSpan columns, const std::vector<std::uint64_t>& hashes) {
  const std::size_t slots = std::bit_ceil(2 * hashes.size() + 1);
  std::vector<Index> table(slots, none), first(hashes.size(), none);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const auto row = static_cast<Index>(i);
    for (std::size_t at = hashes[i] & (slots - 1);; at = (at + 1) & (slots - 1)) {
      if (table[at] == none) {
        table[at] = row;
        break;
      }
      if (hashes[static_cast<std::size_t>(table[at])] == hashes[i] && equal_rows(columns, table[at], row)) {
        first[i] = table[at];
        break;
      }
    }
  }
  return first;
}

/// The variation of the target at equal inputs: Σ(y − ȳ)² within groups by Welford's update, with rows − groups degrees
/// of freedom.
struct Replicates {
  Index rows = 0, groups = 0;
  double squares = 0;

  double noise() const { return std::sqrt(squares / static_cast<double>(rows - groups)); }
};

Replicates replicates(const Eigen::Map<const Vector>& y, const std::vector<Index>& same_inputs,
                      const std::vector<Index>& same_row) {
  struct Group {
    Index count = 1;
    double mean = 0;
  };
  std::vector<Group> groups;
  std::vector<Index> group_of(same_inputs.size(), none);
  Replicates result;
  for (std::size_t i = 0; i < same_inputs.size(); ++i) {
    // Copies of a row carry no information about the noise.
    if (same_inputs[i] == none || same_row[i] != none) continue;
    Index& number = group_of[static_cast<std::size_t>(same_inputs[i])];
    if (number == none) {
      number = static_cast<Index>(groups.size());
      groups.push_back({1, y(same_inputs[i])});
      ++result.groups;
      ++result.rows;
    }
    Group& group = groups[static_cast<std::size_t>(number)];
    const double value = y(static_cast<Index>(i)), before = value - group.mean;
    group.mean += before / static_cast<double>(++group.count);
    result.squares += before * (value - group.mean);
    ++result.rows;
  }
  return result;
}

Index count_repeats(const std::vector<Index>& first) {
  Index count = 0;
  for (const Index row : first) count += row != none;
  return count;
}

}  // namespace

void diagnose_rows(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out) {
  if (columns.size() < 2 || !columns.back().is_target) return;
  const DiagnosedColumn& target = columns.back();
  const ColumnSpan all(columns), inputs = all.first(all.size() - 1);
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(target.values.size()), 0x243F6A8885A308D3u);
  for (const DiagnosedColumn& column : inputs) mix(column, hashes);
  const std::vector<Index> same_inputs = first_equal(inputs, hashes);
  if (count_repeats(same_inputs) == 0) return;
  mix(target, hashes);
  const std::vector<Index> same_row = first_equal(all, hashes);

  if (const Index copies = count_repeats(same_row); copies > 0) {
    out.push_back({Severity::warning, "same-rows",
                   fmt::format("{} row{} an earlier one in every cell: random folds predict {} from {}; remove {} "
                               "unless measured independently",
                               copies, copies == 1 ? " repeats" : "s repeat", copies == 1 ? "it" : "them",
                               copies == 1 ? "its copy" : "their copies", copies == 1 ? "it" : "them")});
  }
  const Replicates found = replicates(target.values, same_inputs, same_row);
  if (found.groups == 0) return;
  out.push_back(
      {Severity::note, "same-inputs",
       fmt::format("{} rows share their inputs with others ({} distinct) but not the target: they alone imply "
                   "a noise standard deviation of {:.3g} in the units of {}",
                   found.rows, found.groups, found.noise(), csv::excerpt(target.name))});
}

}  // namespace gpcv
