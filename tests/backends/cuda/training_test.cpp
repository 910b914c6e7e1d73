/// Trainings on an emulated device: which kernels are compiled, and that nothing depends on when they are.
#include <gtest/gtest.h>

#include "fake/fake_device.hpp"
#include "fit/backend_choice.hpp"
#include "gpcv/machine.hpp"
#include "support/gauss_newton_runs.hpp"

namespace gpcv {
namespace {

TrainOptions on_device() {
  TrainOptions options;
  options.compute = {.backend = "cuda", .precision = Precision::mixed, .threads = 4, .solver = Solver::cg, .rank = 30};
  options.restarts = 1;
  options.start = Start::subset;
  return options;
}

TEST(CudaTraining, CompilesFewKernelsInTheBackgroundAndTheFirstTrainingHasTheBitsOfTheSecond) {
  const Problem problem = folded("se", "0.1", 150, 9);
  const TrainResult cold = train(problem, on_device());
  ASSERT_TRUE(cold.status == Status::converged) << cold.message;
  const TrainResult warm = train(problem, on_device());
  // Conjugate gradients ask for every number of columns from 15 down; widths, derivatives, the preconditioner's blocks,
  // updates of vectors and two kernels for variances are all that is compiled.
  const CompilationCost cost = compilation_cost();
  EXPECT_GT(cost.kernels, 5);
  EXPECT_LE(cost.kernels, 18);
  EXPECT_EQ(cost.unforeseen, 0);
  EXPECT_LT(cost.waited, cost.seconds);
  EXPECT_EQ(warm.kernel.theta(), cold.kernel.theta());
  EXPECT_EQ(warm.noise, cold.noise);
  EXPECT_EQ(warm.objective, cold.objective);
  EXPECT_EQ(warm.cv_residuals, cold.cv_residuals);
}

Problem of_rows(Index rows) {
  Problem problem{Matrix::Random(rows, 2), Vector::Random(rows), Kernel::parse("se").bind(2), {.variance = 0.1}, {}};
  problem.folds = Folds::random(rows, 5, 1);
  return problem;
}

TEST(CudaTraining, AutoTakesTheProcessorWhereADeviceGainsLessThanItsStart) {
  TrainOptions options;
  options.compute = {.backend = "auto", .threads = 4, .memory = std::size_t{4} << 30};
  EXPECT_EQ(choose_backend(of_rows(1000), options), "");
  EXPECT_EQ(options.compute.backend, "auto");
  const std::string small = choose_backend(of_rows(5200), options);
  EXPECT_EQ(options.compute.backend, "simd");
  EXPECT_EQ(small.rfind("on the processor: training takes about", 0), 0U) << small;
  options.compute = {.backend = "auto", .threads = 1, .memory = std::size_t{4} << 30};
  const std::string large = choose_backend(of_rows(60000), options);
  EXPECT_EQ(options.compute.backend, "auto");
  EXPECT_EQ(large.rfind("on the device: training takes about", 0), 0U) << large;
  options.compute.backend = "cuda";
  EXPECT_EQ(choose_backend(of_rows(5200), options), "");
  EXPECT_EQ(options.compute.backend, "cuda");
}

}  // namespace
}  // namespace gpcv
