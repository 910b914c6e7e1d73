/// The same table in its many spellings gives the same model.
#include <zlib.h>

#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;

class TableFormats : public CommandTest {
 protected:
  Json fit(const std::string& name, const Arguments& options) const {
    Arguments arguments{"fit", path(name), "--restarts", "1", "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return succeed_json(arguments);
  }
  static void expect_same_model(const Json& a, const Json& b) {
    for (const char* key : {"n", "d", "kernel", "noise", "objective", "cv_rmse", "x_mean", "y_mean", "iterations"}) {
      EXPECT_EQ(a.at(key), b.at(key)) << key;
    }
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST_F(TableFormats, AllGiveTheSameModel) {
  const std::string plain = surface(30);
  const std::string no_header = plain.substr(plain.find('\n') + 1);
  write("plain.csv", plain);
  const Json expected = fit("plain.csv", {"--target", "y"});

  write("table.tsv", replaced(plain, ",", "\t"));
  write("crlf.csv", replaced(plain, "\n", "\r\n"));
  write("mark.csv", "\xEF\xBB\xBF" + plain);
  write("quoted.csv", replaced(plain, "a,b,c,y", "\"a\",\"b\",\"c\",\"y\""));
  write("unended.csv", plain.substr(0, plain.size() - 1));
  const gzFile zipped = gzopen(path("zipped.csv.gz").c_str(), "wb");
  gzwrite(zipped, plain.data(), static_cast<unsigned>(plain.size()));
  gzclose(zipped);
  for (const char* name : {"table.tsv", "crlf.csv", "mark.csv", "quoted.csv", "unended.csv", "zipped.csv.gz"}) {
    SCOPED_TRACE(name);
    expect_same_model(fit(name, {"--target", "y"}), expected);
  }

  write("bare.csv", no_header);
  for (const Arguments& options :
       {Arguments{"--target", "3"}, {"--target", "-1"}, {"--target", "3", "--header", "no"}}) {
    expect_same_model(fit("bare.csv", options), expected);
  }
  expect_same_model(fit("plain.csv", {"--target", "-1", "--header", "yes"}), expected);
}

TEST_F(TableFormats, HeaderMayBeNumbersWhenItIsSaidToBeOne) {
  write("years.csv", "2001,2002\n1,2\n2,3\n3,5\n4,4\n");
  EXPECT_EQ(fit("years.csv", {"--target", "1"}).at("n"), 5);
  EXPECT_EQ(fit("years.csv", {"--target", "2002", "--header", "yes"}).at("n"), 4);
}

TEST_F(TableFormats, FeaturesAreChosenByNameOrIndexInTheGivenOrder) {
  write("data.csv", surface(30));
  const Json named = fit("data.csv", {"--target", "y", "--features", "b,a"});
  EXPECT_EQ(named.at("d"), 2);
  EXPECT_NEAR(named.at("x_mean")[0], 500, 50);
  EXPECT_NEAR(named.at("x_mean")[1], 0, 1);
  EXPECT_THAT(named.at("features"), ElementsAre("b", "a"));
  expect_same_model(fit("data.csv", {"--target", "y", "--features", "1,0"}), named);
  expect_same_model(fit("data.csv", {"--target", "-1", "--features", "-3,-4"}), named);
  // The list ends where its argument ends: what follows may be the table.
  const Finished last = gpcv({"fit", "--target", "y", "--features", "b,a", path("data.csv"), "--quiet"});
  EXPECT_EQ(last.exit_code, 0) << last.err;
}

TEST_F(TableFormats, TextInAColumnNotAskedForDoesNotMatter) {
  write("data.csv", "name,x,y\nash,1,2\n\"oak, old\",2,3\nelm,3,5\nyew,4,4\n");
  EXPECT_EQ(fit("data.csv", {"--target", "y", "--features", "x"}).at("n"), 4);
}

}  // namespace
}  // namespace gpcv
