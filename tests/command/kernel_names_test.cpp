/// Inputs of kernels by the names of the table's columns.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class KernelNames : public CommandTest {
 protected:
  /// Columns a, "wind; speed", c, y.
  void SetUp() override {
    const std::string table = surface(60);
    write("data.csv", "a,wind; speed,c,y" + table.substr(table.find('\n')));
  }
  Arguments with_kernel(const std::string& command, const std::string& kernel, const Arguments& more = {}) const {
    Arguments arguments{command, path("data.csv"), "--target", "y", "--kernel", kernel};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(KernelNames, TrainTheSameModelAsNumbers) {
  const Json named = succeed_json(with_kernel("fit", "se(on=a) + matern32(on=[\"wind; speed\",c])", {"--json"}));
  const Json numbered = succeed_json(with_kernel("fit", "se(on=[0]) + matern32(on=[1,2])", {"--json"}));
  EXPECT_EQ(without_measurements(named), without_measurements(numbered)) << "also the text of the kernel";
}

TEST_F(KernelNames, ArePrintedAsTheyCanBeTypedAgain) {
  const std::string text = succeed(with_kernel("fit", "se(on='wind; speed')", {"-o", path("m.h5")}));
  EXPECT_THAT(text, HasSubstr("kernel   se(on=\"wind; speed\")\n"));
  for (const std::string& printed : {text, succeed({"info", path("m.h5")})}) {
    const std::size_t begin = printed.find("\nkernel     ");
    ASSERT_NE(begin, std::string::npos) << printed;
    const std::string kernel = printed.substr(begin + 12, printed.find('\n', begin + 1) - begin - 12);
    EXPECT_THAT(kernel, ::testing::StartsWith("se(on=\"wind; speed\", l="));
    succeed(with_kernel("fit", kernel));
  }
  succeed(with_kernel("fit", "se(on=a)", {"-o", path("a.h5"), "--quiet"}));
  succeed({"fit", path("data.csv"), "--target", "y", "--warm", path("a.h5"), "--quiet"});
}

TEST_F(KernelNames, AreKnownToEveryCommand) {
  EXPECT_THAT(succeed(with_kernel("check", "se(on=c)")), HasSubstr("training would start"));
  EXPECT_THAT(succeed(with_kernel("cv", "se(on=c)")), HasSubstr("row,fold"));
  const std::string ranking =
      succeed({"compare", path("data.csv"), "--target", "y", "--kernels", "se(on='wind; speed'); se(on=a)", "--quiet"});
  EXPECT_THAT(ranking, HasSubstr("se(on=\"wind; speed\")\n"));
  EXPECT_THAT(ranking, HasSubstr("se(on=a)"));
  EXPECT_EQ(succeed({"generate", "--kernel", "se(on=x1)", "--dims", "2", "--n", "5", "-o", path("named.csv")}), "");
  succeed({"generate", "--kernel", "se(on=[1])", "--dims", "2", "--n", "5", "-o", path("numbered.csv")});
  EXPECT_EQ(read("named.csv"), read("numbered.csv"));
}

TEST_F(KernelNames, ThatDoNotExistAreRefused) {
  refuse(with_kernel("fit", "se(on='wind speed')", {"-o", path("m.h5")}),
         {"'wind speed'", "did you mean 'wind; speed'?"});
  EXPECT_EQ(files(), std::set<std::string>{"data.csv"});
  refuse(with_kernel("cv", "se(on=y)"), {"no such input", "the inputs are 'a', 'wind; speed', 'c'"});
  refuse({"compare", path("data.csv"), "--target", "y", "--kernels", "se;se(on=d)"}, {"'d'"});
  refuse({"generate", "--kernel", "se(on=x2)", "--dims", "2", "-o", path("g.csv")}, {"did you mean 'x0'?"});
  const Finished check = gpcv(with_kernel("check", "se(on=wind)"));
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_THAT(check.out, HasSubstr("there is no such input"));
}

TEST_F(KernelNames, OfACategoryMeanAllItsLevels) {
  std::string text = "kind,a,y\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("{},{},{}\n", "xyz"[i % 3], (i * 7) % 13, i % 3 + (i * 7) % 13);
  write("kinds.csv", text);
  const std::string printed = succeed({"fit", path("kinds.csv"), "--target", "y", "--categorical", "kind", "--kernel",
                                       "se(on=kind) + linear(on=a)", "--mean", "constant"});
  EXPECT_THAT(printed, HasSubstr("kernel   se(on=kind) + linear(on=a)"));
}

}  // namespace
}  // namespace gpcv
