/// The parser of kernel expressions, by recursive descent.
///
///   sum      = product { "+" product }
///   product  = factor { "*" factor }
///   factor   = "(" sum ")" | { number "*" } name [ "(" [ argument { "," argument } ] ")" ]
///   argument = "ard" | "on" "=" columns | parameter "=" ( value | list )
///   columns  = column | "[" column { "," column } "]"
///   column   = number | name | quoted name
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
#include "gpcv/kernel_names.hpp"
#include "gpcv/named.hpp"
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
                                                                     {"rationalquadratic", "rq"},
                                                                     {"constant", "const"},
                                                                     {"constantkernel", "const"},
                                                                     {"dot_product", "linear"},
                                                                     {"dotproduct", "linear"},
                                                                     {"exp_sine_squared", "periodic"},
                                                                     {"expsinesquared", "periodic"},
                                                                     {"matern", "matern32"}};

/// The Matérn kernels by their smoothness ν, the argument of the alias `matern`.
constexpr std::pair<double, std::string_view> matern_names[] = {
    {0.5, "matern12"}, {1.5, "matern32"}, {2.5, "matern52"}};

std::string in_lower_case(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return name;
}

/// The family of this name in the grammar; null when there is none.
const Family* family_named(std::string_view name) {
  const auto all = families();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Family* family) { return family->name == name; });
  return found == all.end() ? nullptr : *found;
}

/// What is wrong with a name in lower case that is no kernel.
std::string no_kernel(const std::string& name) {
  if (name == "white" || name == "whitekernel" || name == "white_kernel" || name == "noise") {
    return "noise is no kernel, because it is always part of the model; an option of its own sets it";
  }
  std::vector<std::string> known = family_names();
  const std::string list = fmt::format("{}", fmt::join(known, ", "));
  for (const auto& alias : aliases) known.emplace_back(alias.first);
  const std::string similar = name.empty() ? "" : similar_name(known, name);
  return fmt::format("expected a kernel: {}{}", list,
                     similar.empty() ? "" : fmt::format("; did you mean {}?", similar));
}

