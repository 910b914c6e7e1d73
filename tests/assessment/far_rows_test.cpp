#include "gpcv/far_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpcv {
namespace {

using testing::ElementsAre;

/// Model of the rows (0, 5), (4, 5), (2, 5): the second input is constant.
Model three_rows() {
  Model model;
  model.columns.features = {"a", "b"};
  model.columns.feature_indices = {0, 1};
  model.scaling = Standardization::identity(2);
  model.x.resize(3, 2);
  model.x << 0, 5, 4, 5, 2, 5;
  model.y = Vector::Zero(3);
  return model;
}

TEST(FarRows, LieBeyondHalfTheRangeOfAnInput) {
  FarRows far;
  far.compare_with(three_rows());
  Matrix x(5, 2);
  x << 6, 5, 6.1, 5, -2, 5, -2.1, 5, 3, 99;
  far.look_at(x, [](Index i) { return 10 + i; });
  EXPECT_EQ(far.count(), 2);
  EXPECT_THAT(far.first_rows(), ElementsAre(11, 13));
  EXPECT_EQ(far.first_input(), "a");
}

TEST(FarRows, AreComparedWithTheRowsOfAllModelsAndFiveAreNamed) {
  FarRows far;
  far.compare_with(three_rows());
  Model wider = three_rows();
  wider.x(1, 0) = 40;
  far.compare_with(wider);
  far.look_at(Matrix::Constant(1, 2, 20), [](Index i) { return i; });
  EXPECT_EQ(far.count(), 0);
  EXPECT_EQ(far.first_input(), "");
  for (Index batch = 0; batch < 2; ++batch) {
    far.look_at(Matrix::Constant(4, 2, 1000), [&](Index i) { return 4 * batch + i; });
  }
  EXPECT_EQ(far.count(), 8);
  EXPECT_THAT(far.first_rows(), ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace gpcv
