#include "core/name_lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpcv {
namespace {

using testing::ElementsAre;

TEST(NamePatterns, AStarStandsForAnyText) {
  for (const char* text : {"", "y", "y1", "yield of wheat", "größe"}) EXPECT_TRUE(fits_pattern(text, "*")) << text;
  EXPECT_TRUE(fits_pattern("y1", "y*"));
  EXPECT_TRUE(fits_pattern("y", "y*"));
  EXPECT_TRUE(fits_pattern("strain_x_mean", "*_x_*"));
  EXPECT_TRUE(fits_pattern("abab", "*ab"));
  EXPECT_TRUE(fits_pattern("a*b", "a*b"));
  EXPECT_FALSE(fits_pattern("xy", "y*"));
  EXPECT_FALSE(fits_pattern("abac", "*ab"));
  EXPECT_FALSE(fits_pattern("", "y"));
  EXPECT_FALSE(fits_pattern("Y1", "y*"));
}

TEST(NamePatterns, ManyStarsAreNoBurden) {
  std::string pattern;
  for (int i = 0; i < 2000; ++i) pattern += "a*";
  EXPECT_FALSE(fits_pattern(std::string(20'000, 'a'), pattern + "b"));
  EXPECT_TRUE(fits_pattern(std::string(20'000, 'a'), pattern));
}

TEST(NameLists, AreDividedByCommas) {
  EXPECT_THAT(listed_texts({}, "a,b"), ElementsAre("a", "b"));
  EXPECT_THAT(listed_texts({"a"}, " a , b c "), ElementsAre("a", "b c"));
  EXPECT_THAT(listed_texts({"a"}, "a,,b,"), ElementsAre("a", "", "b", ""));
}

TEST(NameLists, APatternMayHaveCommas) {
  const std::vector<std::string> known{"y,0", "y,1", "a"};
  EXPECT_FALSE(is_list(known, "y,*"));
  EXPECT_FALSE(is_list(known, "y,1"));
  EXPECT_FALSE(is_list(known, "a*"));
  EXPECT_TRUE(is_list(known, "a,y*"));
  EXPECT_TRUE(is_list(known, "a,y,0"));
}

TEST(NameLists, NamesKeepTheirCommas) {
  const std::vector<std::string> known{"yield, t/ha", "yield", "a,b,c", "a"};
  EXPECT_THAT(listed_texts(known, "yield, t/ha,a"), ElementsAre("yield, t/ha", "a"));
  EXPECT_THAT(listed_texts(known, "a,yield,a,b,c"), ElementsAre("a", "yield", "a,b,c"));
  EXPECT_THAT(listed_texts(known, "a,b"), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace gpcv
