/// The command under mpirun as its tests see it.
#pragma once

#include <fmt/format.h>

#include "command/command.hpp"

namespace gpcv {

class RanksTest : public CommandTest {
 protected:
  static Arguments launch(int ranks, Arguments arguments) {
    arguments = command_line(std::move(arguments));
    arguments.insert(arguments.begin(), {GPCV_MPIEXEC, "-n", std::to_string(ranks)});
    return arguments;
  }
  static Finished run(int ranks, const Arguments& arguments, double seconds = 120) {
    const Finished result = Process(launch(ranks, arguments)).finish(seconds);
    EXPECT_FALSE(result.timed_out) << described(arguments) << result.err;
    return result;
  }

  /// Enough rows, and no factorisation, for products to be shared.
  std::string table(int rows = 700) const {
    write("data.csv", surface(rows));
    return path("data.csv");
  }
  Arguments fit(const Arguments& more) const {
    Arguments all{"fit", path("data.csv"), "--target", "y", "--solver", "cg", "--rank", "60", "--threads", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

/// What a training found, without what no two runs share.
inline Json findings_of(const std::string& out) {
  Json json = without_measurements(Json::parse(out));
  for (const char* name : {"pairs_per_second", "preconditioner_seconds", "product_seconds", "memory",
                           "planned_memory_bytes", "ranks", "communication_seconds"}) {
    json.erase(name);
  }
  return json;
}

}  // namespace gpcv
