/// Ranks that compute together get, to the last bit, what each of them gets alone.
#include "gpcv/communicator.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "core/random.hpp"
#include "evaluation/neighbour_variance.hpp"
#include "gpcv/error.hpp"
#include "gpcv/folds.hpp"
#include "gpcv/operator.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/preconditioner/fold_preconditioner.hpp"
#include "support/random_kernel.hpp"
#include "systems/fold_system.hpp"

namespace gpcv {
namespace {

std::shared_ptr<const Communicator> communicator;

ComputeOptions alone(const std::string& backend, Precision precision) {
  ComputeOptions options;
  options.backend = backend;
  options.precision = precision;
  return options;
}
ComputeOptions together(ComputeOptions options) {
  options.communicator = communicator;
  return options;
}

/// Exact, and not a comparison of numbers: NaN equals NaN, 0 is not −0.
void expect_same_bits(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  Index different = 0;
  for (Index i = 0; i < a.size(); ++i) different += std::memcmp(a.data() + i, b.data() + i, sizeof(double)) != 0;
  EXPECT_EQ(different, 0) << "of " << a.size();
}

Matrix draws(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return random_inputs(random, rows, columns);
}

struct Case {
  std::string kernel;
  Index rows, inputs;
};
const std::vector<Case> cases{{"se(ard)", 1500, 3},
                              {"matern52(l=0.7) + lp(l=1.3, p=0.4)", 700, 2},
                              {"(rq(l=0.5) + linear) * periodic(p=3)", 1111, 1},
                              {"se + matern12(on=[0])", 90, 2}};

void compare_products(const KernelOperator& plain, const KernelOperator& shared_one, Index columns) {
  const Matrix v = draws(plain.cols(), columns, 5), u = draws(plain.rows(), columns, 6);
  Matrix y1(plain.rows(), columns), y2 = y1;
  plain.apply(v, y1);
  shared_one.apply(v, y2);
  expect_same_bits(y1, y2);
  Matrix j1(plain.rows(), plain.parameters() * columns), j2 = j1;
  plain.derivatives(v, j1);
  shared_one.derivatives(v, j2);
  expect_same_bits(j1, j2);
}

TEST(Communicator, ProductsHaveTheBitsOfOneProcess) {
  for (const Case& c : cases) {
    const KernelProgram program = Kernel::parse(c.kernel).bind(c.inputs).lower();
    const Matrix x = draws(c.rows, c.inputs, 1), few = draws(300, c.inputs, 2);
    for (const Precision precision : {Precision::double_, Precision::mixed}) {
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(c.kernel + " " + std::string(name_of(precision)));
        ComputeOptions options = alone("simd", precision);
        options.threads = threads;
        compare_products(*make_operator(program, x, options), *make_operator(program, x, together(options)), 3);
        compare_products(*make_operator(program, few, x, options), *make_operator(program, few, x, together(options)),
                         2);
      }
    }
  }
}

TEST(Communicator, ContractionsHaveTheBitsOfOneProcess) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.kernel);
    const KernelProgram program = Kernel::parse(c.kernel).bind(c.inputs).lower();
    const Matrix x = draws(c.rows, c.inputs, 1), u = draws(c.rows, 4, 2), v = draws(c.rows, 4, 3);
    const ComputeOptions options = alone("simd", Precision::double_);
    Vector g1(program.parameters), g2 = g1;
    make_operator(program, x, options)->contract(u, v, g1);
    make_operator(program, x, together(options))->contract(u, v, g2);
    expect_same_bits(g1, g2);
  }
}

TEST(Communicator, AnyBackendIsSharedByRows) {
  const KernelProgram program = Kernel::parse("se(ard) + lp").bind(2).lower();
  const Matrix x = draws(700, 2, 1);
  const ComputeOptions options = alone("reference", Precision::double_);
  compare_products(*make_operator(program, x, options), *make_operator(program, x, together(options)), 2);
}

