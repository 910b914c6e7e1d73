#include "data/tables/iso_date.hpp"

#include <gtest/gtest.h>

namespace gpcv::csv {
namespace {

double year_of(std::string_view text) {
  const auto date = parse_iso_date(text);
  EXPECT_TRUE(date && date->valid) << text;
  return date ? date->decimal_year : -1;
}

bool exists(std::string_view text) {
  const auto date = parse_iso_date(text);
  EXPECT_TRUE(date) << text;
  return date && date->valid;
}

TEST(IsoDate, IsTheFractionOfItsYear) {
  EXPECT_EQ(year_of("2021-01-01"), 2021);
  EXPECT_DOUBLE_EQ(year_of("2021-07-01"), 2021 + 181.0 / 365);
  EXPECT_DOUBLE_EQ(year_of("2021-12-31"), 2021 + 364.0 / 365);
  EXPECT_DOUBLE_EQ(year_of("0001-01-02"), 1 + 1.0 / 365);
}

TEST(IsoDate, LeapYearsHave366Days) {
  EXPECT_DOUBLE_EQ(year_of("2020-07-01"), 2020 + 182.0 / 366);
  EXPECT_DOUBLE_EQ(year_of("2020-02-29"), 2020 + 59.0 / 366);
  EXPECT_DOUBLE_EQ(year_of("2020-03-01"), 2020 + 60.0 / 366);
  EXPECT_DOUBLE_EQ(year_of("2000-12-31"), 2000 + 365.0 / 366);
  EXPECT_DOUBLE_EQ(year_of("1900-12-31"), 1900 + 364.0 / 365);
}

TEST(IsoDate, WithoutADayIsTheFirstOfTheMonth) { EXPECT_EQ(year_of("1958-03"), year_of("1958-03-01")); }

TEST(IsoDate, MayCarryATimeOfDay) {
  EXPECT_DOUBLE_EQ(year_of("2021-01-01T12:00"), 2021 + 0.5 / 365);
  EXPECT_DOUBLE_EQ(year_of("2021-01-02 06:00:00"), 2021 + 1.25 / 365);
  EXPECT_DOUBLE_EQ(year_of("2021-01-01T00:00:43.2Z"), 2021 + 0.0005 / 365);
  EXPECT_EQ(year_of("2021-01-01T12:00Z"), year_of("2021-01-01 12:00:00.000"));
}

TEST(IsoDate, AnOffsetIsConvertedToUtc) {
  EXPECT_EQ(year_of("2021-06-01T12:00+02:00"), year_of("2021-06-01T10:00Z"));
  EXPECT_EQ(year_of("2021-06-01 12:00:30.5-0330"), year_of("2021-06-01T15:30:30.5"));
  EXPECT_EQ(year_of("2021-06-01T12:00:00,5+02"), year_of("2021-06-01T10:00:00.5"));
  EXPECT_EQ(year_of("2021-01-01T00:30+01:00"), year_of("2020-12-31T23:30"));
  EXPECT_EQ(year_of("2020-12-31T23:30-01:00"), year_of("2021-01-01T00:30"));
  EXPECT_EQ(year_of("2020-03-01T00:00+00:01"), year_of("2020-02-29T23:59"));
  EXPECT_FALSE(exists("2021-01-01T10:00+24:00"));
  for (const char* text : {"2002-06-15 02:00:00 +0200", "2002-06-15 00:00:00 UTC", "2002-06-15 00:00 GMT",
                           "2002-06-15T00:00:00 Z", "2002-06-15T00+00", "2002-06-15T00"}) {
    EXPECT_EQ(year_of(text), year_of("2002-06-15")) << text;
  }
}

TEST(IsoDate, ADayEndsAt24AndAMinuteMayHaveALeapSecond) {
  EXPECT_EQ(year_of("2020-12-31T24:00:00"), 2021);
  EXPECT_EQ(year_of("2020-12-31T24:00-01:00"), year_of("2021-01-01T01:00"));
  EXPECT_EQ(year_of("2016-12-31T23:59:60"), 2017);
}

TEST(CompactDate, IsADayOfTheCalendar) {
  EXPECT_EQ(parse_compact_date(20200601), year_of("2020-06-01"));
  for (const double number : {20200631.0, 20201301.0, 20200600.0, 20200601.5, 2020.5, 737000.0, 1e300, -20200601.0}) {
    EXPECT_FALSE(parse_compact_date(number)) << number;
  }
}

TEST(IsoDate, MomentsOutsideTheCalendarAreInvalid) {
  for (const char* text :
       {"2021-02-29", "1900-02-29", "2021-04-31", "2021-13-01", "2021-00-01", "2021-01-00", "2021-01-32", "2021-13",
        "2021-01-01T24:01", "2021-01-01T25:00", "2021-01-01T10:60", "2021-01-01T10:00:61"}) {
    EXPECT_FALSE(exists(text)) << text;
  }
  EXPECT_TRUE(exists("2000-02-29"));
}

TEST(IsoDate, OtherShapesAreNotDates) {
  for (const char* text : {"",
                           "2021",
                           "2021-",
                           "2021-1-1",
                           "21-01-01",
                           "2021-01-",
                           "2021-01-01T",
                           "2021-01-01T1",
                           "2021-01-01T10:",
                           "2021-01-01T10:00 CET",
                           "2021-01-01T10:00:",
                           "2021-01-01T10:00:00.",
                           "2021-01-01T10:00+1:00",
                           "2021-01-01T10:00+01:",
                           "2021-01-01+01:00",
                           "2021-01-01x",
                           "2021-01T10:00",
                           "2021/01/01",
                           "01.02.2021",
                           "12345-01-01"}) {
    EXPECT_FALSE(parse_iso_date(text)) << text;
  }
}

TEST(IsoDate, ADayAndItsSecondsGiveTheYearOfTheText) {
  EXPECT_EQ(decimal_year(0), year_of("1970-01-01"));
  EXPECT_EQ(decimal_year(-1), year_of("1969-12-31"));
  EXPECT_EQ(decimal_year(18320), year_of("2020-02-28"));
  EXPECT_EQ(decimal_year(18627, 86399), year_of("2020-12-31T23:59:59"));
  EXPECT_EQ(decimal_year(11016, 3600.5), year_of("2000-02-29T01:00:00.5"));
  EXPECT_EQ(decimal_year(-719162), year_of("0001-01-01"));
}

}  // namespace
}  // namespace gpcv::csv
