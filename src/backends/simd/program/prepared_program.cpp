#include "backends/simd/program/prepared_program.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "gpcv/error.hpp"

namespace gpcv::simd {
namespace {

constexpr double log2e = std::numbers::log2e;

/// The limit beyond which a scaled coordinate is compressed. Squares of differences then stay finite, so that inf − inf
/// and 0 · inf never occur; k is 0 at far smaller distances.
template <class T>
constexpr double coordinate_limit = sizeof(T) == 4 ? 1e15 : 1e150;

/// The identity up to the limit L, then ±L (1 + ln|x/L|): distinct distant points stay distinct and far apart.
template <class T>
double compressed(double x) {
  constexpr double limit = coordinate_limit<T>;
  if (std::abs(x) <= limit) return x;
  const double excess = std::min(std::log(std::abs(x) / limit), 1000.0);
  return std::copysign(limit * (1 + excess), x);
}

template <class T>
T bounded_weight(double weight) {
  return static_cast<T>(std::min(weight, coordinate_limit<T>));
}

Metric metric_of(Op op) {
  switch (op) {
    case Op::lp:
      return Metric::distance_sine;
    case Op::periodic:
      return Metric::sine;
    case Op::linear:
      return Metric::dot;
    case Op::constant:
      return Metric::none;
    case Op::se:
    case Op::matern12:
    case Op::matern32:
    case Op::matern52:
    case Op::rq:
      return Metric::distance;
    case Op::add:
    case Op::multiply:
      break;
  }
  throw InputError("a combination of kernels has no metric");
}

/// The factor c with −m = c² r², as the profile requires.
double distance_scale(Op op, double shape) {
  switch (op) {
    case Op::se:
    case Op::lp:
      return std::sqrt(log2e / 2);  // exp(−r²/2) = 2^m
    case Op::matern12:
      return log2e;  // exp(−r) = 2^−√−m
    case Op::matern32:
      return std::numbers::sqrt3 * log2e;  // exp(−√3 r) = 2^−√−m
    case Op::matern52:
      return std::sqrt(5.0) * log2e;  // exp(−√5 r) = 2^−√−m
    case Op::rq:
      return 1 / std::sqrt(2 * shape);  // 1 + r²/(2a) = 1 − m
    default:
      return 1;
  }
}

/// The ratio of ∂k/∂log l to (k, slope tile, or 1) times the group's part of m.
double length_factor(Op op, double variance) {
  switch (op) {
    case Op::se:
    case Op::lp:
    case Op::periodic:
      return -2 * std::numbers::ln2;  // d(2^m)/dlog l = −2 ln 2 · m 2^m
    case Op::linear:
      return -2 * variance;
    default:
      return -1;
  }
}

/// A column of a leaf; ordered_columns() puts those that share a length scale next to each other.
struct LeafColumn {
  Index input;
  int slot;
  int theta;
};

std::vector<LeafColumn> ordered_columns(const KernelProgram& program, const Instruction& leaf) {
  std::vector<LeafColumn> columns;
  for (int c = 0; c < leaf.column_count; ++c) {
    const int slot = program.lengths[static_cast<std::size_t>(leaf.first_column + c)];
    const int theta = slot < 0 ? -1 : program.theta[static_cast<std::size_t>(slot)];
    columns.push_back({program.columns[static_cast<std::size_t>(leaf.first_column + c)], slot, theta});
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [](const LeafColumn& a, const LeafColumn& b) { return a.theta < b.theta; });
  return columns;
}

std::vector<LengthGroup> groups_of(const std::vector<LeafColumn>& columns) {
  std::vector<LengthGroup> groups;
  for (int c = 0; c < static_cast<int>(columns.size()); ++c) {
    const int theta = columns[static_cast<std::size_t>(c)].theta;
    if (theta < 0) continue;
    if (groups.empty() || groups.back().theta != theta) groups.push_back({theta, c, 0});
    ++groups.back().count;
  }
  return groups;
}

/// The middle of the column, about which float coordinates keep the most digits; differences do not depend on it.
double centre_of(ConstView x, Index column) {
  if (x.rows() == 0) return 0;
  const double low = x.col(column).minCoeff(), high = x.col(column).maxCoeff();
  return low + (high / 2 - low / 2);
}

template <class T, class Map>
AlignedBuffer<T> mapped(ConstView x, const std::vector<LeafColumn>& columns, const Map& map) {
  const auto n = static_cast<std::size_t>(x.rows());
  const std::size_t stride = padded_stride<T>(n);
  AlignedBuffer<T> out(stride * columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      out.data()[c * stride + i] = static_cast<T>(map(c, x(static_cast<Index>(i), columns[c].input)));
    }
  }
  return out;
}

}  // namespace