/// The folds of a cross-validation: columns that vanish somewhere, rows nobody wants.
struct Solve {
  explicit Solve(const ComputeOptions& options, Index neighbours, Index n = 2500)
      : system(Kernel::parse("se(ard)").bind(3).lower(), draws(n, 3, 1), Vector::Constant(n, 0.1),
               Folds::random(n, 5, 1), options),
        preconditioner(system, neighbours > 0 ? 100 : 130, 1, options.threads, 0.003, neighbours) {
    for (int c = 0; c < 10; ++c) of.push_back(c / 2);
    b = draws(n, 10, 4);
    system.mask(b, of);
  }
  FoldSystem system;
  FoldPreconditioner preconditioner;
  std::vector<int> of;
  Matrix b;
};

TEST(Communicator, PreconditionersAndSolvesHaveTheBitsOfOneProcess) {
  for (const auto& [threads, neighbours] : {std::pair{1, 0}, {2, 0}, {1, 9}, {2, 9}}) {
    ComputeOptions options = alone("simd", Precision::mixed);
    options.threads = threads;
    const Solve plain(options, neighbours), shared_one(together(options), neighbours);
    EXPECT_EQ(plain.preconditioner.rank(), shared_one.preconditioner.rank());
    Matrix z1(plain.b.rows(), 10), z2 = z1;
    plain.preconditioner.apply(plain.b, plain.of, z1);
    shared_one.preconditioner.apply(plain.b, plain.of, z2);
    expect_same_bits(z1, z2);
    z1.setZero();
    z2.setZero();
    const CgOptions how{.tolerance = 1e-8};
    solve_cg(plain.system, &plain.preconditioner, plain.b, plain.of, z1, how);
    const CgSummary summary = solve_cg(shared_one.system, &shared_one.preconditioner, plain.b, plain.of, z2, how);
    EXPECT_EQ(summary.status, Status::converged);
    expect_same_bits(z1, z2);
  }
}

TEST(Communicator, NeighbourVariancesHaveTheBitsOfOneProcess) {
  const Matrix x = draws(400, 2, 1);
  const KernelProgram program = Kernel::parse("matern32").bind(2).lower();
  const Matrix points = draws(37, 2, 2);
  const ComputeOptions options = alone("simd", Precision::double_);
  expect_same_bits(NeighbourVariance(program, x, 0.1, 64, options).variance(points),
                   NeighbourVariance(program, x, 0.1, 64, together(options)).variance(points));
}

TEST(Communicator, GathersAndSplits) {
  ASSERT_NE(communicator, nullptr);
  std::vector<std::size_t> counts;
  for (int r = 0; r < communicator->size(); ++r) counts.push_back(static_cast<std::size_t>(r));  // rank 0 has nothing
  const std::vector<double> own(static_cast<std::size_t>(communicator->rank()), communicator->rank());
  std::vector<double> all(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  communicator->gather(own, counts, all);
  std::vector<double> expected;
  for (int r = 0; r < communicator->size(); ++r) expected.insert(expected.end(), static_cast<std::size_t>(r), r);
  EXPECT_EQ(all, expected);
  const std::shared_ptr<const Communicator> part = communicator->split(communicator->rank() % 2);
  EXPECT_EQ(part->size(), (communicator->size() + 1 - communicator->rank() % 2) / 2);
  EXPECT_EQ(part->maximum(communicator->rank()),
            communicator->size() - 1 - (communicator->size() - 1 - communicator->rank()) % 2);
  EXPECT_EQ(agreed(communicator.get(), communicator->rank() == 0), true);
  EXPECT_EQ(agreed(communicator.get(), communicator->rank() != 0), false);
}

}  // namespace
}  // namespace gpcv

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  gpcv::communicator = gpcv::launched_communicator();
  const int failed = RUN_ALL_TESTS();
  gpcv::communicator.reset();
  return failed;
}
