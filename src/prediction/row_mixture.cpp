#include "prediction/row_mixture.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// The inputs from `first` to before `last` are the indicators of one category.
struct Category {
  Index first = 0, last = 0;
  Index levels() const { return last - first; }
};

/// A row with several unseen levels stands for every combination of levels; more would take too long.
constexpr Index most_points_of_row = 10'000;

std::vector<Category> categories_of(const Columns& columns, Index inputs) {
  std::vector<Category> categories;
  if (static_cast<Index>(columns.levels.size()) != inputs) return categories;
  for (std::size_t j = 0; j < columns.levels.size(); ++j) {
    if (columns.levels[j].empty()) continue;
    const bool goes_on =
        j > 0 && !columns.levels[j - 1].empty() && columns.feature_indices[j] == columns.feature_indices[j - 1];
    if (!goes_on) categories.push_back({static_cast<Index>(j), static_cast<Index>(j)});
    categories.back().last = static_cast<Index>(j) + 1;
  }
  return categories;
}

/// The categories of the row without a level, and the number of points that the row stands for.
std::pair<std::vector<Category>, Index> unseen_of(const std::vector<Category>& categories, ConstView x, Index row) {
  std::vector<Category> unseen;
  Index points = 1;
  for (const Category& category : categories) {
    if ((x.row(row).segment(category.first, category.levels()).array() != 0).any()) continue;
    unseen.push_back(category);
    points *= category.levels();
    if (points > most_points_of_row) {
      throw InputError(
          fmt::format("row {} has unseen levels in several categories: more than {} combinations of levels", row,
                      most_points_of_row));
    }
  }
  return {std::move(unseen), points};
}

}  // namespace

RowMixture::RowMixture(const Columns& columns, ConstView x, const Vector& noise) {
  const std::vector<Category> categories = categories_of(columns, x.cols());
  const auto is_whole = [&](Index i) {
    return x.row(i).array().isFinite().all() && (noise.size() == 0 || std::isfinite(noise(i)));
  };
  first_.push_back(0);
  for (Index i = 0; i < x.rows(); ++i) {
    first_.push_back(first_.back() + (is_whole(i) ? unseen_of(categories, x, i).second : 0));
  }
  points_.resize(first_.back(), x.cols());
  noise_.resize(noise.size() > 0 ? first_.back() : 0);
  for (Index i = 0; i < x.rows(); ++i) {
    const Index begin = first_[static_cast<std::size_t>(i)], count = first_[static_cast<std::size_t>(i) + 1] - begin;
    if (count == 0) continue;
    const std::vector<Category> unseen = unseen_of(categories, x, i).first;
    for (Index k = 0; k < count; ++k) {
      points_.row(begin + k) = x.row(i);
      Index rest = k;  // the levels are the digits of k
      for (const Category& category : unseen) {
        points_(begin + k, category.first + rest % category.levels()) = 1;
        rest /= category.levels();
      }
      if (noise.size() > 0) noise_(begin + k) = noise(i);
    }
  }
}

Prediction RowMixture::of_rows(const Prediction& of_points) const {
  const auto rows = static_cast<Index>(first_.size()) - 1;
  const bool variances = of_points.variance.size() > 0 || points_.rows() == 0;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Prediction out{Vector::Constant(rows, none), Vector::Constant(variances ? rows : 0, none), of_points.degrees};
  for (Index i = 0; i < rows; ++i) {
    const Index begin = first_[static_cast<std::size_t>(i)], count = first_[static_cast<std::size_t>(i) + 1] - begin;
    if (count == 0) continue;
    const auto mean = of_points.mean.segment(begin, count);
    out.mean(i) = count == 1 ? mean(0) : mean.mean();
    if (!variances) continue;
    out.variance(i) = of_points.variance.segment(begin, count).mean() + (mean.array() - out.mean(i)).square().mean();
  }
  return out;
}

Prediction RowMixture::predict(const Posterior& posterior, PredictOptions options) const {
  const TargetTransform& transform = posterior.model().transform;
  options.noise = noise_;
  if (transform.is_none() || options.transformed) return of_rows(posterior.predict(points_, options));
  // The mean of y depends on the variance of T(y).
  const bool mean_only = std::exchange(options.mean_only, false);
  options.transformed = true;
  Prediction out = in_target_units(transform, of_rows(posterior.predict(points_, options)));
  if (mean_only) out.variance.resize(0);
  return out;
}

Prediction predict_rows(const Posterior& posterior, ConstView x, const PredictOptions& options) {
  return RowMixture(posterior.model().columns, x, options.noise).predict(posterior, options);
}

}  // namespace gpcv
