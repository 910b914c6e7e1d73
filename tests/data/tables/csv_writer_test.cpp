#include "gpcv/csv_writer.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include "core/random.hpp"
#include "data/table_file.hpp"

namespace gpcv {
namespace {

TEST(CsvWriter, WritesAHeaderAndRows) {
  std::ostringstream text;
  CsvWriter writer(text);
  writer.header(std::vector<std::string>{"mean", "variance"});
  writer.row(std::vector<double>{0.1, -3});
  writer.row(std::vector<double>{1e300, 5e-324});
  writer.finish();
  EXPECT_EQ(text.str(), "mean,variance\n0.1,-3\n1e+300,5e-324\n");
}

TEST(CsvWriter, QuotesNamesThatAReaderCouldMistake) {
  std::ostringstream text;
  CsvWriter writer(text);
  writer.header(std::vector<std::string>{"a b", "a,b", "5\"", "", " x", "p;q", "l\nm"});
  writer.finish();
  EXPECT_EQ(text.str(), "a b,\"a,b\",\"5\"\"\",\"\",\" x\",\"p;q\",\"l\nm\"\n");
}

TEST(CsvWriter, WhatItWritesReadsBackIdentically) {
  Random random(2);
  Matrix values(5000, 3);
  values = values.unaryExpr([&](double) { return random.normal() * std::pow(10, random.uniform(-300, 300)); });
  values(0, 0) = std::numeric_limits<double>::max();
  values(0, 1) = std::numeric_limits<double>::denorm_min();
  values(0, 2) = -0.0;
  const std::vector<std::string> names = {"one", "t,w\"o", "three\nlines"};
  std::ostringstream text;
  {
    CsvWriter writer(text);
    writer.header(names);
    writer.rows(values);
  }
  const TableFile file(text.str());
  const Dataset data = read_dataset(file, {});
  EXPECT_EQ(data.columns.features, names);
  EXPECT_TRUE(data.x == values);
  EXPECT_TRUE(std::signbit(data.x(0, 2)));
}

TEST(CsvWriter, WritesToAFile) {
  TemporaryFolder folder;
  std::FILE* file = std::fopen((folder / "out.csv").c_str(), "w");
  CsvWriter writer(file);
  writer.row(std::vector<double>{1.5, 2});
  writer.finish();
  std::fclose(file);
  std::ostringstream text;
  text << std::ifstream(folder / "out.csv").rdbuf();
  EXPECT_EQ(text.str(), "1.5,2\n");
}

TEST(CsvWriter, AFullDiskIsReported) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  {
    CsvWriter writer(full, "results.csv");
    writer.row(std::vector<double>{1, 2});
    EXPECT_THAT(message_of([&] { writer.finish(); }), testing::HasSubstr("cannot write to results.csv"));
  }
  std::fclose(full);
}

}  // namespace
}  // namespace gpcv
