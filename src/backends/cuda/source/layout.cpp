#include "backends/cuda/source/layout.hpp"

#include <algorithm>

namespace gpcv::cuda {
namespace {

using simd::Metric;
using simd::Profile;

bool has_distance(Metric metric) { return metric != Metric::none; }
/// The bound on |x|² for distances by products: rounding errors in the exponent of 2 are then at most 2 · 32 · 2⁻²⁴,
/// about those of differences of coordinates of that size.
constexpr double products_limit = 32;

bool has_phase(Metric metric) { return metric == Metric::sine || metric == Metric::distance_sine; }

}  // namespace

ProgramLayout layout_of(const KernelProgram& program) {
  const Matrix none(0, program.inputs);
  const simd::PreparedProgram<double> prepared(program, none, none, true);
  ProgramLayout layout;
  layout.leaves.resize(program.code.size());
  const auto take = [](int& counter, int count) {
    const int first = counter;
    counter += count;
    return first;
  };
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    if (!program.is_leaf(program.code[i])) continue;
    const simd::Leaf<double>& from = prepared.leaves()[i];
    LeafLayout& leaf = layout.leaves[i];
    leaf.metric = from.metric;
    leaf.profile = from.profile;
    leaf.columns = static_cast<int>(from.columns);
    leaf.variance = take(layout.weights, 1);
    if (leaf.profile == Profile::rational) leaf.shape = take(layout.weights, 1);
    if (has_distance(leaf.metric)) leaf.x = take(layout.coordinates, leaf.columns);
    if (has_phase(leaf.metric)) {
      leaf.phase = take(layout.coordinates, leaf.columns);
      leaf.sine_weight = take(layout.weights, leaf.columns);
      leaf.period_weight = take(layout.weights, leaf.columns);
    }
    leaf.variance_theta = from.variance_theta;
    leaf.shape_theta = from.shape_theta;
    leaf.period_theta = from.period_theta;
    leaf.groups.assign(from.groups, from.groups + from.group_count);
  }
  return layout;
}

template <class T>
std::vector<T> weights_of(const ProgramLayout& layout, const simd::Leaf<T>* leaves) {
  std::vector<T> weights(static_cast<std::size_t>(layout.weights));
  const auto put = [&](int at, const T* values, int count) {
    if (at >= 0) std::copy_n(values, count, weights.begin() + at);
  };
  for (std::size_t i = 0; i < layout.leaves.size(); ++i) {
    const LeafLayout& leaf = layout.leaves[i];
    put(leaf.variance, &leaves[i].variance, 1);
    put(leaf.shape, &leaves[i].shape, 1);
    put(leaf.sine_weight, leaves[i].sine_weight, leaf.columns);
    put(leaf.period_weight, leaves[i].period_weight, leaf.columns);
  }
  return weights;
}

template <class T>
void pack_coordinates(const ProgramLayout& layout, const simd::Leaf<T>* leaves, bool columns, std::size_t points,
                      std::size_t stride, T* out) {
  const auto put = [&](int first, int count, const T* from, std::size_t from_stride) {
    for (int c = 0; first >= 0 && c < count; ++c) {
      T* to = out + static_cast<std::size_t>(first + c) * stride;
      std::copy_n(from + static_cast<std::size_t>(c) * from_stride, points, to);
      std::fill(to + points, to + stride, T(0));
    }
  };
  for (std::size_t i = 0; i < layout.leaves.size(); ++i) {
    const LeafLayout& leaf = layout.leaves[i];
    const simd::Leaf<T>& from = leaves[i];
    const std::size_t from_stride = columns ? from.col_stride : from.row_stride;
    put(leaf.x, leaf.columns, columns ? from.col_x : from.row_x, from_stride);
    put(leaf.phase, leaf.columns, columns ? from.col_phase : from.row_phase, from_stride);
  }
}

template <class T>
bool near_origin(const ProgramLayout& layout, const T* packed, std::size_t points, std::size_t stride) {
  std::vector<double> norm(points);
  for (const LeafLayout& leaf : layout.leaves) {
    if (leaf.metric != Metric::distance && leaf.metric != Metric::distance_sine) continue;
    std::fill(norm.begin(), norm.end(), 0.0);
    for (int c = 0; c < leaf.columns; ++c) {
      const T* column = packed + static_cast<std::size_t>(leaf.x + c) * stride;
      for (std::size_t i = 0; i < points; ++i)
        norm[i] += static_cast<double>(column[i]) * static_cast<double>(column[i]);
    }
    for (double n : norm) {
      if (n > products_limit) return false;
    }
  }
  return true;
}

template std::vector<float> weights_of(const ProgramLayout&, const simd::Leaf<float>*);
template std::vector<double> weights_of(const ProgramLayout&, const simd::Leaf<double>*);
template void pack_coordinates(const ProgramLayout&, const simd::Leaf<float>*, bool, std::size_t, std::size_t, float*);
template void pack_coordinates(const ProgramLayout&, const simd::Leaf<double>*, bool, std::size_t, std::size_t,
                               double*);

template bool near_origin(const ProgramLayout&, const float*, std::size_t, std::size_t);
template bool near_origin(const ProgramLayout&, const double*, std::size_t, std::size_t);

}  // namespace gpcv::cuda
