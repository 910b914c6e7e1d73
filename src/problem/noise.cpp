#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "gpcv/error.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

Noise Noise::parse(const std::string& text) {
  constexpr std::string_view suffix = ":fixed";
  std::string_view number = text;
  Noise noise;
  noise.given = true;
  if (number.ends_with(suffix)) {
    noise.fixed = true;
    number.remove_suffix(suffix.size());
  }
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), noise.variance);
  if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(noise.variance) ||
      !(noise.variance > 0)) {
    throw InputError(
        fmt::format("noise '{}': expected a positive variance, as 0.1 or 0.1:fixed, or learned or auto", text));
  }
  return noise;
}

std::string Noise::to_string() const { return fmt::format("{}{}", variance, fixed ? ":fixed" : ""); }

}  // namespace gpcv
