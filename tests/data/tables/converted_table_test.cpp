#include "data/tables/converted_table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "gpcv/dataset.hpp"
#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

class ConvertedTable : public testing::Test {
 protected:
  ~ConvertedTable() override { unsetenv("GPCV_CONVERTED"); }
};

TEST_F(ConvertedTable, HasACopyForEachLineAndElsewhereIsItself) {
  EXPECT_EQ(readable_copy("a:b.parquet"), "a:b.parquet");
  setenv("GPCV_CONVERTED", "/dev/fd/3:a:b.parquet\n/dev/fd/4:c.parquet", 1);
  EXPECT_EQ(readable_copy("a:b.parquet"), "/dev/fd/3");
  EXPECT_EQ(readable_copy("c.parquet"), "/dev/fd/4");
  EXPECT_EQ(readable_copy("b.parquet"), "b.parquet");
}

TEST_F(ConvertedTable, KeepsItsNameInMessages) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto table = folder / "converted.parquet", copy = folder / "converted.csv";
  std::ofstream(table) << "PAR1";
  std::ofstream(copy) << "x,y\n1,2\n2,?\n";
  ReadOptions options;
  options.target = "y";
  setenv("GPCV_CONVERTED", (copy.string() + ":" + table.string()).c_str(), 1);
  try {
    read_dataset(table, options);
    FAIL() << "a missing cell was read";
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(table.string() + ":3:2: ")) << error.what();
  }
}

}  // namespace
}  // namespace gpcv::csv
