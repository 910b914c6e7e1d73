#include "gpcv/dataset.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "data/columns/read_all.hpp"
#include "data/columns/spread.hpp"
#include "data/tables/location.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// The largest magnitude, and the least standard deviation of a target, whose squares and sums of squares are numbers
/// in double precision with room for variances far from the data.
constexpr double largest_value = 1e140, least_deviation = 1e-140;

void require_squares(const Eigen::Ref<const Vector>& values, const std::string& name) {
  const double largest = values.cwiseAbs().maxCoeff();
  if (largest <= largest_value) return;
  throw InputError(
      fmt::format("column {} reaches {:.1e}, and squares of such numbers overflow: divide it by a power of ten",
                  csv::excerpt(name), largest));
}

void require_finite(ConstVectorView values, const std::string& name) {
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values(i))) {
      throw InputError(fmt::format("column {}: row {} is {}, not a finite number; fill it in or remove the row",
                                   csv::excerpt(name), i, values(i)));
    }
  }
  if (!std::isfinite(spread(values).deviation)) {
    throw InputError(fmt::format("column {}: the values lie too far apart for double precision; rescale the column",
                                 csv::excerpt(name)));
  }
}

/// The largest ratio of the noise deviations of two rows: a row with 10¹⁰ times the noise of another has no weight
/// beside it in double precision, since the ratio of their variances is 10²⁰.
constexpr double largest_noise_ratio = 1e10;

/// Throws InputError, which names the column, unless variances of the noise of all rows are numbers beside each other.
void require_comparable_noise(const Dataset& data) {
  if (data.noise.size() == 0 || data.noise_is_learned) return;
  const double least = data.noise.minCoeff(), largest = data.noise.maxCoeff();
  const std::string name = data.columns.noise.empty() ? "noise" : data.columns.noise;
  const bool weights = data.columns.noise_is_weight;
  if (!(least > 0) || !std::isfinite(largest)) {
    throw InputError(fmt::format("column '{}': the {} of every row must be positive and finite", name,
                                 weights ? "weight" : "noise"));
  }
  const auto written = [&](double deviation) { return weights ? 1 / (deviation * deviation) : deviation; };
  if (least < least_deviation || largest > largest_value) {
    const bool small = least < least_deviation;
    throw InputError(
        fmt::format("column '{}' has the value {:.1e}, beyond what double precision can square: {} it by "
                    "a power of ten",
                    name, written(small ? least : largest), small != weights ? "multiply" : "divide"));
  }
  if (largest <= largest_noise_ratio * least) return;
  throw InputError(
      fmt::format("column '{}' has {} from {:.1e} to {:.1e}, too far apart for double precision: correct the column, "
                  "or leave out rows that hardly count",
                  name, weights ? "weights" : "noise deviations", written(weights ? largest : least),
                  written(weights ? least : largest)));
}

/// The name of input j; data from memory may have no names.
std::string name_of_input(const Dataset& data, Index j) {
  const auto& names = data.columns.features;
  return j < static_cast<Index>(names.size()) ? names[static_cast<std::size_t>(j)] : fmt::format("c{}", j);
}

}  // namespace

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
  RowReader reader(path, options);
  Dataset data = read_all(reader, options.progress);
  data.columns.dates = data.reading.dates;
  data.columns.decimal = data.reading.decimal;
  if (!data.columns.target.empty()) data.columns.target_is_date = data.reading.target_is_date;
  return data;
}

Dataset read_dataset_like(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header) {
  RowReader reader(path, trained, with_target, header);
  return read_all(reader);
}

Dataset read_dataset_like(const std::filesystem::path& path, const Columns& trained, const LikeOptions& options) {
  RowReader reader(path, trained, options);
  return read_all(reader);
}

Index Reading::table_row(Index i) const {
  // The k-th dropped row precedes row i of the data when dropped[k] − k ≤ i. That difference never decreases in k, so
  // bisection finds the number of such rows.
  Index first = 0, last = static_cast<Index>(dropped.size());
  while (first < last) {
    const Index middle = (first + last) / 2;
    if (dropped[static_cast<std::size_t>(middle)] - middle <= i) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return i + first;
}

Dataset Dataset::rows_at(const std::vector<Index>& rows) const {
  Dataset some{x(rows, Eigen::all), {}, columns};
  const auto part = [&](const Vector& all) { return all.size() > 0 ? Vector(all(rows)) : Vector(); };
  some.y = part(y);
  some.time = part(time);
  some.noise = part(noise);
  some.trust = part(trust);
  some.noise_is_learned = noise_is_learned;
  for (const Index row : rows) {
    if (!labels.empty()) some.labels.push_back(labels[static_cast<std::size_t>(row)]);
    if (!ids.empty()) some.ids.push_back(ids[static_cast<std::size_t>(row)]);
  }
  return some;
}

void require_trainable(const Dataset& data) {
  const std::string target = data.columns.target.empty() ? "target" : data.columns.target;
  if (data.inputs() == 0) throw InputError("the data have no input column; name at least one feature");
  if (data.y.size() != data.rows()) {
    throw InputError(
        fmt::format("{} rows of inputs but {} target values; name the target column", data.rows(), data.y.size()));
  }
  if (data.rows() < 3) {
    throw InputError(fmt::format("training needs at least 3 rows, the data have {}", data.rows()));
  }
  for (Index j = 0; j < data.inputs(); ++j) {
    require_finite(data.x.col(j), name_of_input(data, j));
    require_squares(data.x.col(j), name_of_input(data, j));
  }
  require_finite(data.y, target);
  require_squares(data.y, target);
  if (spread(data.y).deviation == 0) {
    throw InputError(fmt::format("the target {} is constant, every value is {}; there is nothing to learn",
                                 csv::excerpt(target), data.y(0)));
  }
  if (spread(data.y).deviation < least_deviation) {
    throw InputError(fmt::format(
        "the target {} varies by {:.1e} only, and squares of such numbers underflow: multiply it by a power of ten",
        csv::excerpt(target), spread(data.y).deviation));
  }
  require_comparable_noise(data);
}

}  // namespace gpcv
