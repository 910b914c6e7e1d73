/// Optima as tables of numbers, and as the texts of earlier model files.
#include "model/optima_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/message_of.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

Kernel two_lengths() { return Kernel::parse("se(l=[0.5,2], s2=3:fixed)").bind(2); }

std::vector<Optimum> three_starts() {
  return {{2, Status::converged, 0.25, Vector{{-0.5, 0.75, -2}}},
          {0, Status::max_iterations, 0.5, Vector{{0.125, 1, -3}}},
          {1, Status::numerical_failure, std::numeric_limits<double>::quiet_NaN(), {}}};
}

/// The table that programs up to format 3 wrote, with kernels as texts and the noise in a fourth column.
OptimaTable table_of_texts(const std::vector<Optimum>& optima, double held_noise) {
  OptimaTable table(optima);
  table.log_theta.resize(0, 0);
  table.numbers.conservativeResize(Eigen::NoChange, 4);
  for (std::size_t i = 0; i < optima.size(); ++i) {
    const bool reached = optima[i].reached();
    table.kernels.push_back(reached ? kernel_of(optima[i], two_lengths()).to_string() : "");
    table.numbers(static_cast<Index>(i), 3) = reached ? noise_of(optima[i], two_lengths(), held_noise) : 0;
  }
  return table;
}

void expect_same(const std::vector<Optimum>& read, const std::vector<Optimum>& optima, double tolerance) {
  ASSERT_EQ(read.size(), optima.size());
  for (std::size_t i = 0; i < optima.size(); ++i) {
    EXPECT_EQ(read[i].restart, optima[i].restart);
    EXPECT_EQ(read[i].status, optima[i].status);
    EXPECT_EQ(read[i].reached(), optima[i].reached());
    ASSERT_EQ(read[i].log_theta.size(), optima[i].log_theta.size());
    if (optima[i].reached()) {
      EXPECT_LE((read[i].log_theta - optima[i].log_theta).cwiseAbs().maxCoeff(), tolerance);
    }
  }
}

TEST(OptimaTable, GivesBackWhatItWasMadeOf) {
  expect_same(OptimaTable(three_starts()).optima(), three_starts(), 0);
  EXPECT_TRUE(OptimaTable(std::vector<Optimum>()).optima().empty());
}

TEST(OptimaTable, ReadsTheTextsOfEarlierModelFiles) {
  const OptimaTable texts = table_of_texts(three_starts(), 0.1);
  EXPECT_THAT(texts.kernels[0], HasSubstr("s2=3"));
  EXPECT_EQ(texts.kernels[2], "");
  expect_same(texts.optima_of_texts(two_lengths(), true), three_starts(), 1e-12);
  std::vector<Optimum> held = three_starts();
  for (Optimum& o : held) o.log_theta = Vector(o.log_theta.head(o.reached() ? 2 : 0));
  expect_same(table_of_texts(held, 0.1).optima_of_texts(two_lengths(), false), held, 1e-12);
}

TEST(OptimaTable, RefusesWhatItCannotHaveWritten) {
  OptimaTable table(three_starts());
  table.log_theta.conservativeResize(2, 3);
  EXPECT_THAT(message_of([&] { table.optima(); }), HasSubstr("another shape"));
  table = OptimaTable(three_starts());
  table.log_theta(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(message_of([&] { table.optima(); }), HasSubstr("not finite"));
  table = table_of_texts(three_starts(), 0.1);
  table.kernels[0] = "se(l=2)";
  EXPECT_THAT(message_of([&] { table.optima_of_texts(two_lengths(), true); }), HasSubstr("another kernel"));
  table = table_of_texts(three_starts(), 0.1);
  table.numbers(0, 3) = -1;
  EXPECT_THAT(message_of([&] { table.optima_of_texts(two_lengths(), true); }), HasSubstr("not finite"));
}

}  // namespace
}  // namespace gpcv
