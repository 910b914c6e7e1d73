#include "evaluation/held_out_variance.hpp"

#include <gtest/gtest.h>

#include "problem/parameters.hpp"
#include "solvers/dense_cross_validation.hpp"
#include "support/dense_holdout.hpp"

namespace gpcv {
namespace {

/// Folds of consecutive rows with these numbers of validated rows.
Folds blocks_of(const std::vector<Index>& sizes) {
  std::vector<Index> labels;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    labels.insert(labels.end(), static_cast<std::size_t>(sizes[k]), static_cast<Index>(k));
  }
  return Folds::labelled(labels);
}

TEST(HeldOutVariance, ASampleIsLargeEnoughWhateverTheFoldsAre) {
  // The fold with one row trains on most rows, but a single variance tells nothing.
  constexpr Index n = 2050, sample = 100;
  Random random(3);
  Problem problem{random_inputs(random, n, 2), random_inputs(random, n, 1), Kernel::parse("se").bind(2),
                  Noise::parse("0.3"), blocks_of({1, 1000, 949, 100})};
  const Vector u = log_values(problem);
  const VarianceMethod exact{.kind = VarianceMethod::Kind::exact};
  const Vector found = held_out_variance_at(problem, u, exact, sample, {});
  const Index finite = found.array().isFinite().count();
  EXPECT_EQ(finite, 100) << "the fold of 100 rows is the one with the most training rows that validates enough";
  const Fold& last = problem.folds.folds.back();
  const Problem alone{problem.x, problem.y, problem.kernel, problem.noise, {n, {last}, ""}};
  const DenseCrossValidation dense(problem.kernel.lower(), 0.3, alone.x, alone.y, alone.folds, {});
  const Vector expected = dense.variances();
  for (std::size_t i = 0; i < last.validation.size(); ++i) {
    EXPECT_NEAR(found(last.validation[i]), expected(static_cast<Index>(i)), 1e-10);
  }
}

TEST(HeldOutVariance, SmallTablesHaveTheVariancesOfAllRows) {
  Problem problem = drawn_problem("se(l=1)", "se(l=1)", "0.2", 60, 3);
  problem.folds = blocks_of({1, 30, 29});
  const Vector found =
      held_out_variance_at(problem, log_values(problem), {.kind = VarianceMethod::Kind::exact}, 10, {});
  EXPECT_TRUE(found.allFinite());
}

}  // namespace
}  // namespace gpcv
