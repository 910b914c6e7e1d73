/// fit --report and report: one page, self-contained, never in place of an input.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Page : public CommandTest {
 protected:
  void SetUp() override { write("data.csv", wave(60)); }
  Arguments fit(const Arguments& more) const {
    Arguments all{"fit", path("data.csv"), "--target", "y", "--quiet", "--restarts", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Json data(const std::string& name) const {
    const std::string page = read(name), begin = "type=\"application/json\">";
    const std::size_t at = page.find(begin) + begin.size();
    return Json::parse(page.substr(at, page.find("</script>", at) - at));
  }
};

TEST_F(Page, IsSelfContained) {
  succeed(fit({"--report", path("page.html")}));
  const std::string page = read("page.html");
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, ::testing::EndsWith("</html>\n"));
  for (const char* elsewhere : {"http://", "https://", " src=", "<link", "@import", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(elsewhere)));
  }
  EXPECT_THAT(page, HasSubstr("Chart.js"));
  EXPECT_LT(page.size(), 600'000u);
}

TEST_F(Page, TellsTheSameFromTheModelFile) {
  succeed(fit({"--report", path("page.html"), "-o", path("model.h5")}));
  EXPECT_EQ(succeed({"report", path("model.h5"), "-o", path("again.html"), "--threads", "1"}), "");
  Json first = data("page.html"), again = data("again.html");
  // A model's file holds no times.
  first.erase("timing");
  again.erase("timing");
  for (Json& one : first["convergence"]["series"]) EXPECT_EQ(one.erase("seconds"), 1u);
  EXPECT_EQ(first, again);
  EXPECT_THAT(first["command"].get<std::string>(), HasSubstr("fit"));
  EXPECT_EQ(first["convergence"]["series"].empty(), false);
  EXPECT_TRUE(first["test"].is_null());
}

TEST_F(Page, ComparesWithATestTable) {
  succeed(fit({"-o", path("model.h5")}));
  write("test.csv", wave(25));
  succeed({"report", path("model.h5"), "-o", path("page.html"), "--data", path("test.csv"), "--threads", "1"});
  EXPECT_EQ(data("page.html")["test"]["rows"], 25);
  write("other.csv", "u,v\n1,2\n");
  refuse({"report", path("model.h5"), "-o", path("page.html"), "--data", path("other.csv")}, {"other.csv"});
}

TEST_F(Page, NeverTakesThePlaceOfAnInput) {
  const std::string before = read("data.csv");
  refuse(fit({"--report", path("data.csv")}), {"data.csv"});
  EXPECT_EQ(read("data.csv"), before);
  succeed(fit({"-o", path("model.h5")}));
  const std::string model = read("model.h5");
  refuse({"report", path("model.h5"), "-o", path("model.h5")}, {"model.h5"});
  refuse({"report", path("model.h5"), "-o", path("data.csv"), "--data", path("data.csv")}, {"data.csv"});
  refuse(fit({"-o", path("new.h5"), "--report", path("new.h5")}), {"new.h5"});
  EXPECT_EQ(read("model.h5"), model);
  EXPECT_EQ(files(), (std::set<std::string>{"data.csv", "model.h5"}));
}

TEST_F(Page, RefusesWhatIsNoModelOrNoPlace) {
  refuse({"report", path("data.csv"), "-o", path("page.html")}, {"data.csv"});
  refuse({"report", path("none.h5"), "-o", path("page.html")}, {"none.h5"});
  refuse({"report", path("none.h5")}, {"--output"});
  refuse(fit({"--report", path("no/such/folder.html")}), {"folder"});
  EXPECT_EQ(files(), (std::set<std::string>{"data.csv"}));
}

}  // namespace
}  // namespace gpcv
