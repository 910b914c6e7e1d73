#include "data/tables/iso_date.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace gpcv::csv {
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
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

struct Moment {
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  double fraction = 0;  ///< of a second
};

bool take_time(Scanner& scan, Moment& moment) {
  if (!scan.take_digits(2, moment.hour) || !scan.take(':') || !scan.take_digits(2, moment.minute)) return false;
  if (scan.take(':')) {
    if (!scan.take_digits(2, moment.second)) return false;
    if (scan.take('.') && !scan.take_fraction(moment.fraction)) return false;
  }
  scan.take('Z');
  return true;
}

bool take_moment(Scanner& scan, Moment& moment) {
  if (!scan.take_digits(4, moment.year) || !scan.take('-') || !scan.take_digits(2, moment.month)) return false;
  if (!scan.take('-')) return true;
  if (!scan.take_digits(2, moment.day)) return false;
  return (scan.take('T') || scan.take(' ')) ? take_time(scan, moment) : true;
}

bool exists(const Moment& moment) {
  if (moment.month < 1 || moment.month > 12) return false;
  const bool leap_day = moment.month == 2 && is_leap(moment.year);
  const int days = month_days[static_cast<std::size_t>(moment.month - 1)] + leap_day;
  return moment.day >= 1 && moment.day <= days && moment.hour < 24 && moment.minute < 60 && moment.second < 60;
}

/// year + (days before + seconds / 86400) / (365 or 366)
double decimal_year(const Moment& moment) {
  const bool after_leap_day = moment.month > 2 && is_leap(moment.year);
  const int days = days_before_month[static_cast<std::size_t>(moment.month - 1)] + after_leap_day + moment.day - 1;
  const double seconds = 3600 * moment.hour + 60 * moment.minute + moment.second + moment.fraction;
  return moment.year + (days + seconds / 86400) / (is_leap(moment.year) ? 366 : 365);
}

}  // namespace

std::optional<IsoDate> parse_iso_date(std::string_view text) {
  Scanner scan(text);
  Moment moment;
  if (!take_moment(scan, moment) || !scan.done()) return std::nullopt;
  if (!exists(moment)) return IsoDate{};
  return IsoDate{true, decimal_year(moment)};
}

}  // namespace gpcv::csv
