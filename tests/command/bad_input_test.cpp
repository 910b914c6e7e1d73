/// Bad input: exit code 2, one message that says what and where, nothing printed, nothing left behind.
#include <sys/stat.h>

#include "command.hpp"

namespace gpcv {
namespace {

class BadInput : public CommandTest {
 protected:
  /// fit of a good table with these options added.
  void refuse_options(const Arguments& options, const std::vector<std::string>& parts, long lines = 1) const {
    Arguments arguments{"fit", path("good.csv"), "--target", "y"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    refuse(arguments, parts, lines);
  }
  void SetUp() override { write("good.csv", "x,y\n1,2\n2,3\n3,5\n4,4\n5,4.5\n"); }
};

TEST_F(BadInput, InTheTableIsNamedByFileLineAndColumn) {
  struct Case {
    std::string name, text;
    std::vector<std::string> parts;
  };
  const std::vector<Case> cases{
      {"empty.csv", "", {"empty"}},
      {"header.csv", "x,y\n", {"only a header"}},
      {"binary.csv", std::string("x,y\n1,2\n\0\1\2,3\n", 15), {":3:1", "binary"}},
      {"short.csv", "x,y\n1,2\n2\n3,5\n4,4\n", {":3:", "expected 2 cells"}},
      {"long.csv", "x,y\n1,2\n2,3,9\n3,5\n4,4\n", {":3:3", "expected 2 cells", "'9'"}},
      {"text.csv", "x,y\n1,2\n2,abc\n3,5\n4,4\n", {":3:2", "'abc'", "'y'"}},
      {"input.csv", "x,y\n1,2\n2,3\n3,5\n4x,4\n", {":5:1", "'4x'", "'x'"}},
      {"nan.csv", "x,y\n1,2\nNaN,3\n3,5\n4,4\n", {":3:1", "'NaN'"}},
      {"inf.csv", "x,y\n1,2\n2,-inf\n3,5\n4,4\n", {":3:2", "'-inf'"}},
      {"huge.csv", "x,y\n1,2\n2,1e999\n3,5\n4,4\n", {":3:2", "'1e999'"}},
      {"blank.csv", "x,y\n1,2\n2,\n3,5\n4,4\n", {":3:2"}},
      {"gap.csv", "x,y\n1,2\n\n3,5\n4,4\n", {":3:1", "blank line"}},
      {"date.csv", "x,y\n2001-01-01,2\n2001-02-30,3\n2001-03-01,5\n2001-04-01,4\n", {":3:1", "'2001-02-30'"}},
      {"quote.csv", "x,y\n1,2\n2,\"3\n3,5\n4,4\n", {":3:2"}},
      {"damaged.csv", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c", 12), {"gzip"}},
  };
  for (const Case& bad : cases) {
    write(bad.name, bad.text);
    std::vector<std::string> parts = bad.parts;
    parts.push_back(bad.name);
    refuse({"fit", path(bad.name), "--target", "y", "-o", path("model.h5")}, parts);
  }
  refuse({"fit", path("missing.csv"), "--target", "y"}, {"missing.csv", "No such file"});
  refuse({"fit", path(""), "--target", "y"}, {path(""), "folder"});
  EXPECT_EQ(files().count("model.h5"), 0u);
  EXPECT_EQ(files().size(), cases.size() + 1) << "no temporary is left";
}

TEST_F(BadInput, ThatCannotTrainIsExplained) {
  write("constant.csv", "x,y\n1,2\n2,2\n3,2\n4,2\n");
  write("two.csv", "x,y\n1,2\n2,3\n");
  write("alone.csv", "y\n1\n2\n4\n");
  refuse({"fit", path("constant.csv"), "--target", "y"}, {"'y'", "constant"});
  refuse({"fit", path("two.csv"), "--target", "y"}, {"3 rows"});
  refuse({"fit", path("alone.csv"), "--target", "y"}, {"only column"});
}

TEST_F(BadInput, OfColumnsListsThoseThereAre) {
  refuse({"fit", path("good.csv"), "--target", "z"}, {"good.csv", "'z'", "'x', 'y'"});
  refuse({"fit", path("good.csv"), "--target", "2"}, {"2", "0 to 1"});
  refuse({"fit", path("good.csv"), "--target", "-3"}, {"-3", "0 to 1"});
  refuse_options({"--features", "x,w"}, {"'w'", "'x', 'y'"});
  refuse_options({"--features", "x,y"}, {"'y'", "also among the features"});
  refuse_options({"--features", "x,0"}, {"twice"});
}

TEST_F(BadInput, InAKernelGetsACaretUnderThePlace) {
  refuse_options({"--kernel", "se(l=1, q=2)"}, {"gpcv: kernel", "\n  se(l=1, q=2)\n          ^\n"}, 3);
  refuse_options({"--kernel", "se(l=1"}, {"expected", "\n  se(l=1\n        ^\n"}, 3);
  refuse_options({"--kernel", "se + foo"}, {"matern52", "\n  se + foo\n       ^\n"}, 3);
  refuse_options({"--kernel", "se(l=-1)"}, {"\n  se(l=-1)\n       ^\n"}, 3);
  refuse_options({"--kernel", ""}, {"expected a kernel", "^"}, 3);
  refuse_options({"--kernel", "se(on=[1])"}, {"column 1"});
}

TEST_F(BadInput, OfUsageNamesTheOption) {
  refuse({}, {"a command is required", "fit, predict"});
  refuse({"bogus"}, {"bogus"});
  refuse({"fit"}, {"DATA"});
  refuse({"fit", path("good.csv")}, {"--target"});
  refuse_options({"--bogus"}, {"--bogus"});
  refuse_options({"--kernel"}, {"--kernel"});
  refuse_options({"surplus"}, {"surplus"});
  refuse_options({"--trainer", "magic"}, {"--trainer", "magic", "likelihood"});
  refuse_options({"--solver", "magic"}, {"--solver", "magic", "cholesky"});
  refuse_options({"--backend", "magic"}, {"--backend", "magic", "reference"});
  refuse_options({"--precision", "half"}, {"--precision", "half", "single"});
  refuse_options({"--header", "maybe"}, {"--header", "maybe"});
}

TEST_F(BadInput, OfNumbersNamesTheOption) {
  for (const char* noise : {"-1", "0", "abc", "nan", "1:held", "-0.1:fixed"}) {
    refuse_options({"--noise", noise}, {"noise", noise, "positive"});
  }
  for (const char* option : {"--threads", "--restarts", "--max-iterations"}) {
    for (const char* value : {"0", "-2", "1.5", "many"}) refuse_options({option, value}, {option, value});
  }
  refuse_options({"--seed", "-1"}, {"--seed"});
  refuse_options({"--seed", "x"}, {"--seed"});
}

TEST_F(BadInput, OfFoldsSaysWhatIsPossible) {
  refuse_options({"--folds", "2", "--holdout", "0.2"}, {"--folds", "--holdout"});
  refuse_options({"--folds", "1"}, {"folds", "at least 2"});
  refuse_options({"--folds", "9"}, {"9 folds", "5"});
  refuse_options({"--folds", "9:interleaved"}, {"9 folds", "5"});
  refuse_options({"--folds", "2:shuffled"}, {"2:shuffled"});
  refuse_options({"--holdout", "0"}, {"holdout"});
  refuse_options({"--holdout", "1"}, {"holdout"});
  refuse_options({"--holdout", "1.5"}, {"holdout"});
  refuse_options({"--holdout", "0.01"}, {"holdout"});
}

TEST_F(BadInput, OfOutputIsFoundBeforeTheWork) {
  refuse_options({"-o", path("none/model.h5")}, {"none/model.h5", "there is no folder"});
  refuse_options({"-o", path("")}, {"directory"});
  refuse_options({"--trace", path("none/trace.csv")}, {"none/trace.csv", "there is no folder"});
  // Stands for a device, which a rename would destroy.
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  refuse_options({"-o", path("pipe")}, {"pipe", "not a regular file"});
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(files().size(), 2u);
}

TEST_F(BadInput, ForPredictIsExplained) {
  succeed({"fit", path("good.csv"), "--target", "y", "--quiet", "-o", path("model.h5")});
  write("other.csv", "u,v\n1,2\n2,3\n");
  write("wide.csv", "1,2,3\n4,5,6\n");
  const std::string model = path("model.h5");
  refuse({"predict", model, path("other.csv")}, {"other.csv", "'x'", "'u', 'v'"});
  refuse({"predict", model, path("wide.csv")}, {"wide.csv", "3 columns", "'x'"});
  refuse({"predict", model, path("missing.csv")}, {"missing.csv", "No such file"});
  refuse({"predict", path("missing.h5"), path("good.csv")}, {"missing.h5", "No such file"});
  refuse({"predict", path("good.csv"), path("good.csv")}, {"good.csv", "not a gpcv model"});
  refuse({"predict", path(""), path("good.csv")}, {"directory"});
  refuse({"predict", model}, {"DATA"});
  refuse({"predict", model, path("good.csv"), "-o", path("none/out.csv")}, {"none/out.csv", "there is no folder"});
  refuse({"predict", model, path("good.csv"), "-o", path("")}, {"directory"});
  refuse({"predict", model, path("good.csv"), "--covariance", path("none/c.csv")},
         {"none/c.csv", "there is no folder"});
  for (const char* interval : {"0", "1", "1.5", "-0.5", "x"}) {
    refuse({"predict", model, path("good.csv"), "--interval", interval}, {"interval"});
  }
  refuse({"predict", model, path("good.csv"), "--samples", "0"}, {"--samples"});
  refuse({"predict", model, path("good.csv"), "--samples", "2", "--mean-only"}, {"--samples", "--mean-only"});
  EXPECT_EQ(files().size(), 4u) << "no temporary is left";
}

TEST_F(BadInput, OfAModelFileSaysWhatIsWrongWithIt) {
  succeed({"fit", path("good.csv"), "--target", "y", "--quiet", "-o", path("model.h5")});
  const std::string whole = read("model.h5");
  const auto refuse_model = [&](const std::string& bytes, const std::string& part) {
    write("bad.h5", bytes);
    refuse({"predict", path("bad.h5"), path("good.csv")}, {"bad.h5", part});
    refuse({"evaluate", path("bad.h5"), path("good.csv"), "--json"}, {"bad.h5", part});
  };
  const auto changed = [&](std::size_t at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
    return bytes;
  };
  refuse_model("", "empty");
  refuse_model(whole.substr(0, 5), "truncated");
  refuse_model(whole.substr(0, 300), "truncated");
  refuse_model(whole.substr(0, whole.size() / 2), "truncated");
  refuse_model(whole.substr(0, whole.size() - 1), "truncated");
  refuse_model(whole + "x", "corrupted");
  refuse_model(changed(600), "corrupted");
  refuse_model(changed(whole.size() / 2), "corrupted");
  refuse_model(changed(whole.size() - 1), "corrupted");
  refuse_model(changed(0), "not a gpcv model");
  std::string newer = whole;
  newer[8] = 99;  // format version
  refuse_model(newer, "newer");
}

}  // namespace
}  // namespace gpcv
