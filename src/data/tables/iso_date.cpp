#include "data/tables/iso_date.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace gpcv {
namespace {

constexpr std::array<int, 12> days_before_month = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
constexpr std::array<int, 12> month_days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/// A reader that consumes a text from the left.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_digits(std::size_t count, int& value) {
    if (rest_.size() < count || !std::all_of(rest_.begin(), rest_.begin() + count, is_digit)) return false;
    std::from_chars(rest_.data(), rest_.data() + count, value);
    rest_.remove_prefix(count);
    return true;
  }
  /// The digits after a decimal point.
  bool take_fraction(double& value) {
    const auto stop = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
    double unit = 1;
    for (auto digit = rest_.begin(); digit != stop; ++digit) value += (unit /= 10) * (*digit - '0');
    const bool any = stop != rest_.begin();
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.begin()));
    return any;
  }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

struct Moment {
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  double fraction = 0;  ///< of a second
  int offset = 0;       ///< minutes by which the clock is ahead of UTC
  bool offset_exists = true;
};

/// An offset from UTC: nothing, Z, UTC, GMT, ±HH, ±HHMM or ±HH:MM, perhaps after a blank.
bool take_offset(Scanner& scan, Moment& moment) {
  const bool blank = scan.take(' ');
  if (scan.take('Z') || scan.take('z') || scan.take("UTC") || scan.take("GMT")) return true;
  const bool behind = scan.take('-');
  if (!behind && !scan.take('+')) return !blank;
  int hours = 0, minutes = 0;
  if (!scan.take_digits(2, hours)) return false;
  const bool colon = scan.take(':');
  if (!scan.take_digits(2, minutes) && colon) return false;
  moment.offset_exists = hours < 24 && minutes < 60;
  moment.offset = (behind ? -1 : 1) * (60 * hours + minutes);
  return true;
}

/// A time of day: HH, HH:MM or HH:MM:SS with a fraction, and an offset.
bool take_time(Scanner& scan, Moment& moment) {
  if (!scan.take_digits(2, moment.hour)) return false;
  const bool minutes = scan.take(':');
  if (minutes && !scan.take_digits(2, moment.minute)) return false;
  if (minutes && scan.take(':')) {
    if (!scan.take_digits(2, moment.second)) return false;
    if ((scan.take('.') || scan.take(',')) && !scan.take_fraction(moment.fraction)) return false;
  }
  return take_offset(scan, moment);
}

bool take_moment(Scanner& scan, Moment& moment) {
  if (!scan.take_digits(4, moment.year) || !scan.take('-') || !scan.take_digits(2, moment.month)) return false;
  if (!scan.take('-')) return true;
  if (!scan.take_digits(2, moment.day)) return false;
  return (scan.take('T') || scan.take('t') || scan.take(' ')) ? take_time(scan, moment) : true;
}

int days_of_month(const Moment& moment) {
  return month_days[static_cast<std::size_t>(moment.month - 1)] + (moment.month == 2 && is_leap(moment.year));
}

/// Whether the calendar has the moment. A day ends at 24:00:00, and a minute may have a leap second.
bool exists(const Moment& moment) {
  if (moment.month < 1 || moment.month > 12 || !moment.offset_exists) return false;
  const bool midnight = moment.hour == 24 && moment.minute == 0 && moment.second == 0 && moment.fraction == 0;
  return moment.day >= 1 && moment.day <= days_of_month(moment) && (moment.hour < 24 || midnight) &&
         moment.minute < 60 && moment.second <= 60;
}

void go_to_previous_day(Moment& moment) {
  if (--moment.day > 0) return;
  if (--moment.month == 0) {
    moment.month = 12;
    --moment.year;
  }
  moment.day = days_of_month(moment);
}

void go_to_next_day(Moment& moment) {
  if (++moment.day <= days_of_month(moment)) return;
  moment.day = 1;
  if (++moment.month <= 12) return;
  moment.month = 1;
  ++moment.year;
}

/// The same moment by the clock of UTC. An offset is less than a day.
Moment in_utc(Moment moment) {
  int minutes = 60 * moment.hour + moment.minute - moment.offset;
  constexpr int minutes_per_day = 24 * 60;
  if (minutes < 0) {
    go_to_previous_day(moment);
    minutes += minutes_per_day;
  } else if (minutes >= minutes_per_day) {
    go_to_next_day(moment);
    minutes -= minutes_per_day;
  }
  moment.hour = minutes / 60;
  moment.minute = minutes % 60;
  return moment;
}

/// year + (days before + seconds / 86400) / (365 or 366)
double decimal_year(int year, int days, double seconds) {
  return year + (days + seconds / 86400) / (is_leap(year) ? 366 : 365);
}

double decimal_year(const Moment& moment) {
  const bool after_leap_day = moment.month > 2 && is_leap(moment.year);
  const int days = days_before_month[static_cast<std::size_t>(moment.month - 1)] + after_leap_day + moment.day - 1;
  return decimal_year(moment.year, days, 3600 * moment.hour + 60 * moment.minute + moment.second + moment.fraction);
}

}  // namespace

std::optional<IsoDate> parse_iso_date(std::string_view text) {
  Scanner scan(text);
  Moment moment;
  if (!take_moment(scan, moment) || !scan.done()) return std::nullopt;
  if (!exists(moment)) return IsoDate{};
  return IsoDate{true, decimal_year(in_utc(moment))};
}

double decimal_year(std::int64_t days, double seconds) {
  using namespace std::chrono;
  const sys_days day{std::chrono::days{days}};
  const year year = year_month_day(day).year();
  return decimal_year(static_cast<int>(year), static_cast<int>((day - sys_days(year / January / 1)).count()), seconds);
}

std::optional<double> csv::parse_compact_date(double number) {
  if (!(number >= 1000'01'01 && number <= 9999'12'31)) return std::nullopt;
  const int whole = static_cast<int>(number);
  const Moment moment{.year = whole / 10000, .month = whole / 100 % 100, .day = whole % 100};
  if (whole != number || !exists(moment)) return std::nullopt;
  return decimal_year(moment);
}

}  // namespace gpcv
