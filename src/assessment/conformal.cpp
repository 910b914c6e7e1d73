/// Conformal intervals, whose coverage does not rely on the model.
#include "assessment/conformal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/borrowed.hpp"
#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "prediction/variance.hpp"

namespace gpcv {
namespace {

/// Rows to reserve: whole groups at random until there are enough rows, the latest rows in time, or any rows at random.
std::vector<Index> rows_to_set_aside(const Dataset& data, const FoldOptions& folds, Index count, std::uint64_t seed) {
  const Index n = data.rows();
  // The random stream differs from that of the folds, which shuffle the same rows.
  Random random(seed ^ 0x9e3779b97f4a7c15U);
  std::vector<Index> order(static_cast<std::size_t>(n));
  if (folds.kind == FoldOptions::Kind::time) {
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return data.time(a) > data.time(b); });
  } else if (folds.kind == FoldOptions::Kind::groups) {
    const Index groups = *std::max_element(data.labels.begin(), data.labels.end()) + 1;
    std::vector<Index> aside;
    for (const Index group : random.permutation(groups)) {
      if (static_cast<Index>(aside.size()) >= count) break;
      for (Index i = 0; i < n; ++i) {
        if (data.labels[static_cast<std::size_t>(i)] == group) aside.push_back(i);
      }
    }
    return aside;
  } else {
    std::ranges::copy(random.permutation(n), order.begin());
  }
  order.resize(static_cast<std::size_t>(count));
  return order;
}

}  // namespace

SetAside set_aside(const Dataset& data, const FoldOptions& folds, double fraction, std::uint64_t seed) {
  folds.require(data);
  const Index n = data.rows();
  const auto count = static_cast<Index>(std::llround(fraction * static_cast<double>(n)));
  std::vector<Index> aside = count > 0 ? rows_to_set_aside(data, folds, count, seed) : std::vector<Index>{};
  std::sort(aside.begin(), aside.end());
  std::vector<Index> rest;
  for (Index i = 0; i < n; ++i) {
    if (!std::binary_search(aside.begin(), aside.end(), i)) rest.push_back(i);
  }
  if (aside.empty() || rest.size() < 3) {
    throw InputError(fmt::format("setting aside {} of {} rows leaves none to {}; choose another fraction", fraction, n,
                                 aside.empty() ? "calibrate on" : "train on"));
  }
  return {rest, data.rows_at(rest), data.rows_at(aside)};
}

Conformal conformal_scores(const Model& model, const Dataset& aside, const ComputeOptions& compute) {
  const Posterior posterior(borrowed(model), compute);
  PredictOptions options;
  options.noise = aside.noise;
  options.expected_rows = aside.rows();
  Conformal conformal;
  conformal.method = posterior.resolved(options.variance, aside.rows()).to_string();
  options.transformed = true;  // T is increasing, so that intervals of T(y) and of y hold the same rows
  const Prediction p = posterior.predict(aside.x, options);
  const Vector y = model.transform.is_none() ? aside.y : model.transform.forward(aside.y);
  conformal.scores = (y - p.mean).cwiseAbs().cwiseQuotient(p.variance.cwiseSqrt());
  std::sort(conformal.scores.begin(), conformal.scores.end());
  return conformal;
}

}  // namespace gpcv
