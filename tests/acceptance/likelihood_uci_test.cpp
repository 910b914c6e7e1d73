/// The likelihood trainer on real tables: it is the baseline of every claim, so it must be a good one.
#include <gtest/gtest.h>

#include <cmath>

#include "core/clock.hpp"
#include "core/threads.hpp"
#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "support/uci.hpp"

namespace gpcv {
namespace {

/// Test RMSE over the standard deviation of the training target, first split, se(ard), default settings.
void expect_relative_error(const std::string& name, double bound) {
  const auto split = uci_split(name, 0);
  if (!split) GTEST_SKIP() << "the UCI data are not on this machine (set GPCV_DATA)";
  FitOptions options;
  options.train.trainer = "likelihood";
  options.train.compute.threads = available_threads();
  const Stopwatch watch;
  const FitResult result = fit(split->train, options);
  const Metrics metrics =
      evaluate(Posterior(result.model, options.train.compute).predict(split->test.x), split->test.y);
  const double spread = std::sqrt((split->train.y.array() - split->train.y.mean()).square().mean());
  fmt::print("{}: rmse/std {:.4f}, nlpd {:.3f}, coverage95 {:.3f}, objective {:.3f}, {} evaluations, {:.1f} s\n", name,
             metrics.rmse / spread, metrics.nlpd, metrics.coverage95, result.model.provenance.objective,
             result.model.provenance.iterations, watch.seconds());
  EXPECT_LE(metrics.rmse / spread, bound);
}

TEST(LikelihoodOnUci, Energy) { expect_relative_error("energy", 0.045); }
TEST(LikelihoodOnUci, Concrete) { expect_relative_error("concrete", 0.27); }
TEST(LikelihoodOnUci, Airfoil) { expect_relative_error("airfoil", 0.19); }

}  // namespace
}  // namespace gpcv