Profile profile_of(Op op) {
  switch (op) {
    case Op::matern12:
      return Profile::matern12;
    case Op::matern32:
      return Profile::matern32;
    case Op::matern52:
      return Profile::matern52;
    case Op::rq:
      return Profile::rational;
    case Op::linear:
      return Profile::scaled;
    case Op::constant:
      return Profile::constant;
    case Op::se:
    case Op::lp:
    case Op::periodic:
      return Profile::exponential;
    case Op::add:
    case Op::multiply:
      break;
  }
  throw InputError("a combination of kernels has no profile");
}

bool has_slope(Op op) {
  switch (profile_of(op)) {
    case Profile::matern12:
    case Profile::matern32:
    case Profile::matern52:
    case Profile::rational:
      return true;
    case Profile::exponential:
    case Profile::scaled:
    case Profile::constant:
      break;
  }
  return false;
}

template <class T>
PreparedProgram<T>::PreparedProgram(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric)
    : rows_(static_cast<std::size_t>(x1.rows())),
      cols_(static_cast<std::size_t>(x2.rows())),
      parameters_(static_cast<std::size_t>(program.parameters)),
      leaves_(program.code.size()) {
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    if (program.is_leaf(program.code[i])) prepare(program, program.code[i], x1, x2, symmetric, leaves_[i]);
  }
}

template <class T>
const T* PreparedProgram<T>::keep(AlignedBuffer<T> buffer) {
  buffers_.push_back(std::move(buffer));
  return buffers_.back().data();
}

template <class T>
void PreparedProgram<T>::prepare(const KernelProgram& program, const Instruction& instruction, ConstView x1,
                                 ConstView x2, bool symmetric, Leaf<T>& leaf) {
  const auto value = [&](int slot) { return slot < 0 ? 1.0 : program.values[static_cast<std::size_t>(slot)]; };
  const auto theta = [&](int slot) { return slot < 0 ? -1 : program.theta[static_cast<std::size_t>(slot)]; };
  const Op op = instruction.op;
  const double variance = value(instruction.variance);
  const double shape = value(instruction.shape);
  const double period = value(instruction.period);

  leaf.metric = metric_of(op);
  leaf.profile = profile_of(op);
  leaf.variance = static_cast<T>(variance);
  leaf.shape = static_cast<T>(shape);
  leaf.length_factor = static_cast<T>(length_factor(op, variance));
  leaf.variance_theta = theta(instruction.variance);
  leaf.period_theta = theta(instruction.period);
  leaf.shape_theta = theta(instruction.shape);
  leaf.row_stride = padded_stride<T>(rows_);
  leaf.col_stride = padded_stride<T>(cols_);
  if (leaf.metric == Metric::none) return;

  const std::vector<LeafColumn> columns = ordered_columns(program, instruction);
  leaf.columns = columns.size();
  groups_.push_back(groups_of(columns));
  leaf.groups = groups_.back().data();
  leaf.group_count = groups_.back().size();

  std::vector<double> centre(columns.size(), 0.0), scale(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (leaf.metric != Metric::dot) centre[c] = centre_of(x2, columns[c].input);
    // A periodic kernel has no distance; its coordinate x/p is used only for the derivative in log p.
    scale[c] = op == Op::periodic ? 1 / period : distance_scale(op, shape) / value(columns[c].slot);
  }
  const auto coordinate = [&](std::size_t c, double x) {
    const double difference = x - centre[c];
    return difference == 0 ? 0.0 : compressed<T>(difference * scale[c]);
  };
  leaf.row_x = keep(mapped<T>(x1, columns, coordinate));
  leaf.col_x = symmetric ? leaf.row_x : keep(mapped<T>(x2, columns, coordinate));
  if (leaf.metric != Metric::sine && leaf.metric != Metric::distance_sine) return;

  const auto phase = [&](std::size_t c, double x) {
    const double turns = (x - centre[c]) / period;
    return std::isfinite(turns) ? turns - std::nearbyint(turns) : 0.0;
  };
  leaf.row_phase = keep(mapped<T>(x1, columns, phase));
  leaf.col_phase = symmetric ? leaf.row_phase : keep(mapped<T>(x2, columns, phase));
  AlignedBuffer<T> sine_weight(columns.size()), period_weight(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double length = value(columns[c].slot);
    sine_weight.data()[c] = bounded_weight<T>(2 * log2e / (length * length));
    // ∂ log k/∂ log p = Σ 2π t sin(2πt)/l² with t = (a − b)/(scale · p)
    period_weight.data()[c] = bounded_weight<T>(2 * std::numbers::pi / (length * length) / (scale[c] * period));
  }
  leaf.sine_weight = keep(std::move(sine_weight));
  leaf.period_weight = keep(std::move(period_weight));
}

template class PreparedProgram<float>;
template class PreparedProgram<double>;

}  // namespace gpcv::simd
