/// Pages of man, which are made of the same texts as the help.
#include <regex>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;

class Man : public CommandTest {
 protected:
  /// Names of all commands, from the completion of a shell.
  static std::vector<std::string> commands() {
    const std::string script = succeed({"completion", "fish"});
    const std::regex name("__fish_use_subcommand -a (\\S+)");
    std::vector<std::string> names;
    for (std::sregex_iterator found(script.begin(), script.end(), name), end; found != end; ++found) {
      names.push_back((*found)[1]);
    }
    return names;
  }
  static std::string page(const std::string& command) {
    return succeed(command.empty() ? Arguments{"help", "--man"} : Arguments{"help", "--man", command});
  }
  /// Words of a text without markup, blanks and breaks of lines.
  static std::string words(std::string text) {
    text = std::regex_replace(text, std::regex("\\\\f[BIR]|\\\\[&:]|\n\\.[A-Za-z]+|\\s"), "");
    return std::regex_replace(std::regex_replace(text, std::regex("\\\\-"), "-"), std::regex("\\\\e"), "\\");
  }
};

TEST_F(Man, HasEveryOptionOfTheHelpWithItsWords) {
  const std::vector<std::string> all = commands();
  EXPECT_GE(all.size(), 13u);
  for (const std::string& command : all) {
    const std::string help = succeed({command, "--help"}), text = words(page(command));
    std::size_t options = 0;
    const std::regex option("\n  (-[^\n]*?)  +([^\n]*)");
    for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found, ++options) {
      EXPECT_THAT(text, HasSubstr(words((*found)[1]))) << command;
      EXPECT_THAT(text, HasSubstr(words((*found)[2]))) << command;
    }
    EXPECT_GE(options, 1u) << command;
  }
  const std::string whole = page("");
  for (const std::string& command : all) EXPECT_THAT(whole, HasSubstr("gpcv\\-" + command));
  EXPECT_THAT(words(whole), HasSubstr(words("Exit codes: 0 success, 1 training did not converge")));
}

TEST_F(Man, PagesAreRenderedWithoutWarnings) {
  if (std::system("command -v groff >/dev/null") != 0) GTEST_SKIP() << "there is no groff";
  for (std::string command : commands()) {
    write("page.1", page(command));
    for (const char* device : {"utf8", "ascii"}) {  // both without words on the encoding of the page
      const std::string call = fmt::format("groff -man -T{} -ww -P-c '{}'", device, path("page.1"));
      const Finished groff = Process({"/bin/sh", "-c", call}).finish(60);
      EXPECT_EQ(groff.exit_code, 0);
      EXPECT_EQ(groff.err, "") << command;
      EXPECT_THAT(groff.out, HasSubstr("User Commands")) << command;
    }
  }
}

TEST_F(Man, PagesAndCompletionsAreWrittenWhereProgramsLookForThem) {
  succeed({"help", "--share", path("share")});
  EXPECT_EQ(read("share/man/man1/gpcv.1"), page(""));
  for (const std::string& command : commands()) EXPECT_EQ(read("share/man/man1/gpcv-" + command + ".1"), page(command));
  EXPECT_EQ(read("share/man/man7/gpcv-kernels.7"), page("kernels"));
  EXPECT_EQ(read("share/bash-completion/completions/gpcv"), succeed({"completion", "bash"}));
  EXPECT_EQ(read("share/zsh/site-functions/_gpcv"), succeed({"completion", "zsh"}));
  EXPECT_EQ(read("share/fish/vendor_completions.d/gpcv.fish"), succeed({"completion", "fish"}));
  write("file", "");
  refuse({"help", "--share", path("file")}, {"cannot create"});
}

}  // namespace
}  // namespace gpcv
