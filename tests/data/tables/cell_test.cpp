#include "data/tables/cell.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace gpcv::csv {
namespace {

void expect_number(std::string_view text, double value) {
  const Cell cell = parse_cell(text);
  EXPECT_EQ(cell.kind, CellKind::number) << text;
  EXPECT_EQ(cell.value, value) << text;
}

void expect_kind(std::string_view text, CellKind kind) { EXPECT_EQ(parse_cell(text).kind, kind) << "'" << text << "'"; }

TEST(Cell, NumbersAreReadExactly) {
  expect_number("0.1", 0.1);
  expect_number("-2.5e-3", -2.5e-3);
  expect_number("1E5", 1e5);
  expect_number(".5", 0.5);
  expect_number("7.", 7);
  expect_number("1.7976931348623157e308", std::numeric_limits<double>::max());
  expect_number("4.9406564584124654e-324", std::numeric_limits<double>::denorm_min());
}

TEST(Cell, BlanksAroundANumberAreTolerated) { expect_number(" \t 3.25  ", 3.25); }

TEST(Cell, ALeadingPlusIsAccepted) {
  expect_number("+4", 4);
  expect_number("+.5e+1", 5);
  expect_kind("+-4", CellKind::text);
  expect_kind("++4", CellKind::text);
  expect_kind("+", CellKind::text);
}

TEST(Cell, NumbersWithSomethingBehindThemAreText) {
  for (const char* text : {"1,5", "1 000", "5%", "0x10", "1e", "1.2.3", "12abc", "1-2"}) {
    expect_kind(text, CellKind::text);
  }
}

TEST(Cell, EmptyAndBlankAreEmpty) {
  expect_kind("", CellKind::empty);
  expect_kind("   ", CellKind::empty);
}

TEST(Cell, SpellingsOfNoValueAreNotFinite) {
  for (const char* text : {"nan", "NaN", "NA", "N/A", "inf", "-Inf", "+inf", "Infinity", "null", "None", "?", "-nan"}) {
    expect_kind(text, CellKind::not_finite);
  }
}

TEST(Cell, NumbersBeyondDoubleAreOutOfRange) {
  for (const char* text : {"1e999", "-1e309", "+1e400", "1e-400"}) expect_kind(text, CellKind::out_of_range);
}

TEST(Cell, DatesAreDecimalYears) {
  const Cell cell = parse_cell(" 2020-07-01 ");
  EXPECT_EQ(cell.kind, CellKind::date);
  EXPECT_DOUBLE_EQ(cell.value, 2020 + 182.0 / 366);
  expect_kind("2021-02-29", CellKind::no_such_date);
}

}  // namespace
}  // namespace gpcv::csv
