/// The parser of kernel expressions, by recursive descent.
///
///   sum      = product { "+" product }
///   product  = factor { "*" factor }
///   factor   = "(" sum ")" | { number "*" } name [ "(" [ argument { "," argument } ] ")" ]
///   argument = "ard" | "on" "=" columns | parameter "=" ( value | list )
///   columns  = "[" column { "," column } "]"
///   list     = "[" value { "," value } "]" { suffix }
///   value    = number { "@" label | suffix } | "@" label
///   suffix   = ":fixed" | "in" "[" number "," number "]"
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "gpcv/error.hpp"
#include "gpcv/kernel.hpp"
#include "kernels/builder.hpp"

namespace gpcv {
namespace {

constexpr int deepest_nesting = 100;

/// Other names of the base kernels, which users of other libraries know.
constexpr std::pair<std::string_view, std::string_view> aliases[] = {{"rbf", "se"},
                                                                     {"gaussian", "se"},
                                                                     {"squared_exponential", "se"},
                                                                     {"exponential", "matern12"},
                                                                     {"rational_quadratic", "rq"},
                                                                     {"constant", "const"},
                                                                     {"dot_product", "linear"}};

/// The name in the grammar of a base kernel, for any case of its letters and for its aliases.
std::string family_name(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const auto& [alias, known] : aliases) {
    if (name == alias) return std::string(known);
  }
  return name;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Kernel parse() {
    Kernel kernel = sum(0);
    skip_spaces();
    if (position_ < text_.size()) fail("expected '+', '*' or the end here");
    return kernel;
  }

 private:
  [[noreturn]] void fail_at(std::size_t position, const std::string& expected) const {
    throw KernelSyntaxError(text_, position, expected);
  }
  [[noreturn]] void fail(const std::string& expected) const { fail_at(position_, expected); }

  void skip_spaces() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  bool next_is(char c) {
    skip_spaces();
    return position_ < text_.size() && text_[position_] == c;
  }
  bool accept(char c) {
    if (!next_is(c)) return false;
    ++position_;
    return true;
  }
  void require(char c, const std::string& expected) {
    if (!accept(c)) fail(expected);
  }
  std::string word() {
    skip_spaces();
    std::size_t end = position_;
    if (end < text_.size() && is_letter(text_[end])) {
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    }
    std::string found(text_.substr(position_, end - position_));
    position_ = end;
    return found;
  }

  Kernel sum(int depth) {
    if (depth > deepest_nesting) fail("expected fewer nested brackets");
    return joined(&KernelBuilder::sum, '+', [&] { return product(depth); });
  }

  Kernel product(int depth) {
    return joined(&KernelBuilder::product, '*', [&] { return factor(depth); });
  }

  /// While an operand is read, the ties of all operands to its left are known. All operands are joined at once: joining
  /// them one by one would take time and memory quadratic in their number.
  Kernel joined(Kernel (*join)(std::span<const Kernel>), char sign, const std::function<Kernel()>& read) {
    const std::size_t first = earlier_.size();
    do earlier_.push_back(read());
    while (accept(sign));
    Kernel all = join(std::span(earlier_).subspan(first));
    earlier_.resize(first);
    return all;
  }

  Kernel factor(int depth) {
    skip_spaces();
    const std::size_t start = position_;
    double scale = 1;
    while (position_ < text_.size() && is_digit(text_[position_])) {
      scale *= positive_number();
      require('*', "expected '*' and a kernel, as in 2*se");
      skip_spaces();
    }
    if (next_is('(') && position_ != start) fail_at(start, "a number multiplies one base kernel, as in 2*se + 3*rq");
    if (accept('(')) {
      Kernel inner = sum(depth + 1);
      require(')', "expected ')'");
      return inner;
    }
    return leaf(position_ != start ? std::optional(scale) : std::nullopt);
  }

  /// A base kernel; a number before it is its variance, or a factor of the variance.
  Kernel leaf(std::optional<double> scale) {
    skip_spaces();
    const std::size_t start = position_;
    const std::string name = family_name(word());
    WrittenLeaf written;
    std::vector<std::string_view> names;
    for (const Family* family : families()) {
      names.push_back(family->name);
      if (family->name == name) written.family = family;
    }
    if (written.family == nullptr) fail_at(start, fmt::format("expected a kernel: {}", fmt::join(names, ", ")));
    if (accept('(')) {
      if (!accept(')')) {
        do argument(written);
        while (accept(','));
        require(')', "expected ',' or ')'");
      }
    }
    check(written, start);
    if (scale && !written.variance.label.empty()) fail_at(start, "a number cannot multiply a tied variance");
    if (scale) {
      written.variance.value *= *scale;
      written.variance.has_value = true;
    }
    try {
      return KernelBuilder::leaf(written, earlier_);
    } catch (const KernelSyntaxError&) {
      throw;
    } catch (const InputError& error) {
      fail_at(start, error.what());
    }
  }

