/// Findings about single columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/random.hpp"
#include "data/diagnosis/diagnosis.hpp"
#include "data/tables/location.hpp"

namespace gpcv {
namespace {

/// Values farther from the median than this many robust standard deviations are outliers.
constexpr double outlying = 10;
/// The largest acceptable ratio of the 99th to the 1st percentile of |x|. The minimum of |x| is no measure: it is about
/// 1/n in any sample around 0.
constexpr double widest_span = 1e8;
/// Below this ratio of standard deviation to |mean|, standardised values have lost half of their digits.
constexpr double least_variation = 1e-8;
constexpr std::size_t most_named = 10;

/// The number of rows that are sampled from long tables for a median, whose standard error is then 0.4 % of a standard
/// deviation.
constexpr Index rows_for_median = 100'000;

using Scratch = std::vector<double>;

/// A random sample of row numbers; empty when the table is short enough to use all rows.
std::vector<Index> rows_to_look_at(Index rows) {
  std::vector<Index> chosen;
  if (rows <= 2 * rows_for_median) return chosen;
  Random random(1);
  for (Index i = 0; i < rows_for_median; ++i) {
    chosen.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(rows))));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// Collects the values of the chosen rows, or of all rows when none are chosen.
template <class Value>
void gather(Index rows, const std::vector<Index>& chosen, const Value& value, Scratch& scratch) {
  scratch.clear();
  for (const Index i : chosen) scratch.push_back(value(i));
  if (chosen.empty()) {
    for (Index i = 0; i < rows; ++i) scratch.push_back(value(i));
  }
}

/// The order statistic at the fraction `part` in [0, 1]. The values are reordered.
double quantile(Scratch& values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Median and median absolute deviation.
struct Robust {
  double median = 0;
  double deviation = 0;  ///< 1.4826 times the median absolute deviation, which is σ of a normal distribution
};

/// The robust statistics of the values in the scratch, which are overwritten.
Robust robust(Scratch& scratch) {
  const double median = quantile(scratch, 0.5);
  for (double& value : scratch) value = std::abs(value - median);
  return {median, 1.4826 * quantile(scratch, 0.5)};
}

struct Outliers {
  Index count = 0;
  std::vector<Index> worst;  ///< row numbers, the farthest first
};

template <class Value>
Outliers outliers(Index rows, const Robust& middle, const Value& value) {
  constexpr std::size_t most_rows = 3;
  Outliers found;
  std::vector<std::pair<double, Index>> farthest;
  for (Index i = 0; i < rows; ++i) {
    const double distance = std::abs(value(i) - middle.median);
    if (distance <= outlying * middle.deviation) continue;
    ++found.count;
    farthest.emplace_back(-distance, i);
    if (farthest.size() < 1000) continue;
    std::sort(farthest.begin(), farthest.end());
    farthest.resize(most_rows);
  }
  std::sort(farthest.begin(), farthest.end());
  farthest.resize(std::min(farthest.size(), most_rows));
  for (const auto& [distance, row] : farthest) found.worst.push_back(row);
  return found;
}

/// Whether the nonzero |x| span more than `widest_span`.
bool spans_too_much(const DiagnosedColumn& column, Scratch& scratch) {
  const double largest = std::max(std::abs(column.least), std::abs(column.most));
  double smallest = largest;
  for (const double value : column.values) {
    if (value != 0) smallest = std::min(smallest, std::abs(value));
  }
  if (largest <= widest_span * smallest) return false;
  scratch.clear();
  for (const double value : column.values) {
    if (value != 0) scratch.push_back(std::abs(value));
  }
  const double high = quantile(scratch, 0.99);
  return high > widest_span * quantile(scratch, 0.01);
}

/// Whether most outliers of a positive column are no outliers of its logarithm.
bool has_long_tail(const DiagnosedColumn& column, const Outliers& found, const std::vector<Index>& chosen,
                   Scratch& scratch) {
  if (column.least <= 0 || found.count < 5) return false;
  const auto logarithm = [&](Index i) { return std::log(column.values(i)); };
  gather(column.values.size(), chosen, logarithm, scratch);
  const Robust middle = robust(scratch);
  if (middle.deviation == 0) return false;
  return 10 * outliers(column.values.size(), middle, logarithm).count <= found.count;
}

/// The number of distinct values when there are at most ten and each occurs several times on average; otherwise 0.
Index few_distinct(const DiagnosedColumn& column) {
  constexpr std::size_t few = 10;
  std::vector<double> seen;
  for (const double value : column.values) {
    if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
    seen.push_back(value);
    if (seen.size() > few) return 0;
  }
  const auto distinct = static_cast<Index>(seen.size());
  return column.values.size() >= 5 * distinct ? distinct : 0;
}

std::string described(const DiagnosedColumn& column, const Outliers& found, const Reading& reading) {
  std::vector<Index> rows;
  for (const Index row : found.worst) rows.push_back(reading.table_row(row) + 1);
  return fmt::format("{} {} ({} {}{})", csv::excerpt(column.name), found.count, rows.size() == 1 ? "row" : "rows",
                     fmt::join(rows, ", "), found.count > static_cast<Index>(rows.size()) ? ", …" : "");
}

struct Report {
  std::vector<std::string> constant, flat, wide, long_tailed;
  std::vector<std::string> outlying;
  std::size_t outlying_columns = 0;
};

void look_at(const DiagnosedColumn& column, const Reading& reading, const std::vector<Index>& chosen, Scratch& scratch,
             Report& report) {
  if (column.constant()) {
    // Training refuses a constant target; a level may occur only in rows that were left out.
    const bool unseen_level = column.category >= 0 && column.most == 0;
    if (!column.is_target && !unseen_level) report.constant.push_back(column.name);
    return;
  }
  if (column.deviation < least_variation * std::abs(column.mean)) report.flat.push_back(column.name);
  if (spans_too_much(column, scratch)) {
    report.wide.push_back(column.name);
    return;
  }
  const auto value = [&](Index i) { return column.values(i); };
  gather(column.values.size(), chosen, value, scratch);
  const Robust middle = robust(scratch);
  if (middle.deviation == 0) return;  // more than half of the values are equal, so there is no robust scale
  if (std::max(column.most - middle.median, middle.median - column.least) <= outlying * middle.deviation) return;
  const Outliers found = outliers(column.values.size(), middle, value);
  if (has_long_tail(column, found, chosen, scratch)) {
    report.long_tailed.push_back(column.name);
    return;
  }
  if (report.outlying.size() < most_named) report.outlying.push_back(described(column, found, reading));
  ++report.outlying_columns;
}

}  // namespace

void diagnose_columns(const std::vector<DiagnosedColumn>& columns, const Reading& reading, std::vector<Finding>& out) {
  Report report;
  Scratch scratch;
  const std::vector<Index> chosen = rows_to_look_at(columns.empty() ? 0 : columns.front().values.size());
  for (const DiagnosedColumn& column : columns) look_at(column, reading, chosen, scratch, report);
  const auto warn = [&](const char* code, std::string text) {
    out.push_back({Severity::warning, code, std::move(text)});
  };
  if (!report.constant.empty()) {
    const bool one = report.constant.size() == 1;
    out.push_back({Severity::warning, "constant",
                   fmt::format("{} {} constant and carr{} no information", named(report.constant), one ? "is" : "are",
                               one ? "ies" : "y"),
                   Remedy::leave_columns_out, report.constant});
  }
  if (!report.flat.empty()) {
    warn("scale", fmt::format("{} var{} by less than 1e-8 of the mean, so digits are lost: subtract a constant "
                              "before writing the table",
                              named(report.flat), report.flat.size() == 1 ? "ies" : "y"));
  }
  if (!report.wide.empty()) {
    warn("scale", fmt::format("{} span{} more than 8 orders of magnitude: use the logarithm, or other units",
                              named(report.wide), report.wide.size() == 1 ? "s" : ""));
  }
  if (!report.long_tailed.empty()) {
    warn("long-tail", fmt::format("{} {} positive with a long tail of large values: use the logarithm",
                                  named(report.long_tailed), report.long_tailed.size() == 1 ? "is" : "are"));
  }
  if (!report.outlying.empty()) {
    if (report.outlying_columns > most_named) {
      report.outlying.push_back(fmt::format("… ({} columns in all)", report.outlying_columns));
    }
    warn("outliers", fmt::format("values more than {} robust standard deviations from the median: {}; correct or "
                                 "remove them if they are wrong",
                                 outlying, fmt::join(report.outlying, ", ")));
  }
  for (const DiagnosedColumn& column : columns) {
    const Index distinct = column.is_target && !column.constant() ? few_distinct(column) : 0;
    if (distinct == 0) continue;
    warn("few-values", fmt::format("the target {} has only {} distinct values: if they are classes, this is not "
                                   "regression and predictions will lie between them",
                                   csv::excerpt(column.name), distinct));
  }
}

}  // namespace gpcv
