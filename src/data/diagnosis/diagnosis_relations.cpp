/// Columns that say the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/random.hpp"
#include "data/diagnosis/diagnosis.hpp"
#include "data/tables/location.hpp"

namespace gpcv {
namespace {

/// Of a column's largest deviation: tables are often written with six digits.
constexpr double rounding = 1e-5;

/// b_j = a + slope · b_i
struct Relation {
  std::size_t from = 0, to = 0;
  double slope = 0, offset = 0;
};

std::optional<Relation> relation(const std::vector<DiagnosedColumn>& columns, std::size_t from, std::size_t to) {
  const DiagnosedColumn &x = columns[from], &y = columns[to];
  if (x.category >= 0 && x.category == y.category) return std::nullopt;  // of two levels, one is what the other is not
  const auto dx = (x.values.array() - x.mean) / x.deviation, dy = (y.values.array() - y.mean) / y.deviation;
  const double allowed = rounding * std::max(y.most - y.mean, y.mean - y.least) / y.deviation;
  const auto differ = [&](Index rows, double sign) { return (dy - sign * dx).head(rows).abs().maxCoeff() > allowed; };
  // Most pairs that meet by chance part within the first rows.
  const Index all = x.values.size(), few = std::min<Index>(all, 100);
  if (differ(few, 1) && differ(few, -1)) return std::nullopt;
  const double sign = (dx * dy).sum() < 0 ? -1 : 1;
  if (differ(all, sign)) return std::nullopt;
  const double slope = sign * y.deviation / x.deviation;
  return Relation{from, to, slope, y.mean - slope * x.mean};
}

/// |Σ w_i (x_i − μ)/σ| with the same random w for every column: equal for columns that are linearly related. O(n·d),
/// and only columns whose sums meet are compared row by row.
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
  // ‖w‖ = 1 and rounding errors do not know w: their sum is about one row's, `rounding` times the largest deviation.
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
