#include "planning/training_levels.hpp"

#include <algorithm>

namespace gpcv {
namespace {

/// Validated rows of a sample of folds for each parameter. The loss at the optimum of a sample is about p/n above the
/// least, and the steps with all folds that follow remove most of that.
constexpr Index rows_per_parameter = 50;
/// Rows of the largest part: with three million rows a pass over it takes a two-hundredth of one over all.
constexpr Index most_part_rows = 200'000;
/// Largest ratio of the sizes of two folds of which one can stand for the other.
constexpr Index most_different = 2;

Index validated(const Fold& fold) { return static_cast<Index>(fold.validation.size()); }

bool are_alike(const Folds& folds) {
  const auto [least, most] =
      std::minmax_element(folds.folds.begin(), folds.folds.end(),
                          [](const auto& a, const auto& b) { return a.validation.size() < b.validation.size(); });
  const auto [fewest, largest] =
      std::minmax_element(folds.folds.begin(), folds.folds.end(),
                          [](const auto& a, const auto& b) { return a.training.size() < b.training.size(); });
  return validated(*most) <= most_different * validated(*least) &&
         largest->training.size() <= most_different * fewest->training.size();
}

}  // namespace

std::vector<Index> nested_rows(Index rows, const TrainOptions& options) {
  if (rows < options.gauss_newton.nested_from) return {rows};
  return {rows / 16, rows / 4, rows};
}

Index part_rows(Index rows, const TrainOptions& options) {
  return rows < options.gauss_newton.nested_from ? 0 : std::min(rows / 4, most_part_rows);
}

Index sampled_folds(const Folds& folds, Index rows, Index parameters) {
  if (rows <= 0 || folds.size() < 2 || !are_alike(folds)) return 0;
  const Index wanted = std::max(rows, rows_per_parameter * parameters);
  const Index each = std::max<Index>(1, folds.validated() / folds.size());
  const Index count = (wanted + each - 1) / each;
  return 2 * count <= folds.size() ? count : 0;
}

Folds some_of(const Folds& folds, Index count) {
  Folds some{folds.rows, {}, folds.description};
  for (Index i = 0; i < count; ++i) {
    some.folds.push_back(folds.folds[static_cast<std::size_t>((2 * i + 1) * folds.size() / (2 * count))]);
  }
  return some;
}

std::vector<Level> training_levels(const Problem& problem, const TrainOptions& options, bool local, bool sampled) {
  const Index all = problem.x.rows();
  std::vector<Level> levels;
  const Index part = local ? part_rows(all, options) : 0;
  if (part > 0) levels.push_back({part});
  for (const Index rows : local ? std::vector<Index>{all} : nested_rows(all, options)) levels.push_back({rows});
  // Targets that share θ are sampled in folds already.
  if (!sampled || problem.targets.cols() > 0) return levels;
  const auto parameters = static_cast<Index>(theta_names(problem.kernel, problem.noise).size());
  const Index folds = parameters > 0 ? sampled_folds(problem.folds, options.gauss_newton.sample_rows, parameters) : 0;
  if (folds > 0) levels.insert(levels.end() - 1, {all, folds});
  return levels;
}

}  // namespace gpcv
