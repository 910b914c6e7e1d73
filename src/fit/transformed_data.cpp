#include "fit/transformed_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/median.hpp"
#include "data/columns/spread.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

using Kind = TargetTransform::Kind;

/// Targets with a largest value below this part of one are so far from it that their logit is nearly their logarithm.
constexpr double least_share = 0.2;

std::string target_of(const Dataset& data) { return data.columns.target.empty() ? "y" : data.columns.target; }

/// The least number with one digit that is not below a positive value.
double rounded_up(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)));
  return std::ceil(value / unit) * unit;
}

/// Part of the range of the targets by which suggested bounds lie outside of them.
constexpr double margin = 0.01;

/// Text of a transform like the given one whose domain holds all targets; empty where there is none.
std::string extended(const TargetTransform& transform, double least, double most) {
  const double beyond = rounded_up(margin * (most - least));
  if (transform.kind == Kind::log) return least > 0 ? "log" : fmt::format("log:{:.12g}", rounded_up(beyond - least));
  if (transform.kind != Kind::logit) return "";
  if (least > 0 && most < 100) return "logit:0:100";
  return fmt::format("logit:{:.12g}:{:.12g}", std::floor(least / beyond) * beyond - beyond,
                     std::ceil(most / beyond) * beyond + beyond);
}

std::string domain_of(const TargetTransform& transform) {
  if (transform.kind == Kind::log) return fmt::format("values above {:g}", 0 - transform.offset);
  if (transform.kind == Kind::logit)
    return fmt::format("values between {:g} and {:g}", transform.lower, transform.upper);
  return "values from 0 on";
}

void require_inside(const Dataset& data, const TargetTransform& transform) {
  constexpr std::size_t shown = 3;
  Index count = 0;
  std::vector<std::string> rows;
  for (Index i = 0; i < data.rows(); ++i) {
    if (transform.contains(data.y(i))) continue;
    ++count;
    if (rows.size() < shown) rows.push_back(fmt::format("{} ({:g})", data.reading.table_row(i) + 1, data.y(i)));
  }
  if (count == 0) return;
  std::vector<std::string> other;
  const std::string wider = extended(transform, data.y.minCoeff(), data.y.maxCoeff());
  if (!wider.empty()) other.push_back(wider);
  other.emplace_back(name_of(Kind::yeo_johnson));
  throw InputError(
      fmt::format("the transform {} takes {}; '{}' has {} other{} in row{} {}{}, counted from 1", transform.to_string(),
                  domain_of(transform), target_of(data), count, count == 1 ? "" : "s", count == 1 ? "" : "s",
                  fmt::join(rows, ", "), count > static_cast<Index>(shown) ? ", …" : ""),
      Remedy::change_transform, other);
}

}  // namespace

void require_transformable(const Dataset& data, const FitOptions& options) {
  const TransformOptions& wanted = options.transform;
  if (wanted.is_none()) return;
  if (data.noise.size() > 0 && !data.columns.noise_is_weight) {
    throw InputError(
        fmt::format("the noise of each row is known in units of '{}', which a transform changes", target_of(data)),
        Remedy::omit_option, {"transform"});
  }
  if (wanted.automatic && !uses_folds(options.train.trainer)) {
    throw InputError(fmt::format("held-out errors choose the transform, and the trainer {} does not use them",
                                 options.train.trainer),
                     Remedy::change_transform, {"log", "yeo-johnson"});
  }
  if (!wanted.automatic) require_inside(data, wanted.given);
}

std::vector<TransformOptions> transform_candidates(const Dataset& data, const TransformOptions& options) {
  std::vector<TransformOptions> out(1);
  double least = data.y.minCoeff(), most = data.y.maxCoeff();
  if (options.has_range()) {
    least = std::min(least, options.least);
    most = std::max(most, options.most);
  }
  const auto add = [&](const std::string& text) { out.push_back(TransformOptions::parse(text)); };
  if (least > 0) add("log");
  if (least > 0 && most < 1 && most >= least_share) add("logit");
  if (least >= 0) add("sqrt");
  add("yeo-johnson");
  return out;
}

TargetTransform placed(const TransformOptions& options, ConstVectorView y) {
  TargetTransform out = options.given;
  if (!options.placed) return out;
  out.centre = median(y);
  // Of a skewed target the deviation measures the long tail; the median distance measures the part that is to be kept.
  out.scale = median((y.array() - out.centre).abs());
  if (!(out.scale > 0)) out.scale = spread(y).deviation;  // more than half of the targets are equal
  return out;
}

Dataset transformed(const Dataset& data, const TargetTransform& transform) {
  Dataset out = data;
  if (!transform.is_none()) out.y = transform.forward(data.y);
  return out;
}

}  // namespace gpcv
