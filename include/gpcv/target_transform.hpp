/// Transforms of the target: a Gaussian process is trained on T(y) and predicts y.
#pragma once

#include <string>
#include <string_view>

#include "gpcv/export.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Increasing function T of the target; docs/math/transforms.md has the formulas. The default is T(y) = y.
struct GPCV_EXPORT TargetTransform {
  /// Kind of the function.
  enum class Kind { none, log, logit, sqrt, yeo_johnson } kind = Kind::none;  ///< kind of the function
  double offset = 0;                                                          ///< a of log(y + a)
  double lower = 0;                                                           ///< l of logit, log((y − l)/(u − y))
  double upper = 1;                                                           ///< u of logit
  double lambda = 1;                                                          ///< λ of yeo-johnson, in [0, 2]
  double centre = 0;  ///< c of yeo-johnson, which is applied to (y − c)/s
  double scale = 1;   ///< s of yeo-johnson

  /// Transform of the text "none", "log", "log:1", "logit", "logit:0:100", "sqrt", "yeo-johnson:0.5" or
  /// "yeo-johnson:0.5:20:3", whose numbers are λ, c and s.
  static TargetTransform parse(const std::string& text);
  /// Text that parse() accepts and that gives every number back.
  std::string to_string() const;
  /// Transformed target in words: "log(price)".
  std::string label(const std::string& target) const;

  /// Whether T(y) = y.
  bool is_none() const { return kind == Kind::none; }
  /// Whether T(y) is finite.
  bool contains(double y) const;
  /// T(y); −∞ below the domain and ∞ above it.
  double forward(double y) const;
  /// Inverse of T, continued by the nearest bound where T does not take the value t. It is at most 1e150 in size, so
  /// that squares are finite.
  double inverse(double t) const;
  /// Derivative dT/dy.
  double derivative(double y) const;
  /// T of each value.
  Vector forward(ConstVectorView y) const;
  /// Inverse of T of each value.
  Vector inverse(ConstVectorView t) const;

  /// Whether the two are the same function.
  friend bool operator==(const TargetTransform&, const TargetTransform&) = default;
};

/// Name of a kind, as in options.
GPCV_EXPORT std::string_view name_of(TargetTransform::Kind kind);

/// Choice of a transform: it is given, λ of yeo-johnson is trained, or held-out rows choose among several transforms.
struct GPCV_EXPORT TransformOptions {
  TargetTransform given = {};  ///< transform that is given
  bool trained = false;        ///< λ of yeo-johnson is trained
  bool placed = false;         ///< c and s of yeo-johnson are taken from the target
  bool automatic = false;      ///< the transform is chosen
  double least = 1;            ///< least target that a chosen transform must hold besides those of the data
  double most = -1;            ///< largest such target; below `least` where there are none

  /// Whether the range has a number in it.
  bool has_range() const { return least <= most; }
  /// Options of the text "auto", "yeo-johnson", or one that TargetTransform::parse() accepts.
  static TransformOptions parse(const std::string& text);
  /// Text that parse() accepts.
  std::string to_string() const;
  /// Whether the target stays as it is.
  bool is_none() const { return given.is_none() && !automatic; }
  /// Whether the transform depends on the data.
  bool depends_on_data() const { return trained || placed || automatic; }
  /// Transform that is known before any data are; none where it depends on them.
  TargetTransform known() const { return depends_on_data() ? TargetTransform{} : given; }
};

}  // namespace gpcv
