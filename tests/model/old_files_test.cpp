/// Files of earlier format versions give the predictions that they gave when they were written.
///
/// Earlier programs wrote versions 1 and 3 and their predictions. Version 2 is a file of version 3 without the
/// additions of that version and with a variance factor of 1.75; its predictions were computed by the formulas in
/// NumPy.
#include <gtest/gtest.h>

#include "gpcv/posterior.hpp"

namespace gpcv {
namespace {

const std::filesystem::path files = std::filesystem::path(GPCV_SOURCE_DIR) / "tests/model/files";

class OldModelFile : public testing::TestWithParam<const char*> {};

TEST_P(OldModelFile, PredictsAsItDid) {
  const Posterior posterior(load_model(files / (std::string(GetParam()) + ".h5")), {.threads = 1});
  const Dataset at = read_dataset_like(files / "inputs.csv", posterior.model().columns, false);
  const Prediction found = posterior.predict(at.x, {.noise = at.noise});

  ReadOptions columns;
  columns.target = "std";
  columns.features = {"mean"};
  const Dataset expected = read_dataset(files / (std::string(GetParam()) + ".csv"), columns);
  ASSERT_EQ(expected.rows(), found.mean.size());
  // The last digits depend on the instruction set.
  EXPECT_LT((found.mean - expected.x).cwiseQuotient(expected.x.col(0)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((found.variance.cwiseSqrt() - expected.y).cwiseQuotient(expected.y).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(OldModelFiles, KeepTheirOptimaAndTimes) {
  const Model model = load_model(files / "version3.h5");
  const Provenance& provenance = model.provenance;
  ASSERT_EQ(provenance.optima.size(), 1u);
  EXPECT_EQ(provenance.optima[0].status, Status::converged);
  // Calibration has scaled the variances since then; the length scales are those of the best start.
  EXPECT_LT((kernel_of(provenance.optima[0], model.kernel).theta() - model.kernel.theta()).head(2).norm(), 1e-12);
  EXPECT_GE(provenance.trace_column("seconds"), 0);
}

INSTANTIATE_TEST_SUITE_P(OfVersion, OldModelFile, testing::Values("version1", "version2", "version3", "version3_rich"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace gpcv
