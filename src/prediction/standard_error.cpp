#include "prediction/standard_error.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "core/student.hpp"

namespace gpcv {
namespace {

/// Scale √((ν − 2)/ν) at which Student's t has the variance 1.
double unit_scale(double degrees) { return std::sqrt((degrees - 2) / degrees); }

double normal_density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }

/// B(a, b) = Γ(a)Γ(b)/Γ(a + b)
double beta(double a, double b) { return std::exp(std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b)); }

}  // namespace

double probability_below(double z, double degrees) {
  if (std::isinf(degrees)) return 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return boost::math::cdf(Student(degrees), z / unit_scale(degrees));
}

double standard_negative_log_density(double z, double degrees) {
  if (std::isinf(degrees)) return 0.5 * (std::log(2 * std::numbers::pi) + z * z);
  // t = z/s:  log s + log √ν B(½, ν/2) + ½ (ν + 1) log(1 + t²/ν)
  const double s = unit_scale(degrees), t = z / s;
  return std::log(s * std::sqrt(degrees) * beta(0.5, 0.5 * degrees)) +
         0.5 * (degrees + 1) * std::log1p(t * t / degrees);
}

double standard_crps(double z, double degrees) {
  // z (2Φ(z) − 1) + 2 φ(z) − 1/√π
  if (std::isinf(degrees)) {
    return z * std::erf(z / std::numbers::sqrt2) + 2 * normal_density(z) - std::numbers::inv_sqrtpi;
  }
  // With t = z/s and Student's distribution F and density f:
  // s [t (2F(t) − 1) + 2 f(t) (ν + t²)/(ν − 1) − 2 √ν B(½, ν − ½) / ((ν − 1) B(½, ν/2)²)]
  const double s = unit_scale(degrees), t = z / s;
  const Student student(degrees);
  return s *
         (t * (2 * boost::math::cdf(student, t) - 1) +
          2 * boost::math::pdf(student, t) * (degrees + t * t) / (degrees - 1) -
          2 * std::sqrt(degrees) * beta(0.5, degrees - 0.5) / ((degrees - 1) * std::pow(beta(0.5, 0.5 * degrees), 2)));
}

double standard_quantile(double probability, double degrees) {
  if (std::isinf(degrees)) return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * probability);
  return unit_scale(degrees) * boost::math::quantile(Student(degrees), probability);
}

}  // namespace gpcv
