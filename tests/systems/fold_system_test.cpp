#include "systems/fold_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "gpcv/error.hpp"
#include "support/dense_folds.hpp"

namespace gpcv {
namespace {

TEST(FoldSystem, ProductsMatchTheMaskedMatrices) {
  Random random(111);
  for (int trial = 0; trial < 8; ++trial) {
    const Index n = 40 + static_cast<Index>(random.below(100)), d = 1 + static_cast<Index>(random.below(3));
    const KernelProgram program = Kernel::parse(random_expression(random, d, 2)).bind(d).lower();
    const Matrix x = random_inputs(random, n, d);
    const Vector noise = random_noise(random, n, 0.3);
    for (const Folds& folds : assorted_folds(n)) {
      const FoldSystem system(program, x, noise, folds, {.precision = Precision::double_, .threads = 2});
      ASSERT_EQ(system.rows(), n);
      ASSERT_EQ(system.systems(), folds.size());
      // Two columns per fold, and the last fold once more out of turn.
      std::vector<int> of;
      for (int k = 0; k < folds.size(); ++k) of.insert(of.end(), {k, k});
      of.push_back(0);
      Matrix v = random_inputs(random, n, static_cast<Index>(of.size()));
      system.mask(v, of);
      Matrix y(n, v.cols()), predicted(n, v.cols());
      system.apply(v, of, y, Arithmetic::fast);
      system.predict(v, of, predicted, Arithmetic::fast);
      const Matrix caller_v = system.unsorted(v), caller_y = system.unsorted(y), caller_p = system.unsorted(predicted);
      const Matrix k = dense_kernel(program, x, 1);
      for (Index c = 0; c < v.cols(); ++c) {
        const Fold& fold = folds.folds[static_cast<std::size_t>(of[static_cast<std::size_t>(c)])];
        const Matrix a = dense_fold(program, x, noise, fold);
        EXPECT_LT((caller_y.col(c) - a * caller_v.col(c)).norm(), 1e-11 * a.norm() * v.norm()) << folds.description;
        EXPECT_LT((caller_p.col(c) - k * caller_v.col(c)).norm(), 1e-11 * a.norm() * v.norm()) << folds.description;
      }
    }
  }
}

/// Folds on different ranks, and columns whose companions have converged.
TEST(FoldSystem, AColumnHasTheSameBitsInAnyCompany) {
  Random random(117);
  const Index n = 1500;
  const Matrix x = random_inputs(random, n, 3);
  const FoldSystem system(Kernel::parse("se(ard)").bind(3).lower(), x, Vector::Ones(n), Folds::random(n, 5, 1),
                          {.backend = "simd", .precision = Precision::mixed, .threads = 1});
  std::vector<int> of;
  for (int c = 0; c < 45; ++c) of.push_back(c / 9);
  Matrix v = random_inputs(random, n, 45);
  system.mask(v, of);
  Matrix y(n, 45), predicted(n, 45);
  system.apply(v, of, y, Arithmetic::fast);
  system.predict(v, of, predicted, Arithmetic::fast);
  for (const auto& [first, count] : {std::pair<Index, Index>{0, 18}, {27, 9}, {31, 2}, {40, 1}}) {
    const std::span<const int> own(of.data() + first, static_cast<std::size_t>(count));
    Matrix part(n, count);
    system.apply(v.middleCols(first, count), own, part, Arithmetic::fast);
    EXPECT_EQ(part, y.middleCols(first, count)) << first;
    system.predict(v.middleCols(first, count), own, part, Arithmetic::fast);
    EXPECT_EQ(part, predicted.middleCols(first, count)) << first;
  }
}

TEST(FoldSystem, RowsOfOneFoldStandTogether) {
  Random random(112);
  const Matrix x = random_inputs(random, 97, 1);
  const FoldSystem system(Kernel::parse("se").bind(1).lower(), x, Vector::Ones(97), Folds::random(97, 5, 1), {});
  for (Index k = 0; k < 5; ++k) {
    int changes = 0;
    for (Index i = 1; i < 97; ++i) changes += system.trains(k, i) != system.trains(k, i - 1) ? 1 : 0;
    EXPECT_LE(changes, 2);
  }
  EXPECT_EQ(system.unsorted(system.sorted(x)), x);
}

/// Rows in no order of time, some of one time.
Vector scattered_times(Random& random, Index n) {
  Vector time(n);
  for (double& t : time) t = std::floor(random.uniform(0, 50));
  return time;
}

TEST(FoldSystem, PredictsForwardChainingBlocksFromAllBeforeThem) {
  Random random(114);
  const Index n = 130;
  const Matrix x = random_inputs(random, n, 2);
  const Vector y = random_inputs(random, n, 1), noise = random_noise(random, n, 0.2), time = scattered_times(random, n);
  const KernelProgram program = Kernel::parse("matern52(l=1.3) + linear(s2=0.2)").bind(2).lower();
  const Matrix k = dense_kernel(program, x, 1);
  for (const Folds& folds : {Folds::forward_chaining(time, 5), Folds::forward_chaining(time, 4, 5.0),
                             Folds::forward_chaining(time, 1, 12.0)}) {
    const FoldSystem system(program, x, noise, folds, {});
    std::vector<int> of(static_cast<std::size_t>(folds.size()));
    Matrix weights = Matrix::Zero(n, folds.size()), products(n, folds.size()), predicted(n, folds.size());
    std::vector<Vector> expected;
    for (Index f = 0; f < folds.size(); ++f) {
      of[static_cast<std::size_t>(f)] = static_cast<int>(f);
      const Fold& fold = folds.folds[static_cast<std::size_t>(f)];
      Matrix c = k(fold.training, fold.training);
      c.diagonal() += noise(fold.training);
      const Vector solved = c.ldlt().solve(y(fold.training));
      weights(fold.training, f) = solved;
      expected.push_back(k(fold.validation, fold.training) * solved);
    }
    const Matrix sorted = system.sorted(weights);
    system.apply(sorted, of, products, Arithmetic::exact);
    system.predict(sorted, of, predicted, Arithmetic::exact);
    const Matrix right_sides = system.unsorted(products), means = system.unsorted(predicted);
    for (Index f = 0; f < folds.size(); ++f) {
      const Fold& fold = folds.folds[static_cast<std::size_t>(f)];
      Vector masked = Vector::Zero(n);
      masked(fold.training) = y(fold.training);
      EXPECT_LT((right_sides.col(f) - masked).norm(), 1e-10) << folds.description << ", block " << f;
      EXPECT_LT((means(fold.validation, f) - expected[static_cast<std::size_t>(f)]).norm(), 1e-11)
          << folds.description << ", block " << f;
    }
  }
}

TEST(FoldSystem, RowsThatOnlyTrainStandByTheFirstBlockThatUsesThem) {
  Random random(115);
  const Index n = 200;
  const Matrix x = random_inputs(random, n, 1);
  const Vector time = scattered_times(random, n);
  for (const Folds& folds : {Folds::forward_chaining(time, 5), Folds::forward_chaining(time, 4, 3.0)}) {
    const FoldSystem system(Kernel::parse("se").bind(1).lower(), x, Vector::Ones(n), folds, {});
    for (Index k = 0; k < folds.size(); ++k) {
      int changes = 0;
      for (Index i = 1; i < n; ++i) changes += system.trains(k, i) != system.trains(k, i - 1) ? 1 : 0;
      EXPECT_LE(changes, 3) << folds.description;
    }
    EXPECT_EQ(system.unsorted(system.sorted(x)), x);
  }
}

TEST(FoldSystem, WholeTrainsEveryRowInTheCallersOrder) {
  Random random(113);
  const Matrix x = random_inputs(random, 30, 2);
  const KernelProgram program = Kernel::parse("matern32").bind(2).lower();
  const FoldSystem system = FoldSystem::whole(program, x, Vector::Constant(30, 0.5), {});
  const Matrix v = random_inputs(random, 30, 2);
  Matrix y(30, 2);
  system.apply(v, std::vector<int>{0, 0}, y, Arithmetic::exact);
  EXPECT_LT((y - (dense_kernel(program, x, 1) * v + 0.5 * v)).norm(), 1e-12);
}

TEST(FoldSystem, RefusesWhatDoesNotFit) {
  const KernelProgram program = Kernel::parse("se").bind(1).lower();
  const Matrix x = Matrix::Random(10, 1);
  EXPECT_THROW(FoldSystem(program, x, Vector::Ones(9), Folds::random(10, 2, 1), {}), InputError);
  EXPECT_THROW(FoldSystem(program, x, Vector::Ones(10), Folds::random(9, 2, 1), {}), InputError);
  EXPECT_THROW(FoldSystem(program, x, Vector::Zero(10), Folds::random(10, 2, 1), {}), InputError);
}

}  // namespace
}  // namespace gpcv
