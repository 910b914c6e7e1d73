#include "gpcv/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gpcv/fit.hpp"
#include "report/page/escape.hpp"

namespace gpcv {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string hostile = "</script><script>alert(\"1\")</script>{{data}} & 'x' \xff";

Model trained() {
  Dataset data{Matrix(20, 1), Vector(20), {{hostile}, {0}, hostile, 1, 2, true}};
  for (Index i = 0; i < 20; ++i) {
    data.x(i, 0) = static_cast<double>(i);
    data.y(i) = std::sin(0.5 * data.x(i, 0));
  }
  FitOptions options;
  options.train.restarts = 1;
  return fit(data, options).model;
}

nlohmann::json data_of(const std::string& page) {
  const std::string begin = "type=\"application/json\">";
  const std::size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(HtmlReport, EscapesWhatTheUserWrote) {
  EXPECT_EQ(html_escaped("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
  EXPECT_EQ(script_escaped("[\"</script><!--\"]"), "[\"\\u003c/script>\\u003c!--\"]");
  const Model model = trained();
  const std::string page = html_report(model, diagnostics_of(model, {}), {});
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;"));
  const std::string shown = data_of(page)["target"];
  EXPECT_THAT(shown, ::testing::StartsWith("</script><script>alert(\"1\")</script>{{data}} & 'x' "));
}

TEST(HtmlReport, HoldsEveryPartAndNoNumberThatIsNotOne) {
  const Model model = trained();
  const nlohmann::json data = data_of(html_report(model, diagnostics_of(model, {}), {{"train", 1.5}}));
  for (const char* part :
       {"headline", "verdict", "tiles", "parameters", "convergence", "held_out", "effects", "settings"}) {
    EXPECT_FALSE(data.at(part).empty()) << part;
  }
  EXPECT_TRUE(data["test"].is_null());
  EXPECT_EQ(data["effects"][0]["x"].size(), 20u);
  EXPECT_EQ(data["effects"][0]["at"].size(), data["effects"][0]["upper"].size());
  EXPECT_EQ(data["held_out"]["truth"].size(), 20u);
}

TEST(HtmlReport, ShowsConvergenceAfterAFirstStepThatFailed) {
  Model model = trained();
  model.provenance.trainer = "likelihood";
  model.provenance.trace = Matrix::Zero(3, model.provenance.trace.cols());
  const auto column = std::find(model.provenance.trace_names.begin(), model.provenance.trace_names.end(), "objective");
  model.provenance.trace.col(column - model.provenance.trace_names.begin()) << std::nan(""), 5, 3;
  const nlohmann::json data = data_of(html_report(model, diagnostics_of(model, {}), {}));
  EXPECT_EQ(data["convergence"]["series"][0]["objective"][0], 2) << "above the best, which is 3";
}

TEST(HtmlReport, NamesTheDistributionOfErrors) {
  Model model = trained();
  model.error_scale.degrees = 4;
  const std::string page = html_report(model, diagnostics_of(model, {}), {});
  EXPECT_THAT(data_of(page)["settings"].dump(-1, ' ', true), HasSubstr("4 degrees of freedom"));
}

TEST(HtmlReport, DoesWithoutHeldOutRows) {
  Model model = trained();
  model.provenance.held_out.variance.setConstant(std::nan(""));
  const nlohmann::json means = data_of(html_report(model, diagnostics_of(model, {}), {}));
  EXPECT_EQ(means["held_out"]["mean"].size(), 20u);
  EXPECT_FALSE(means["held_out"].contains("calibration"));
  model.provenance.held_out = {};
  model.provenance.cv_rmse = std::nan("");
  model.provenance.optima.clear();
  model.provenance.trace.resize(0, model.provenance.trace.cols());
  const nlohmann::json nothing = data_of(html_report(model, diagnostics_of(model, {}), {}));
  EXPECT_TRUE(nothing["held_out"].is_null());
  EXPECT_TRUE(nothing["convergence"].is_null());
}

}  // namespace
}  // namespace gpcv
