/// Folds that a caller gives row by row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {
namespace {

Dataset wave(Index n) {
  Dataset data;
  data.x = Vector::LinSpaced(n, 0, 10);
  Random random(3);
  data.y = data.x.col(0).array().sin();
  for (double& y : data.y) y += 0.1 * random.normal();
  data.columns.features = {"x"};
  data.columns.feature_indices = {0};
  return data;
}

FitOptions with(const Folds& folds) {
  FitOptions options;
  options.kernel = Kernel::parse("se");
  options.folds = FoldOptions{.kind = FoldOptions::Kind::given, .folds = std::make_shared<Folds>(folds)};
  return options;
}

TEST(GivenFolds, TrainAsThoseTheyAreEqualTo) {
  const Dataset data = wave(60);
  FitOptions interleaved;
  interleaved.kernel = Kernel::parse("se");
  interleaved.folds = FoldOptions{.kind = FoldOptions::Kind::interleaved, .count = 3};
  const FitResult expected = fit(data, interleaved);
  const FitResult found = fit(data, with(Folds::interleaved(60, 3)));
  EXPECT_EQ(found.model.kernel.to_string(), expected.model.kernel.to_string());
  EXPECT_EQ(found.model.provenance.cv_rmse, expected.model.provenance.cv_rmse);
}

TEST(GivenFolds, OfAnotherNumberOfRowsAreRefused) {
  try {
    fit(wave(60), with(Folds::interleaved(59, 3)));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the folds given are of 59 rows, the data have 60"));
  }
}

TEST(GivenFolds, LoseTheRowsThatAreSetAside) {
  FitOptions options = with(Folds::interleaved(60, 3));
  options.calibration = 0.25;
  const FitResult result = fit(wave(60), options);
  EXPECT_EQ(result.folds.rows, 45);
  EXPECT_EQ(result.folds.validated(), 45);
}

}  // namespace
}  // namespace gpcv
