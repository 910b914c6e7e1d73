#include "backends/dense_kernel.hpp"

#include <gtest/gtest.h>

#include "gpcv/error.hpp"
#include "gpcv/operator.hpp"
#include "planning/budget.hpp"
#include "support/random_kernel.hpp"

namespace gpcv {
namespace {

TEST(DenseKernel, MatchesTheOperator) {
  Random random(51);
  for (int trial = 0; trial < 30; ++trial) {
    const Index d = 1 + static_cast<Index>(random.below(4)), n = 1 + static_cast<Index>(random.below(40));
    const KernelProgram program = Kernel::parse(random_expression(random, d, 2)).bind(d).lower();
    const Matrix x = random_inputs(random, n, d), x2 = random_inputs(random, 7, d);
    const ComputeOptions reference{.backend = "reference"};
    Matrix k(n, n), cross(n, 7);
    make_operator(program, x, reference)->apply(Matrix::Identity(n, n), k);
    make_operator(program, x, x2, reference)->apply(Matrix::Identity(7, 7), cross);
    EXPECT_LT((dense_kernel(program, x, 2) - k).norm(), 1e-13 * k.norm());
    EXPECT_LT((dense_kernel(program, x, x2, 2) - cross).norm(), 1e-13 * cross.norm());
    EXPECT_LT((kernel_diagonal(program, x) - k.diagonal()).norm(), 1e-13 * k.norm());

    // Σ_ab W_ab ∂K_ab for W = uuᵀ is the contraction uᵀ ∂K u.
    const Vector u = random_inputs(random, n, 1);
    Vector expected(program.parameters);
    make_operator(program, x, reference)->contract(u, u, expected);
    const Vector found = contract_dense(program, x, u * u.transpose(), 2);
    EXPECT_LT((found - expected).norm(), 1e-12 * (1 + expected.norm()) * (1 + u.squaredNorm()));
  }
}

TEST(DenseKernel, DoesNotDependOnTheNumberOfThreads) {
  Random random(52);
  const KernelProgram program = Kernel::parse("se(ard) + lp").bind(3).lower();
  const Matrix x = random_inputs(random, 701, 3);
  const Matrix w = random_inputs(random, 701, 701).selfadjointView<Eigen::Lower>();
  EXPECT_EQ(dense_kernel(program, x, 1), dense_kernel(program, x, 3));
  // The order of a sum may follow the number of threads, its value may not, and a rerun repeats its bits.
  const Vector one = contract_dense(program, x, w, 1), three = contract_dense(program, x, w, 3);
  EXPECT_LT((one - three).norm(), 1e-12 * one.norm());
  EXPECT_EQ(three, contract_dense(program, x, w, 3));
}

TEST(DenseKernel, AMatrixThatCannotFitIsRefusedBeforeWork) {
  EXPECT_THROW(require_dense_memory(100'000'000, 1, "a test"), InputError);
  EXPECT_NO_THROW(require_dense_memory(100, 1, "a test"));
}

}  // namespace
}  // namespace gpcv
