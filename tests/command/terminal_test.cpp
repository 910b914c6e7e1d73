/// A terminal while several threads train: the thread sanitizer sees what they write to it.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

using Terminal = CommandTest;

TEST_F(Terminal, EveryTrainerKeepsItsLiveLineWhole) {
  write("data.csv", wave(200));
  for (const std::string trainer : {"naive", "consensus", "gauss-newton"}) {
    SCOPED_TRACE(trainer);
    const Finished result = gpcv({"fit", path("data.csv"), "--target", "y", "--trainer", trainer, "--folds", "4",
                                  "--threads", "4", "--max-iterations", "3"},
                                 {.terminal = true, .out_file = {}});
    EXPECT_THAT(result.exit_code, ::testing::AnyOf(0, 1)) << "the thread sanitizer ends with 66";
    EXPECT_THAT(result.err, Not(HasSubstr("ThreadSanitizer"))) << result.err;
    // Every drawing begins with a carriage return and ends with an escape sequence that erases the rest of the line.
    std::size_t drawings = 0, endings = 0;
    for (const char c : result.err) drawings += c == '\r';
    for (std::size_t at = 0; (at = result.err.find("\x1b[K", at)) != std::string::npos; ++at) ++endings;
    EXPECT_EQ(drawings, endings) << result.err;
    EXPECT_THAT(result.out, ContainsRegex("\ncv rmse +[0-9.]+"));
  }
}

}  // namespace
}  // namespace gpcv
