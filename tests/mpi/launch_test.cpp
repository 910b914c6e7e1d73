#include "backends/mpi/launch.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace gpcv {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// What launchers leave in the environment, and nothing else of theirs.
class LaunchTest : public testing::Test {
 protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }
  static void expect(const Variables& variables, int processes, int place) {
    clear();
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    EXPECT_EQ(launched_processes(), processes);
    EXPECT_EQ(place_on_machine(), place);
  }

 private:
  static void clear() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_SIZE", "MPI_LOCALNRANKS",
                             "MPI_LOCALRANKID", "PMIX_RANK", "SLURM_NTASKS", "SLURM_LOCALID"}) {
      unsetenv(name);
    }
  }
};

TEST_F(LaunchTest, APlainProcessIsAlone) { expect({}, 0, 0); }

TEST_F(LaunchTest, KnowsOpenMpi) {
  expect({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "3"}, {"PMIX_RANK", "3"}}, 4, 3);
}

TEST_F(LaunchTest, KnowsMpich) {
  expect({{"PMI_SIZE", "8"}, {"MPI_LOCALNRANKS", "2"}, {"MPI_LOCALRANKID", "1"}}, 8, 1);
}

TEST_F(LaunchTest, KnowsSlurm) {
  expect({{"PMIX_RANK", "5"}, {"SLURM_NTASKS", "6"}, {"SLURM_LOCALID", "2"}}, 6, 2);
  expect({{"PMI_SIZE", "6"}, {"SLURM_NTASKS", "6"}, {"SLURM_LOCALID", "2"}}, 6, 2);
}

TEST_F(LaunchTest, CopiesOfSrunWithoutMpiAreAlone) { expect({{"SLURM_NTASKS", "6"}, {"SLURM_LOCALID", "2"}}, 0, 0); }

}  // namespace
}  // namespace gpcv
