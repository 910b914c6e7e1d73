/// Columns that are linear functions of each other.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/random.hpp"
#include "data/diagnosis/diagnosis.hpp"
#include "data/tables/location.hpp"

namespace gpcv {
namespace {

/// The tolerance relative to a column's largest deviation, for tables that are written with six digits.
constexpr double rounding = 1e-5;

/// x_to = offset + slope · x_from
struct Relation {
  std::size_t from = 0, to = 0;
  double slope = 0, offset = 0;
};

std::optional<Relation> relation(const std::vector<DiagnosedColumn>& columns, std::size_t from, std::size_t to) {
  const DiagnosedColumn &x = columns[from], &y = columns[to];
  // The indicators of two levels are complementary.
  if (x.category >= 0 && x.category == y.category) return std::nullopt;
  const auto dx = (x.values.array() - x.mean) / x.deviation, dy = (y.values.array() - y.mean) / y.deviation;
  const double allowed = rounding * std::max(y.most - y.mean, y.mean - y.least) / y.deviation;
  const auto differ = [&](Index rows, double sign) { return (dy - sign * dx).head(rows).abs().maxCoeff() > allowed; };
  // Most pairs whose signatures agree by chance differ within the first rows.
  const Index all = x.values.size(), few = std::min<Index>(all, 100);
  if (differ(few, 1) && differ(few, -1)) return std::nullopt;
  const double sign = (dx * dy).sum() < 0 ? -1 : 1;
  if (differ(all, sign)) return std::nullopt;
  const double slope = sign * y.deviation / x.deviation;
  return Relation{from, to, slope, y.mean - slope * x.mean};
}

/// The signature |Σ w_i (x_i − μ)/σ| of every column, sorted. The random w is the same for all columns, so linearly
/// related columns have equal signatures. This takes O(n·d) operations, and only columns with equal signatures are
/// compared row by row.
std::vector<std::pair<double, std::size_t>> signatures(const std::vector<DiagnosedColumn>& columns) {
  const Index n = columns.front().values.size();
  Random random(1);
  Vector weights(n);
  for (double& weight : weights) weight = random.uniform(-1, 1);
  weights.array() -= weights.mean();
  weights.normalize();
  std::vector<std::pair<double, std::size_t>> result;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const DiagnosedColumn& c = columns[j];
    if (c.constant() || !(c.deviation > 0)) continue;
    const double sum = (weights.array() * ((c.values.array() - c.mean) / c.deviation)).sum();
    result.emplace_back(std::abs(sum), j);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string described(const std::vector<DiagnosedColumn>& columns, const Relation& r) {
  const DiagnosedColumn &x = columns[r.from], &y = columns[r.to];
  const std::string from = csv::excerpt(x.name), to = csv::excerpt(y.name);
  if ((x.values.array() == y.values.array()).all()) return fmt::format("{} equals {}", to, from);
  const bool shifted = std::abs(r.offset) > 1e-5 * std::max(std::abs(y.most), std::abs(y.least));
  if (!shifted) return fmt::format("{} is {:.6g} times {}", to, r.slope, from);
  return fmt::format("{} is {:.6g} {} {:.6g} times {}", to, r.offset, r.slope < 0 ? "minus" : "plus", std::abs(r.slope),
                     from);
}

std::string listed(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 5;
  if (texts.size() <= most) return fmt::format("{}", fmt::join(texts, ", "));
  return fmt::format("{}, … ({} in all)", fmt::join(texts.begin(), texts.begin() + most, ", "), texts.size());
}

}  // namespace

void diagnose_relations(const std::vector<DiagnosedColumn>& columns, std::vector<Finding>& out) {
  if (columns.empty() || columns.front().values.size() < 3) return;
  const auto sums = signatures(columns);
  // Rounding errors are independent of w and ‖w‖ = 1, so their weighted sum is about as large as the error of one row,
  // `rounding` times the largest deviation.
  const double window = 10 * rounding;
  std::vector<bool> explained(columns.size(), false);
  std::vector<Relation> found;
  for (std::size_t a = 0; a < sums.size(); ++a) {
    if (explained[sums[a].second]) continue;
    for (std::size_t b = a + 1; b < sums.size() && sums[b].first - sums[a].first <= window; ++b) {
      if (explained[sums[b].second]) continue;
      const auto [from, to] = std::minmax(sums[a].second, sums[b].second);
      if (const auto related = relation(columns, from, to)) {
        explained[to] = true;
        found.push_back(*related);
        if (to == sums[a].second) break;
      }
    }
  }
  std::sort(found.begin(), found.end(), [](const Relation& a, const Relation& b) { return a.to < b.to; });
  std::vector<std::string> inputs, target;
  for (const Relation& r : found) (columns[r.to].is_target ? target : inputs).push_back(described(columns, r));
  if (!inputs.empty()) {
    out.push_back({Severity::warning, "same-columns", fmt::format("{}: the same information twice", listed(inputs)),
                   Remedy::leave_one_column_out});
  }
  if (!target.empty()) {
    out.push_back(
        {Severity::warning, "leak",
         fmt::format("the target {}: leave that input out unless it is known before the target is", listed(target))});
  }
}

}  // namespace gpcv