  void argument(WrittenLeaf& leaf) {
    skip_spaces();
    const std::size_t start = position_;
    const std::string name = word();
    const Family& family = *leaf.family;
    if (name == "ard" && family.length != LengthScale::none) {
      if (leaf.ard && leaf.lengths.size() < 2) fail_at(start, "'ard' is there twice");
      leaf.ard = true;
      return;
    }
    WrittenValue* target = name == "s2"                      ? &leaf.variance
                           : name == "p" && family.period    ? &leaf.period
                           : name == "alpha" && family.shape ? &leaf.shape
                                                             : nullptr;
    const bool is_length = name == "l" && family.length != LengthScale::none;
    const bool is_on = name == "on" && family.op != Op::constant;
    if (target == nullptr && !is_length && !is_on)
      fail_at(start, fmt::format("{} has no '{}'; it takes {}", family.name, name, arguments_of(family)));
    if ((target != nullptr && target->has_value) || (is_length && !leaf.lengths.empty()) ||
        (is_on && !leaf.on.empty())) {
      fail_at(start, fmt::format("'{}' is there twice", name));
    }
    require('=', fmt::format("expected '=' and a value for '{}'", name));
    if (is_on) {
      leaf.on = columns();
    } else if (is_length && next_is('[')) {
      leaf.lengths = value_list();
      leaf.ard = true;
    } else if (is_length) {
      leaf.lengths = {value()};
    } else {
      *target = value();
    }
  }

  static std::string arguments_of(const Family& family) {
    std::vector<std::string> known;
    if (family.length != LengthScale::none) known.insert(known.end(), {"ard", "l"});
    if (family.period) known.emplace_back("p");
    if (family.shape) known.emplace_back("alpha");
    known.emplace_back("s2");
    if (family.op != Op::constant) known.emplace_back("on");
    return fmt::format("{}", fmt::join(known, ", "));
  }

  void check(const WrittenLeaf& leaf, std::size_t start) const {
    if (leaf.family->length == LengthScale::only_ard && !leaf.lengths.empty() && !leaf.ard) {
      fail_at(start, fmt::format("{0} has length scales only with ard: {0}(ard, l=…)", leaf.family->name));
    }
    if (leaf.ard && leaf.lengths.size() == 1 && !leaf.lengths[0].label.empty()) {
      fail_at(start, "with ard a tied length scale must be listed per column: l=[0.5@a,@a]");
    }
    if (!leaf.on.empty() && leaf.lengths.size() > 1 && leaf.lengths.size() != leaf.on.size()) {
      fail_at(start, fmt::format("{} length scales for {} columns", leaf.lengths.size(), leaf.on.size()));
    }
  }

  double number(const char* what) {
    skip_spaces();
    const char* first = text_.data() + position_;
    const char* last = text_.data() + text_.size();
    double value = 0;
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc() || !std::isfinite(value)) fail(fmt::format("expected {}", what));
    position_ += static_cast<std::size_t>(end - first);
    return value;
  }

  double positive_number() {
    skip_spaces();
    const std::size_t start = position_;
    const double value = number("a number");
    if (!(value > 0)) fail_at(start, "expected a positive number");
    return value;
  }

  WrittenValue value() {
    WrittenValue written;
    skip_spaces();
    const std::size_t start = position_;
    if (accept('@')) {
      written.label = label();
      return written;
    }
    if (position_ < text_.size() && text_[position_] != '-' && text_[position_] != '.' && !is_digit(text_[position_])) {
      fail("expected a number, or '@' and a name");
    }
    written.value = positive_number();
    written.has_value = true;
    suffix(written);
    if (written.bounds && (written.value < written.bounds->lower || written.value > written.bounds->upper)) {
      fail_at(start, "the value lies outside its own bounds");
    }
    return written;
  }

  std::string label() {
    std::string name = word();
    if (name.empty()) fail("expected a name after '@'");
    return name;
  }

  void suffix(WrittenValue& written) {
    for (;;) {
      if (written.has_value && written.label.empty() && accept('@')) {
        written.label = label();
        continue;
      }
      if (accept(':')) {
        const std::size_t start = position_;
        if (word() != "fixed") fail_at(start, "expected 'fixed'");
        written.fixed = true;
        continue;
      }
      skip_spaces();
      const std::size_t start = position_;
      if (word() != "in") {
        position_ = start;
        return;
      }
      require('[', "expected '[' and two bounds, as in [0.01,10]");
      Bounds bounds;
      bounds.lower = positive_number();
      require(',', "expected ',' between the bounds");
      bounds.upper = positive_number();
      require(']', "expected ']'");
      if (bounds.lower >= bounds.upper) fail_at(start, "the lower bound must be below the upper");
      written.bounds = bounds;
    }
  }

  std::vector<WrittenValue> value_list() {
    const std::size_t start = position_;
    require('[', "expected '['");
    std::vector<WrittenValue> list;
    do list.push_back(value());
    while (accept(','));
    require(']', "expected ',' or ']'");
    WrittenValue common;
    suffix(common);
    for (WrittenValue& v : list) {
      v.fixed = v.fixed || common.fixed;
      if (!common.bounds) continue;
      if (v.has_value && (v.value < common.bounds->lower || v.value > common.bounds->upper)) {
        fail_at(start, "a listed value lies outside the bounds");
      }
      v.bounds = common.bounds;
    }
    return list;
  }

  std::vector<Index> columns() {
    require('[', "expected '[' and column numbers, as in on=[0,2]");
    std::vector<Index> list;
    do {
      skip_spaces();
      const std::size_t start = position_;
      const double column = number("a column number, counted from 0");
      if (column < 0 || column != std::floor(column) || column > 1e6)
        fail_at(start, "expected a column number, counted from 0");
      const auto index = static_cast<Index>(column);
      if (std::find(list.begin(), list.end(), index) != list.end()) fail_at(start, "this column is there twice");
      list.push_back(index);
    } while (accept(','));
    require(']', "expected ',' or ']'");
    return list;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::vector<Kernel> earlier_;  ///< all operands to the left, where ties are looked up
};

}  // namespace

Kernel Kernel::parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace gpcv
