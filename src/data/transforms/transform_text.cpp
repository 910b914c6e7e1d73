/// Transforms as text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/target_transform.hpp"

namespace gpcv {
namespace {

using Kind = TargetTransform::Kind;

constexpr std::array<Kind, 5> kinds{Kind::none, Kind::log, Kind::logit, Kind::sqrt, Kind::yeo_johnson};
constexpr double largest_lambda = 2;

[[noreturn]] void refuse(const std::string& text, std::string_view why) {
  throw InputError(
      fmt::format("transform '{}': {}; the transforms are none, log or log:OFFSET, logit or logit:LOWER:UPPER, sqrt, "
                  "yeo-johnson or yeo-johnson:LAMBDA, and auto",
                  text, why));
}

double number_of(const std::string& text, std::string_view part) {
  double value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(value)) {
    refuse(text, fmt::format("'{}' is not a number", part));
  }
  return value;
}

/// Name and numbers of "NAME:NUMBER:…".
struct Parts {
  std::string_view name;
  std::vector<double> numbers;
};

Parts parts_of(const std::string& text) {
  std::string_view rest = text;
  const auto next = [&] {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string_view part = rest.substr(0, colon);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    return part;
  };
  Parts parts{next(), {}};
  const std::size_t colons = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
  for (std::size_t i = 0; i < colons; ++i) parts.numbers.push_back(number_of(text, next()));
  return parts;
}

void require_count(const std::string& text, const Parts& parts, std::initializer_list<std::size_t> counts) {
  if (std::find(counts.begin(), counts.end(), parts.numbers.size()) != counts.end()) return;
  refuse(text, fmt::format("{} does not take {} number{}", parts.name, parts.numbers.size(),
                           parts.numbers.size() == 1 ? "" : "s"));
}

/// " + 3", " - 3" or nothing.
std::string added(double offset) {
  if (offset == 0) return "";
  return fmt::format(" {} {:g}", offset < 0 ? "-" : "+", std::abs(offset));
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::none:
      break;
    case Kind::log:
      return "log";
    case Kind::logit:
      return "logit";
    case Kind::sqrt:
      return "sqrt";
    case Kind::yeo_johnson:
      return "yeo-johnson";
  }
  return "none";
}

TargetTransform TargetTransform::parse(const std::string& text) {
  const Parts parts = parts_of(text);
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](Kind k) { return name_of(k) == parts.name; });
  if (found == kinds.end()) refuse(text, fmt::format("there is no '{}'", parts.name));
  const std::vector<double>& numbers = parts.numbers;
  TargetTransform out{.kind = *found};
  switch (out.kind) {
    case Kind::none:
    case Kind::sqrt:
      require_count(text, parts, {0});
      break;
    case Kind::log:
      require_count(text, parts, {0, 1});
      if (!numbers.empty()) out.offset = numbers[0];
      break;
    case Kind::logit:
      require_count(text, parts, {0, 2});
      if (numbers.empty()) break;
      out.lower = numbers[0];
      out.upper = numbers[1];
      if (!(out.lower < out.upper)) refuse(text, "the lower bound must be below the upper one");
      break;
    case Kind::yeo_johnson:
      require_count(text, parts, {1, 3});
      out.lambda = numbers[0];
      if (!(out.lambda >= 0 && out.lambda <= largest_lambda)) refuse(text, "LAMBDA lies between 0 and 2");
      if (numbers.size() == 1) break;
      out.centre = numbers[1];
      out.scale = numbers[2];
      if (!(out.scale > 0)) refuse(text, "the scale must be positive");
      break;
  }
  return out;
}

std::string TargetTransform::to_string() const {
  std::string name(name_of(kind));
  if (kind == Kind::log && offset != 0) return fmt::format("{}:{}", name, offset);
  if (kind == Kind::logit && (lower != 0 || upper != 1)) return fmt::format("{}:{}:{}", name, lower, upper);
  if (kind != Kind::yeo_johnson) return name;
  if (centre == 0 && scale == 1) return fmt::format("{}:{}", name, lambda);
  return fmt::format("{}:{}:{}:{}", name, lambda, centre, scale);
}

std::string TargetTransform::label(const std::string& target) const {
  std::string name = target.empty() ? "y" : target;
  switch (kind) {
    case Kind::none:
      break;
    case Kind::log:
      return fmt::format("log({}{})", name, added(offset));
    case Kind::logit:
      if (lower == 0 && upper == 1) return fmt::format("logit({})", name);
      return fmt::format("logit({} from {:g} to {:g})", name, lower, upper);
    case Kind::sqrt:
      return fmt::format("sqrt({})", name);
    case Kind::yeo_johnson:
      return fmt::format("yeo-johnson({})", name);
  }
  return name;
}

TransformOptions TransformOptions::parse(const std::string& text) {
  TransformOptions out;
  if (text == "auto") {
    out.automatic = true;
  } else if (text == name_of(Kind::yeo_johnson)) {
    out.given.kind = Kind::yeo_johnson;
    out.trained = out.placed = true;
  } else {
    out.given = TargetTransform::parse(text);
    out.placed = out.given.kind == Kind::yeo_johnson && std::count(text.begin(), text.end(), ':') == 1;
  }
  return out;
}

std::string TransformOptions::to_string() const {
  if (automatic) return "auto";
  if (trained) return std::string(name_of(given.kind));
  return given.to_string();
}

}  // namespace gpcv
