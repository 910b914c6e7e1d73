#include "data/tables/number_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "data/tables/column_texts.hpp"
#include "data/tables/iso_date.hpp"
#include "data/tables/notation.hpp"

namespace gpcv::csv {
namespace {

/// The marks of a number, explained.
std::string marks_of(const WrittenNumber& number, Decimal decimal) {
  std::vector<std::string> parts;
  const bool comma = decimal == Decimal::comma;
  if (number.fraction && comma) parts.emplace_back("commas are decimal marks");
  if (number.grouped) {
    parts.emplace_back(number.comma && !comma         ? "commas group thousands"
                       : number.points_group && comma ? "points group thousands"
                                                      : "blanks or apostrophes group thousands");
  }
  if (number.percent) parts.emplace_back("percent signs divide by 100");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

NumberColumn::NumberColumn(Index position, std::shared_ptr<const CellRules> rules, Role role, Demand demand)
    : position_(position), rules_(std::move(rules)), role_(role), demand_(demand), decimal_(rules_->decimal) {
  begin_again();
}

void NumberColumn::begin_again() {
  const bool commas = rules_->usual == Decimal::comma || (rules_->surveys && rules_->surveys->doubt(position_));
  plain_ = decimal_ == Decimal::automatic && !commas && rules_->missing_texts.empty() && demand_ == Demand::any;
  fast_ = false;
  truths_ = false;
  shown_ = Decimal::automatic;
  kind_.reset();
  percent_.reset();
  missing_ = 0;
  first_missing_.clear();
}

/// Takes the kind of the first row for the whole column; any other kind is an error.
double NumberColumn::settle(const Row& row, const Table& table) {
  const std::string_view text = trim(row.cells[static_cast<std::size_t>(position_)]);
  if (is_missing(text, rules_->missing_texts)) return take_missing(row, table);
  const Cell cell = read(row, table);
  if (cell.kind == CellKind::text) fail_text(row, table);
  if (cell.kind != CellKind::number && cell.kind != CellKind::date) fail(row, table, complaint(cell.kind, text));
  if (!kind_) {
    kind_ = cell.kind;
    // Every column needs the line of the first row; searching the cells before it would be quadratic in the columns.
    first_line_ = row.one_line ? row.line : line_of(row.cells, row.line, position_);
  }
  if (cell.kind != kind_) fail(row, table, complaint(cell.kind, text));
  fast_ = plain_ && !truths_ && (cell.kind == CellKind::date || cell.value != 0);
  return demand_ == Demand::any ? cell.value : demanded(cell, row, table);
}

/// Reads a cell that is not missing. Its marks mean what they mean in the whole column.
Cell NumberColumn::read(const Row& row, const Table& table) {
  const std::string_view text = row.cells[static_cast<std::size_t>(position_)];
  const Cell plain = parse_cell(text);
  if (plain.kind == CellKind::text) {
    const auto truth = parse_truth(trim(text));
    if (truth && truths_ == kind_.has_value()) return read_truth(*truth, text);
  }
  if (decimal_ == Decimal::automatic) {
    const bool written = plain.kind == CellKind::text && is_written_number(text);
    if (!written && !may_mean_another(plain, text, table)) return read_plain(plain, row, table);
    survey(row, table);
  }
  const auto number = parse_written(text, decimal_);
  // A number with the other mark is none.
  if (!number) return plain.kind == CellKind::number ? Cell{CellKind::text, 0} : plain;
  if (number->fraction || number->points_group || (number->grouped && number->comma)) shown_ = decimal_;
  require_same_percent(number->percent, number->value, row, table);
  const bool is_plain = plain.kind == CellKind::number && plain.value == number->value;
  if (!is_plain && example_.empty()) {
    example_ = std::string(trim(text));
    meaning_ = fmt::format("{}: {}", number->value, marks_of(*number, decimal_));
  }
  return {CellKind::number, number->value};
}

/// A cell that means what it is.
Cell NumberColumn::read_plain(const Cell& plain, const Row& row, const Table& table) {
  if (plain.kind != CellKind::number) return plain;
  if (truths_) {
    fail(row, table,
         fmt::format("{} is a number but line {} holds {}; write the whole column one way", excerpt(text_of(row)),
                     first_line_, excerpt(example_)));
  }
  require_same_percent(false, plain.value, row, table);
  return plain;
}

Cell NumberColumn::read_truth(bool truth, std::string_view text) {
  truths_ = true;
  if (example_.empty()) {
    example_ = std::string(trim(text));
    meaning_ = fmt::format("{}: the words TRUE and FALSE are 1 and 0", truth ? 1 : 0);
  }
  return {CellKind::number, truth ? 1.0 : 0.0};
}

/// Whether a plain number is another one with the decimal comma of the training table or of other columns: 1.234.
bool NumberColumn::may_mean_another(const Cell& plain, std::string_view text, const Table& table) const {
  const bool commas = rules_->usual == Decimal::comma || (rules_->surveys && rules_->surveys->doubt(position_));
  if (!commas || plain.kind != CellKind::number || !table.is_rereadable()) return false;
  const auto number = parse_written(text, Decimal::comma);
  return number && number->value != plain.value;
}

/// Lets the whole column decide what its marks mean.
void NumberColumn::survey(const Row& row, const Table& table) {
  const std::string text = excerpt(text_of(row));
  if (!rules_->surveys || !table.is_rereadable()) {
    fail(row, table,
         fmt::format("only the whole column can tell the number {}, and this table can be read only once", text),
         Remedy::state_decimal);
  }
  const ColumnSurvey& found = rules_->surveys->of(position_, table);
  plain_ = fast_ = false;
  if (rules_->usual != Decimal::comma && rules_->surveys->doubt_plain_columns()) {
    throw BeginAgain{located(table.path(), row, position_,
                             described(table, fmt::format("the comma of {} is a decimal mark, so points in the rows "
                                                          "before may group thousands",
                                                          text)))};
  }
  if (found.either) take_usual_mark(found, row, table);
  if (decimal_ != Decimal::automatic) return;
  if (found.ambiguous) {
    fail(row, table, fmt::format("the comma of {} may be a decimal mark or group thousands, and no cell tells", text),
         Remedy::state_decimal);
  }
  // Some cell is no number with either mark. It is reported when it is read, and the mark of this cell until then.
  decimal_ = found.decimal != Decimal::automatic           ? found.decimal
             : parse_written(text_of(row), Decimal::point) ? Decimal::point
                                                           : Decimal::comma;
  if (found.changes_plain && kind_) {
    throw BeginAgain{located(table.path(), row, position_,
                             described(table, fmt::format("the comma of {} is a decimal mark, so points in the rows "
                                                          "before group thousands",
                                                          text)))};
  }
}

/// Takes the mark of other tables or columns for a column that permits both: that of the training where no other column
/// of the table contradicts, otherwise the decimal comma of other columns. Without either the column decides alone.
void NumberColumn::take_usual_mark(const ColumnSurvey& found, const Row& row, const Table& table) {
  const Surveys& surveys = *rules_->surveys;
  if (rules_->usual != Decimal::automatic && !surveys.contradict(rules_->usual)) {
    decimal_ = rules_->usual;
  } else if (found.points_only && surveys.contradict(Decimal::point)) {
    if (surveys.contradict(Decimal::comma)) {
      fail(row, table,
           fmt::format("the point of {} may be a decimal mark or group thousands; the other columns have both marks",
                       excerpt(text_of(row))),
           Remedy::state_decimal);
    }
    decimal_ = Decimal::comma;
  }
}

std::string_view NumberColumn::text_of(const Row& row) const {
  return trim(row.cells[static_cast<std::size_t>(position_)]);
}

void NumberColumn::require_same_percent(bool percent, double value, const Row& row, const Table& table) {
  if (value == 0 && !percent) return;
  if (percent_.value_or(percent) != percent) {
    fail(row, table,
         fmt::format("{} has {} percent sign, unlike the rows before; write the whole column one way",
                     excerpt(text_of(row)), percent ? "a" : "no"));
  }
  percent_ = percent;
}

/// The value of a number or date in a column of a known model.
double NumberColumn::demanded(Cell cell, const Row& row, const Table& table) {
  const std::string text = excerpt(text_of(row));
  if (demand_ == Demand::numbers) {
    if (cell.kind == CellKind::number) return cell.value;
    fail(row, table, fmt::format("{} is a date, but the model was trained on numbers here; write such numbers", text));
  }
  if (cell.kind == CellKind::date || (!compact_ && is_plausible_year(cell.value))) return cell.value;
  const auto day = parse_compact_date(cell.value);
  if (day && !compact_) {
    compact_ = rules_->surveys && table.is_rereadable() && rules_->surveys->of(position_, table).compact_dates;
    example_ = std::string(text_of(row));
    meaning_ = fmt::format("the decimal year {:.3f}", *day);
  }
  if (day && compact_) return *day;
  fail(row, table,
       fmt::format("{} is no date, and the model was trained on dates here; write YYYY-MM-DD, or decimal years", text));
}

double NumberColumn::take_missing(const Row& row, const Table& table) {
  const std::string_view text = text_of(row);
  const std::string what = complaint(text.empty() ? CellKind::empty : CellKind::not_finite, text);
  if (rules_->missing == Missing::error) {
    fail_at(table.path(), row, position_, described(table, what), Remedy::drop_missing_rows, {"1"});
  }
  if (missing_++ == 0) first_missing_ = located(table.path(), row, position_, described(table, what));
  return std::numeric_limits<double>::quiet_NaN();
}

std::string NumberColumn::described(const Table& table, std::string_view what) const {
  return fmt::format("column {}: {}", excerpt(table.names()[static_cast<std::size_t>(position_)]), what);
}

void NumberColumn::fail(const Row& row, const Table& table, std::string_view what, Remedy remedy) const {
  fail_at(table.path(), row, position_, described(table, what), remedy);
}

/// Reports a text that is neither number nor date.
void NumberColumn::fail_text(const Row& row, const Table& table) const {
  const std::string_view text = text_of(row);
  const std::string what = complaint(CellKind::text, text);
  if (decimal_ != Decimal::automatic && is_written_number(text)) {
    fail(row, table,
         fmt::format("{} is not a number with a decimal {}; write the whole column one way", excerpt(text),
                     decimal_ == Decimal::comma ? "comma" : "point"));
  }
  if (rules_->for_model && (table.has_header() || row.line != table.first_line())) {
    fail(row, table, what + ", which the model expects; correct the cell or remove the row");
  }
  if (role_ == Role::target) {
    fail(row, table, what + "; the target has to be numeric: correct the cell, or choose another target");
  }
  if (!table.has_header() && row.line == table.first_line()) {
    fail(row, table, what + "; correct it, leave the column out, or say that this line is a header");
  }
  const std::string& name = table.names()[static_cast<std::size_t>(position_)];
  fail_at(table.path(), row, position_, described(table, what),
          is_named_as_id(name) ? Remedy::name_id_column : remedy_for_text(position_, table, rules_->missing_texts),
          {name, std::string(text)});
}

std::string NumberColumn::complaint(CellKind kind, std::string_view text) const {
  switch (kind) {
    case CellKind::empty:
      return "the cell is empty; fill it in or remove the row";
    case CellKind::not_finite:
      return fmt::format("{} is not a finite number; fill it in or remove the row", excerpt(text));
    case CellKind::out_of_range:
      return fmt::format("{} is outside the range of double precision; rescale the column", excerpt(text));
    case CellKind::no_such_date:
      return fmt::format("{} is not in the calendar; correct the date", excerpt(text));
    case CellKind::number:
    case CellKind::date:
      return fmt::format("{} is a {} but line {} holds a {}; write the whole column one way", excerpt(text),
                         kind == CellKind::date ? "date" : "number", first_line_,
                         kind_ == CellKind::date ? "date" : "number");
    case CellKind::text:
      break;
  }
  return fmt::format("{} is not a number or an ISO date (YYYY-MM-DD)", excerpt(text));
}

std::string NumberColumn::remark(const Table& table) const {
  if (example_.empty()) return "";
  return described(table, fmt::format("{} is read as {}", excerpt(example_), meaning_));
}

bool is_named_as_id(std::string_view name) {
  constexpr std::array<std::string_view, 10> names = {"id",   "index", "row",        "rowid", "row_id",
                                                      "uuid", "guid",  "identifier", "key",   "unnamed: 0"};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(names.begin(), names.end(), lower) != names.end() || lower.ends_with("_id") || lower == "#";
}

}  // namespace gpcv::csv
