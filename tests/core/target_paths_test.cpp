/// Names of the files of several targets.
#include <gtest/gtest.h>

#include "gpcv/targets.hpp"

namespace gpcv {
namespace {

TEST(PathOfTarget, HasTheNameBeforeTheEnding) {
  EXPECT_EQ(path_of_target("page.html", {"a", "b"}, 1), "page.b.html");
  EXPECT_EQ(path_of_target("of/jan.1/page", {"a", "b"}, 0), "of/jan.1/page.a");
  EXPECT_EQ(path_of_target("data.old.csv", {"Größe"}, 0), "data.old.Größe.csv");
}

TEST(PathOfTarget, HasNoCharacterThatAFileNameCannotContain) {
  EXPECT_EQ(path_of_target("p.csv", {"yield / ha"}, 0), "p.yield___ha.csv");
  EXPECT_EQ(path_of_target("p.csv", {"../../etc"}, 0), "p..._.._etc.csv");
  const std::string longest = path_of_target("p.csv", {std::string(119, 'x') + "ä" + std::string(500, 'y')}, 0);
  EXPECT_EQ(longest, "p." + std::string(119, 'x') + ".csv");
}

TEST(PathOfTarget, IsTheTargetsOwn) {
  const std::vector<std::string> names{"a/b", "a b", "a_b"};
  EXPECT_EQ(path_of_target("p.csv", names, 0), "p.a_b.csv");
  EXPECT_EQ(path_of_target("p.csv", names, 1), "p.a_b-2.csv");
  EXPECT_EQ(path_of_target("p.csv", names, 2), "p.a_b-3.csv");
  EXPECT_EQ(path_of_target("p.csv", {"a b", "a_b", "a_b-2"}, 2), "p.a_b-2-2.csv");
}

}  // namespace
}  // namespace gpcv
