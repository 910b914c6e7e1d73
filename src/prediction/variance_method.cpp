#include <fmt/format.h>

#include <charconv>

#include "evaluation/conditioning.hpp"
#include "gpcv/error.hpp"
#include "prediction/variance.hpp"

namespace gpcv {

VarianceMethod VarianceMethod::parse(const std::string& text) {
  constexpr std::string_view prefix = "neighbours:";
  if (text == "auto") return {};
  if (text == "exact") return {.kind = Kind::exact};
  if (text.starts_with(prefix)) {
    VarianceMethod method{.kind = Kind::neighbours};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + prefix.size(), end, method.neighbours);
    if (error == std::errc() && rest == end && method.neighbours >= 1) return method;
  }
  throw InputError(fmt::format("variance '{}': expected auto, exact or neighbours:K, as neighbours:1024", text));
}

std::string VarianceMethod::to_string() const {
  switch (kind) {
    case Kind::automatic:
      return "auto";
    case Kind::exact:
      return "exact";
    case Kind::neighbours:
      return fmt::format("neighbours:{}", neighbours);
  }
  return "auto";
}

double variance_factor(const Model& model, const std::string& method) {
  const std::vector<VarianceFactor>& known = model.variance_factors;
  for (const VarianceFactor& f : known) {
    if (f.method == method) return f.factor;
  }
  return known.empty() ? 1 : known.front().factor;
}

VarianceMethod resolve_variance(const VarianceMethod& method, const Model& model, Index test_points,
                                const ComputeOptions& compute) {
  if (method.kind != VarianceMethod::Kind::automatic) return method;
  VarianceMethod near{.kind = VarianceMethod::Kind::neighbours};
  if (!factor_fits(model.x.rows(), model.x.cols(), compute)) return near;
  // Exact is worth up to three times the work: n³/3 once and n² per point, against k³/3 per point.
  const auto n = static_cast<double>(model.x.rows()), m = static_cast<double>(test_points);
  const auto k = static_cast<double>(std::min(model.x.rows(), near.neighbours));
  const bool affordable = n * n * n / 3 + n * n * m <= 3 * m * k * k * k / 3 || model.x.rows() <= 4096;
  return affordable ? VarianceMethod{.kind = VarianceMethod::Kind::exact} : near;
}

}  // namespace gpcv