/// The name in the grammar of a base kernel for a name in lower case, which may be an alias.
std::string family_name(const std::string& name) {
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
    const std::string name = in_lower_case(word());
    WrittenLeaf written;
    written.family = family_named(family_name(name));
    if (written.family == nullptr) fail_at(start, no_kernel(name));
    if (accept('(') && !accept(')')) {
      do {
        if (name != "matern" || !smoothness(written)) argument(written);
      } while (accept(','));
      require(')', "expected ',' or ')'");
    }
    check(written, start);
    if (scale && !written.variance.label.empty()) fail_at(start, "a number cannot multiply a tied variance");
    if (scale) {
      written.variance.value *= *scale;
      written.variance.has_value = true;
      const auto& bounds = written.variance.bounds;
      if (bounds && (written.variance.value < bounds->lower || written.variance.value > bounds->upper)) {
        fail_at(start, fmt::format("the number makes the variance {}, outside its bounds [{},{}]",
                                   written.variance.value, bounds->lower, bounds->upper));
      }
    }
    try {
      return KernelBuilder::leaf(written, earlier_);
    } catch (const KernelSyntaxError&) {
      throw;
    } catch (const InputError& error) {
      fail_at(start, error.what());
    }
  }

  /// The argument nu of the alias `matern`, which chooses the family; false when another argument comes next.
  bool smoothness(WrittenLeaf& leaf) {
    skip_spaces();
    const std::size_t start = position_;
    if (word() != "nu") {
      position_ = start;
      return false;
    }
    require('=', "expected '=' and a value for 'nu'");
    skip_spaces();
    const std::size_t value_at = position_;
    const double nu = positive_number();
    for (const auto& [value, name] : matern_names) {
      if (nu != value) continue;
      leaf.family = family_named(name);
      return true;
    }
    fail_at(value_at, "nu is 0.5, 1.5 or 2.5");
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
    if (target == nullptr && !is_length && !is_on && name != "ard" && !leaf.on.empty() && !next_is('='))
      fail_at(start, "expected an argument; several columns are in brackets, as in on=[age,weight]");
    if (target == nullptr && !is_length && !is_on)
      fail_at(start, fmt::format("{} has no '{}'; it takes {}", family.name, name, arguments_of(family)));
    if ((target != nullptr && target->has_value) || (is_length && !leaf.lengths.empty()) ||
        (is_on && !leaf.on.empty())) {
      fail_at(start, fmt::format("'{}' is there twice", name));
    }
    require('=', fmt::format("expected '=' and a value for '{}'", name));
    if (is_on) {
      columns(leaf);
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

  /// Whether a name is among the columns: the number of inputs that it means is not known yet.
  static bool names_inputs(const WrittenLeaf& leaf) {
    return std::any_of(leaf.on.begin(), leaf.on.end(), [](const WrittenColumn& c) { return !c.name.empty(); });
  }

  void check(const WrittenLeaf& leaf, std::size_t start) const {
    if (leaf.family->length == LengthScale::only_ard && !leaf.lengths.empty() && !leaf.ard) {
      fail_at(start, fmt::format("{0} has length scales only with ard: {0}(ard, l=…)", leaf.family->name));
    }
    if (leaf.ard && leaf.lengths.size() == 1 && !leaf.lengths[0].label.empty()) {
      fail_at(start, "with ard a tied length scale must be listed per column: l=[0.5@a,@a]");
    }
    if (!names_inputs(leaf) && !leaf.on.empty() && leaf.lengths.size() > 1 && leaf.lengths.size() != leaf.on.size()) {
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

  /// Columns of a base kernel: one, or a list in brackets.
  void columns(WrittenLeaf& leaf) {
    const bool list = accept('[');
    do {
      skip_spaces();
      const std::size_t start = position_;
      WrittenColumn read = column();
      for (const WrittenColumn& known : leaf.on) {
        if (known.number == read.number && known.name == read.name) fail_at(start, "this column is there twice");
      }
      leaf.on.push_back(std::move(read));
    } while (list && accept(','));
    if (list) require(']', "expected ',' or ']'");
  }

  /// Column by its number, or by a name, with quotes where it has characters of the grammar.
  WrittenColumn column() {
    const std::size_t start = position_;
    const char first = position_ < text_.size() ? text_[position_] : '\0';
    if (first == '"' || first == '\'') return {-1, quoted()};
    const std::size_t end = std::min(text_.find_first_of(name_ends, start), text_.size());
    const std::string_view word = text_.substr(start, end - start);
    if (word.empty()) fail("expected a column: its number, counted from 0, or its name");
    position_ = end;
    if (!is_digit(first) && first != '-' && first != '.') return {-1, std::string(word)};
    double number = 0;
    const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (last != word.data() + word.size()) return {-1, std::string(word)};
    if (error != std::errc() || number < 0 || number != std::floor(number) || number > 1e6)
      fail_at(start, "expected a column number, counted from 0, or a name; quotes make a number a name");
    return {static_cast<Index>(number), {}};
  }

  /// Name in single or double quotes; the quote itself is doubled in it.
  std::string quoted() {
    const std::size_t start = position_;
    const char quote = text_[position_++];
    std::string name;
    for (; position_ < text_.size(); ++position_) {
      const bool is_quote = text_[position_] == quote;
      if (is_quote && (position_ + 1 == text_.size() || text_[position_ + 1] != quote)) {
        ++position_;
        if (name.empty()) fail_at(start, "expected a name between the quotes");
        return name;
      }
      if (is_quote) ++position_;
      name += text_[position_];
    }
    fail_at(start, "this quote is not closed");
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::vector<Kernel> earlier_;  ///< all operands to the left, where ties are looked up
};

}  // namespace

std::vector<std::pair<std::string, std::string>> family_aliases() { return {std::begin(aliases), std::end(aliases)}; }

Kernel Kernel::parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace gpcv
