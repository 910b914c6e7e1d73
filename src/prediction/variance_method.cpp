#include <fmt/format.h>

#include <charconv>

#include "gpcv/error.hpp"
#include "gpcv/prediction_table.hpp"
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

Index VarianceMethod::rows_at_once() const {
  // More points of a file share the factorisations of cells.
  constexpr Index may_share = 256, sharing = 8;
  const bool share = kind == Kind::neighbours && neighbours > may_share;
  return share ? sharing * rows_per_prediction_batch : rows_per_prediction_batch;
}

}  // namespace gpcv
