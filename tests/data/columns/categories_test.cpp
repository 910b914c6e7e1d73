#include "data/table_file.hpp"
#include "data/tables/row_reader.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ReadOptions with_categories(std::vector<std::string> categorical) {
  ReadOptions options = with_target("y");
  options.categorical = std::move(categorical);
  return options;
}

TEST(Categories, BecomeOneIndicatorPerLevel) {
  const TableFile file("size,color,y\n1,red,10\n2, blue ,20\n3,red,30\n");
  const Dataset data = read_dataset(file, with_categories({"color"}));
  EXPECT_THAT(data.columns.features, ElementsAre("size", "color=blue", "color=red"));
  EXPECT_THAT(data.columns.levels, ElementsAre("", "blue", "red"));
  EXPECT_EQ(data.x, (Matrix(3, 3) << 1, 0, 1, 2, 1, 0, 3, 0, 1).finished());
}

TEST(Categories, NumbersMayBeLevels) {
  const TableFile file("k,y\n3,10\n1,20\n3,30\n");
  const Dataset data = read_dataset(file, with_categories({"0"}));
  EXPECT_EQ(data.x, (Matrix(3, 2) << 0, 1, 1, 0, 0, 1).finished());
}

TEST(Categories, AreFoundAgainByNameAndByPosition) {
  const TableFile training("size,color,y\n1,red,10\n2,blue,20\n3,red,30\n");
  const Columns trained = read_dataset(training, with_categories({"color"})).columns;
  const TableFile named("color,size\nblue,7\n"), bare("8,red\n"), whole("9,blue,0\n");
  EXPECT_EQ(read_dataset_like(named, trained, false).x, (Matrix(1, 3) << 7, 1, 0).finished());
  EXPECT_EQ(read_dataset_like(bare, trained, false, Header::no).x, (Matrix(1, 3) << 8, 0, 1).finished());
  EXPECT_EQ(read_dataset_like(whole, trained, true, Header::no).x, (Matrix(1, 3) << 9, 1, 0).finished());
}

TEST(Categories, ALevelTheModelHasNotSeenIsRefused) {
  const TableFile training("color,y\nred,10\nblue,20\nred,30\n"), test("color\nred\ngreen\n");
  const Columns trained = read_dataset(training, with_categories({"color"})).columns;
  EXPECT_THAT(message_of([&] { read_dataset_like(test, trained, false); }),
              testing::AllOf(HasSubstr(":3:1:"), HasSubstr("'green'"), HasSubstr("'blue', 'red'")));
}

TEST(Categories, WhatCannotBeOneIsRefused) {
  const TableFile empty("color,y\nred,10\n,20\nred,30\n");
  EXPECT_THAT(message_of([&] { read_dataset(empty, with_categories({"color"})); }),
              testing::AllOf(HasSubstr(":3:1:"), HasSubstr("empty")));
  std::string names = "name,y\n";
  for (int i = 0; i < 300; ++i) names += "n" + std::to_string(i) + "," + std::to_string(i) + "\n";
  const TableFile file(names);
  EXPECT_THAT(message_of([&] { read_dataset(file, with_categories({"name"})); }), HasSubstr("more than 200 levels"));
  const TableFile table("a,b,y\nu,1,2\nv,2,3\n");
  ReadOptions options = with_target("y", {"b"});
  options.categorical = {"a"};
  EXPECT_THAT(message_of([&] { read_dataset(table, options); }), HasSubstr("not among the features"));
}

TEST(RowsOwnNoise, IsReadAndIsNoFeature) {
  const TableFile file("x,sd,y\n1,0.5,10\n2,2,20\n");
  ReadOptions options = with_target("y");
  options.noise = "sd";
  const Dataset data = read_dataset(file, options);
  EXPECT_THAT(data.columns.features, ElementsAre("x"));
  EXPECT_EQ(data.noise, (Vector{{0.5, 2}}));
  options.noise_is_weight = true;
  EXPECT_NEAR(read_dataset(file, options).noise(1), std::sqrt(0.5), 1e-15);
}

TEST(RowsOwnNoise, IsTakenWhereATestTableHasIt) {
  const TableFile training("x,sd,y\n1,0.5,10\n2,2,20\n"), with("sd,x\n3,1\n"), without("x\n1\n");
  ReadOptions options = with_target("y");
  options.noise = "sd";
  const Columns trained = read_dataset(training, options).columns;
  EXPECT_EQ(read_dataset_like(with, trained, false).noise, Vector::Constant(1, 3));
  EXPECT_EQ(read_dataset_like(without, trained, false).noise.size(), 0);
}

TEST(RowsOwnNoise, MustBePositive) {
  const TableFile file("x,sd,y\n1,0.5,10\n2,0,20\n");
  ReadOptions options = with_target("y");
  options.noise = "sd";
  EXPECT_THAT(message_of([&] { read_dataset(file, options); }),
              testing::AllOf(HasSubstr(":3:2:"), HasSubstr("positive")));
  options.noise = "y";
  EXPECT_THAT(message_of([&] { read_dataset(file, options); }), HasSubstr("target"));
}

TEST(RowLabels, AreNumberedAsTheyAppear) {
  const TableFile file("x,site,y\n1,b,1\n2,a,2\n3,b,3\n4,,4\n");
  ReadOptions options = with_target("y");
  options.labels = "site";
  const Dataset data = read_dataset(file, options);
  EXPECT_THAT(data.labels, ElementsAre(0, 1, 0, -1));
  EXPECT_THAT(data.columns.features, ElementsAre("x")) << "what tells rows apart does not predict";
  const Dataset some = data.rows_at({3, 0});
  EXPECT_THAT(some.labels, ElementsAre(-1, 0));
  EXPECT_EQ(some.y, (Vector{{4, 1}}));
}

}  // namespace
}  // namespace gpcv
