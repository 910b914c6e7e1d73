#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {
namespace {

/// The whole text as a number, or nothing.
template <class Number>
std::optional<Number> as_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Removes ":NUMBER" from the end of `text` and returns NUMBER; empty when the text does not end so.
std::string_view take_last_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || !as_number<double>(text.substr(colon + 1))) return {};
  const std::string_view number = text.substr(colon + 1);
  text.remove_suffix(text.size() - colon);
  return number;
}

}  // namespace

FoldOptions FoldOptions::parse(const std::string& text) {
  constexpr std::string_view suffix = ":interleaved";
  std::string_view number = text;
  FoldOptions options;
  if (number.ends_with(suffix)) {
    options.kind = Kind::interleaved;
    number.remove_suffix(suffix.size());
  }
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), options.count);
  if (error != std::errc() || end != number.data() + number.size() || options.count < 2) {
    throw InputError(fmt::format("folds '{}': expected a number of at least 2, as 5 or 5:interleaved", text));
  }
  return options;
}

FoldOptions FoldOptions::parse_groups(const std::string& text) {
  std::string_view column = text;
  const std::string_view number = take_last_number(column);
  FoldOptions options{.kind = Kind::groups, .column = std::string(column)};
  if (!number.empty()) options.count = as_number<Index>(number).value_or(0);
  if (column.empty() || options.count < 2) {
    throw InputError(fmt::format("groups '{}': expected COLUMN or COLUMN:K with at least 2 folds, as patient:5", text));
  }
  return options;
}

FoldOptions FoldOptions::parse_blocks(const std::string& text) {
  const std::size_t colon = text.find(':');
  FoldOptions options{.kind = Kind::blocks};
  options.count = as_number<Index>(std::string_view(text).substr(0, colon)).value_or(0);
  if (options.count < 2 || colon + 1 == text.size()) {
    throw InputError(fmt::format("blocks '{}': expected K, K:COLUMN or K:kmeans with K at least 2, as 5:depth", text));
  }
  if (colon != text.npos) options.column = text.substr(colon + 1);
  if (options.column == "kmeans") {
    options.kind = Kind::regions;
    options.column.clear();
  }
  return options;
}

FoldOptions FoldOptions::parse_time(const std::string& text) {
  std::string_view column = text;
  const std::string_view last = take_last_number(column);
  const std::string_view before = last.empty() ? last : take_last_number(column);
  const std::string_view blocks = before.empty() ? last : before;

  FoldOptions options{.kind = Kind::time, .column = std::string(column)};
  if (column.empty()) {
    throw InputError(fmt::format("time '{}': expected COLUMN[:BLOCKS[:WIDTH]], as date, date:5 or date:5:0.25", text));
  }
  if (!blocks.empty()) {
    options.blocks = as_number<Index>(blocks).value_or(0);
    if (options.blocks < 1) {
      throw InputError(
          fmt::format("time '{}': the number of blocks must be whole and at least 1, not '{}'", text, blocks));
    }
  }
  if (!before.empty()) {
    options.width = as_number<double>(last);
    if (!(*options.width > 0) || !std::isfinite(*options.width)) {
      throw InputError(fmt::format("time '{}': the width of a block must be positive, not '{}'", text, last));
    }
  }
  return options;
}

void FoldOptions::ask(ReadOptions& read) const {
  if (kind == Kind::groups || kind == Kind::column) read.labels = column;
  read.every_label = kind == Kind::groups;
  if (kind == Kind::time || kind == Kind::blocks) read.time = column;
}

void FoldOptions::require(const Dataset& data) const {
  const bool labels = kind == Kind::groups || kind == Kind::column;
  const bool order = kind == Kind::time || (kind == Kind::blocks && !column.empty());
  const Index values = labels ? static_cast<Index>(data.labels.size()) : order ? data.time.size() : data.rows();
  if (values == data.rows()) return;
  throw InputError(fmt::format("these folds need one value of the column '{}' per row, {} rows have {}; read it",
                               column, data.rows(), values));
}

Folds FoldOptions::make(const Dataset& data, std::uint64_t seed) const {
  require(data);
  const Index rows = data.rows();
  if (folds && folds->rows == rows) return *folds;
  switch (kind) {
    case Kind::groups:
      return Folds::grouped(data.labels, count, seed);
    case Kind::column:
      return Folds::labelled(data.labels);
    case Kind::blocks:
      if (column.empty()) return Folds::blocks(Vector::LinSpaced(rows, 0, static_cast<double>(rows - 1)), count);
      return Folds::blocks(data.time, count);
    case Kind::regions:
      return Folds::regions(Standardization::fit(data.x, data.y).inputs(data.x), count, seed);
    case Kind::interleaved:
      return Folds::interleaved(rows, count);
    case Kind::holdout:
      return Folds::holdout(rows, fraction, seed);
    case Kind::time:
      return Folds::forward_chaining(data.time, blocks, width);
    case Kind::given:
      throw InputError(fmt::format("the folds given are of {} rows, the data have {}", folds ? folds->rows : 0, rows));
    case Kind::random:
      break;
  }
  return Folds::random(rows, count, seed);
}

}  // namespace gpcv
