/// Signs of time order: neighbouring rows of the table depend on each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/diagnosis/diagnosis.hpp"
#include "data/tables/location.hpp"

namespace gpcv {
namespace {

/// Shorter tables are not examined.
constexpr Index fewest_rows = 20;

/// The autocorrelation r = mean of (y_i − ȳ)(y_{i+1} − ȳ)/σ² over neighbouring rows with different inputs. Neighbours
/// with equal inputs are excluded, because repeated measurements correlate for another reason.
struct Autocorrelation {
  double r = 0;
  Index pairs = 0;

  /// For independent rows r has a standard deviation of 1/√pairs.
  bool significant() const {
    return pairs >= fewest_rows && r > std::max(0.1, 5 / std::sqrt(static_cast<double>(pairs)));
  }
};

Autocorrelation autocorrelation(const std::vector<DiagnosedColumn>& columns) {
  const DiagnosedColumn& y = columns.back();
  Autocorrelation result;
  for (Index i = 0; i + 1 < y.values.size(); ++i) {
    const auto moves = [&](const DiagnosedColumn& c) { return !c.is_target && c.values(i) != c.values(i + 1); };
    if (std::none_of(columns.begin(), columns.end(), moves)) continue;
    result.r += (y.values(i) - y.mean) / y.deviation * ((y.values(i + 1) - y.mean) / y.deviation);
    ++result.pairs;
  }
  if (result.pairs > 0) result.r /= static_cast<double>(result.pairs);
  return result;
}

/// The direction of a monotone column: +1 when the values never fall, −1 when they never rise, else 0. It is also 0
/// when the values rarely change, because a sorted column of a few classes is no time.
int direction(const DiagnosedColumn& column) {
  Index rises = 0, falls = 0;
  for (Index i = 1; i < column.values.size() && (rises == 0 || falls == 0); ++i) {
    rises += column.values(i) > column.values(i - 1);
    falls += column.values(i) < column.values(i - 1);
  }
  if ((rises > 0 && falls > 0) || rises + falls < fewest_rows / 2) return 0;
  return rises > 0 ? 1 : -1;
}

}  // namespace

void diagnose_order(const std::vector<DiagnosedColumn>& columns, const Reading& reading, std::vector<Finding>& out) {
  if (columns.empty() || !columns.back().is_target) return;
  const DiagnosedColumn& target = columns.back();
  if (target.values.size() < fewest_rows || target.constant()) return;

  std::vector<std::string> signs;
  std::string clock;
  for (std::size_t j = 0; j + 1 < columns.size(); ++j) {
    const bool dates = std::count(reading.dates.begin(), reading.dates.end(), static_cast<Index>(j)) > 0;
    const int way = direction(columns[j]);
    if (!dates && (way == 0 || counts_rows(columns[j]))) continue;
    if (clock.empty() || dates) clock = columns[j].name;
    if (signs.size() >= 3) continue;
    const char* what = dates ? "holds dates" : way > 0 ? "never falls" : "never rises";
    signs.push_back(fmt::format("{} {}", csv::excerpt(columns[j].name), what));
  }
  // A table that is sorted by its target gives no sign of time order.
  if (const Autocorrelation found = autocorrelation(columns); found.significant() && direction(target) == 0) {
    signs.push_back(fmt::format("the target's correlation from row to row is {:.2f}", found.r));
  }
  if (signs.empty()) return;
  // Without a column of times, the rows may as well be sorted by group.
  Finding finding{
      Severity::warning, "time-order",
      fmt::format("{} ({}): random folds give an optimistic error estimate",
                  clock.empty() ? "neighbouring rows are alike" : "rows look ordered in time", fmt::join(signs, ", ")),
      Remedy::use_structured_folds};
  if (!clock.empty()) {
    finding.remedy = Remedy::use_time_folds;
    finding.facts = {clock};
  }
  out.push_back(std::move(finding));
}

}  // namespace gpcv
