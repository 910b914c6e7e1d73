/// What can be done about an error or a finding is said in the command's flags.
#include "command.hpp"

namespace gpcv {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Remedies : public CommandTest {
 protected:
  /// The line that training with these options is refused with ends in the remedy.
  void refuse_fit(const Arguments& options, const std::string& problem, const std::string& remedy) const {
    Arguments all{"fit", path("data.csv"), "--target", "y"};
    all.insert(all.end(), options.begin(), options.end());
    refuse(all, {problem + "; " + remedy + "\n"});
  }
};

TEST_F(Remedies, AreInFlags) {
  write("data.csv", wave(150));
  refuse_fit({"--trainer", "likelihood", "--memory", "100K"}, "the memory budget is 100 KiB",
             "raise --memory or use fewer rows");
  refuse_fit({"--rho", "1"}, "rho is an option of the trainer admm, naive or consensus, not of gauss-newton",
             "leave out --rho");
  refuse_fit({"--trainer", "admm", "--rho-consensus", "1"},
             "rho_consensus is an option of the trainer consensus, not of admm", "leave out --rho-consensus");
  refuse_fit({"--resume"}, "resuming needs the file of a checkpoint", "name it with --checkpoint FILE");
  refuse_fit({"--trainer", "likelihood", "--checkpoint", path("a.ck")},
             "the trainer likelihood cannot write checkpoints", "leave out --checkpoint");
  refuse_fit({"--trainer", "admm", "--folds", "3"}, "one hold-out split, not on 3 folds",
             "choose --holdout, or --trainer naive or consensus for folds");
}

TEST_F(Remedies, KeepTheirPlaceInTheTable) {
  write("data.csv", "x,y\n1,2\nabc,2\n3,5\n4,4\n");
  refuse_fit({}, "data.csv:3:1: column 'x': 'abc' is not a number or an ISO date (YYYY-MM-DD)",
             "correct it, leave the column out, or make it --categorical");
}

TEST_F(Remedies, FollowFindingsAsTextAndAsJson) {
  std::ostringstream text;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  text << "first day,same,y\n";
  for (int i = 0; i < 100; ++i) text << i << ",7," << normal(random) << '\n';
  write("data.csv", text.str());
  const std::string constant = "column 'same' is constant and carries no information; leave it out with --features",
                    order =
                        "rows look ordered in time ('first day' never falls): random folds give an optimistic error "
                        "estimate; use --time 'first day'";
  const std::string shown = succeed({"check", path("data.csv"), "--target", "y"});
  EXPECT_THAT(shown, AllOf(HasSubstr("warning  " + constant + "\n"), HasSubstr("warning  " + order + "\n")));
  const Json json = succeed_json({"check", path("data.csv"), "--target", "y", "--json"});
  EXPECT_THAT(json.at("findings").dump(), AllOf(HasSubstr(constant), HasSubstr(order), Not(HasSubstr("remedy"))));
}

}  // namespace
}  // namespace gpcv
