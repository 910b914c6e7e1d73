#include <gtest/gtest.h>

#include <cmath>

#include "core/random.hpp"
#include "gpcv/dataset.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

Matrix normals(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return Matrix(rows, columns).unaryExpr([&](double) { return random.normal(); });
}

TEST(Standardization, GivesMeanZeroAndDeviationOne) {
  const Matrix x = (normals(500, 3, 1).array() * 7 + 30).matrix();
  const Vector y = normals(500, 1, 2) * 0.01;
  const Standardization units = Standardization::fit(x, y);
  const Matrix z = units.inputs(x);
  for (Index j = 0; j < 3; ++j) {
    EXPECT_NEAR(z.col(j).mean(), 0, 1e-13);
    EXPECT_NEAR(z.col(j).squaredNorm() / 500, 1, 1e-13);
  }
  EXPECT_NEAR(units.target(y).mean(), 0, 1e-13);
  EXPECT_NEAR(units.target(y).squaredNorm() / 500, 1, 1e-13);
}

TEST(Standardization, UsesThePopulationDeviation) {
  const Matrix x = (Matrix(2, 2) << 0, 10, 4, 10.5).finished();
  const Standardization units = Standardization::fit(x, Vector::LinSpaced(2, 0, 2));
  EXPECT_EQ(units.x_mean, (Vector(2) << 2, 10.25).finished());
  EXPECT_EQ(units.x_scale, (Vector(2) << 2, 0.25).finished());
  EXPECT_EQ(units.y_scale, 1);
}

TEST(Standardization, SurvivesLargeOffsetsAndTinyUnits) {
  Matrix x(4, 3);
  x.col(0) << 1e12 - 1, 1e12 + 1, 1e12 - 1, 1e12 + 1;
  x.col(1) << -1e-12, 1e-12, -1e-12, 1e-12;
  x.col(2) << -1e200, 1e200, -1e200, 1e200;
  const Vector y = (Vector(4) << -1e-200, 1e-200, -1e-200, 1e-200).finished();
  const Standardization units = Standardization::fit(x, y);
  EXPECT_EQ(units.x_mean(0), 1e12);
  EXPECT_EQ(units.x_scale(0), 1);
  EXPECT_DOUBLE_EQ(units.x_scale(1), 1e-12);
  EXPECT_DOUBLE_EQ(units.x_scale(2), 1e200);
  EXPECT_DOUBLE_EQ(units.y_scale, 1e-200);
}

TEST(Standardization, ManyValuesFarFromZeroKeepTheirSpread) {
  const Matrix z = normals(100'000, 2, 4);
  const Matrix x = (z.array() + 1e12).matrix();
  const Standardization near = Standardization::fit((x.array() - 1e12).matrix(), z.col(0));
  const Standardization far = Standardization::fit(x, z.col(0));
  EXPECT_NEAR(far.x_scale(0), near.x_scale(0), 1e-9);
  EXPECT_NEAR(far.x_mean(0) - 1e12, near.x_mean(0), 2e-4) << "half a unit in the last place of 10¹²";
}

TEST(Standardization, AConstantColumnIsOnlyShifted) {
  Matrix x(3, 2);
  x.col(0).setConstant(0.1);
  x.col(1) << 1, 2, 3;
  const Standardization units = Standardization::fit(x, Vector::LinSpaced(3, 0, 1));
  EXPECT_EQ(units.x_scale(0), 1);
  EXPECT_EQ(units.x_mean(0), 0.1);
  EXPECT_TRUE((units.inputs(x).col(0).array() == 0).all());
}

TEST(Standardization, OneInputColumnKeepsItsUnit) {
  const Matrix x = Vector::LinSpaced(11, 1958, 1968);
  const Standardization units = Standardization::fit(x, Vector::LinSpaced(11, 0, 1));
  EXPECT_EQ(units.x_scale(0), 1);
  EXPECT_DOUBLE_EQ(units.inputs(x)(10, 0), 5);
}

TEST(Standardization, IsUndoneInTheTargetsUnits) {
  const Vector y = (normals(50, 1, 6).array() * 3 - 8).matrix();
  const Standardization units = Standardization::fit(normals(50, 2, 5), y);
  EXPECT_TRUE(units.mean(units.target(y)).isApprox(y, 1e-14));
  EXPECT_DOUBLE_EQ(units.variance(Vector::Ones(1))(0), units.y_scale * units.y_scale);
}

TEST(Standardization, IdentityChangesNothing) {
  const Standardization units = Standardization::identity(2);
  const Matrix x = normals(5, 2, 7);
  EXPECT_EQ(units.inputs(x), x);
  EXPECT_EQ(units.target(x.col(0)), x.col(0));
  EXPECT_EQ(units.mean(x.col(0)), x.col(0));
  EXPECT_EQ(units.variance(x.col(0)), x.col(0));
}

TEST(Standardization, RefusesAnotherNumberOfColumns) {
  EXPECT_THROW(Standardization::identity(2).inputs(Matrix::Zero(3, 1)), InputError);
}

}  // namespace
}  // namespace gpcv
