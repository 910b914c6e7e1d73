/// A column of a table as numbers or as dates.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/tables/cell.hpp"
#include "data/tables/column_survey.hpp"
#include "data/tables/table.hpp"

namespace gpcv::csv {

/// What the user says about the cells of a table, and what whole columns say.
struct CellRules {
  Missing missing = Missing::error;
  std::vector<std::string> missing_texts = {};
  Decimal decimal = Decimal::automatic;
  Decimal usual = Decimal::automatic;     ///< of the training table, for columns that permit both marks
  std::shared_ptr<Surveys> surveys = {};  ///< of all columns that are read
  bool for_model = false;                 ///< the columns are those of a model, so that none can be left out
};

/// The purpose of a column.
enum class Role { input, target, other };

/// What a model demands of a column: dates or decimal years, numbers that are no dates, or either.
enum class Demand { any, dates, numbers };

/// A request to begin again: rows were read before the meaning of a column was known.
struct BeginAgain {
  std::string otherwise;  ///< the message when that is not possible
};

/// The first row decides whether the column holds numbers, dates, or the words TRUE and FALSE, which are the numbers 1
/// and 0. Where a cell has a comma or another mark, the whole column decides what it means.
class NumberColumn {
 public:
  NumberColumn(Index position, std::shared_ptr<const CellRules> rules, Role role = Role::other,
               Demand demand = Demand::any);

  /// The value of the row. Throws InputError for a cell that is not of the column's kind; returns NaN for a missing
  /// cell whose row is to be dropped or kept. Throws BeginAgain when earlier values of the column were misread.
  double value(const Row& row, const Table& table) {
    if (fast_) {
      const Cell cell = parse_cell(row.cells[static_cast<std::size_t>(position_)]);
      if (cell.kind == kind_) return cell.value;
    }
    return settle(row, table);
  }

  Index position() const { return position_; }
  bool holds_dates() const { return kind_ == CellKind::date; }
  /// Whether dates are written as YYYYMMDD.
  bool holds_compact_dates() const { return compact_; }
  /// The number of missing cells so far, and the message about the first.
  Index missing() const { return missing_; }
  const std::string& first_missing() const { return first_missing_; }
  /// The decimal mark of the cells that needed an examination; `automatic` where none of them has one.
  Decimal shown() const { return shown_; }
  /// Whether no cell needed an examination, so that a number with a fraction has a decimal point.
  bool is_plain() const { return decimal_ == Decimal::automatic && !holds_dates(); }
  /// How numbers or dates are written, in words; empty for plain numbers and ISO dates.
  std::string remark(const Table& table) const;

  /// Forgets the rows, but not the meaning of commas and points.
  void begin_again();
  /// Counts a missing cell, or throws InputError when these are errors. Returns NaN.
  double take_missing(const Row& row, const Table& table);

 private:
  double settle(const Row& row, const Table& table);
  Cell read(const Row& row, const Table& table);
  void survey(const Row& row, const Table& table);
  Cell read_plain(const Cell& plain, const Row& row, const Table& table);
  Cell read_truth(bool truth, std::string_view text);
  bool may_mean_another(const Cell& plain, std::string_view text, const Table& table) const;
  void take_usual_mark(const ColumnSurvey& found, const Row& row, const Table& table);
  double demanded(Cell cell, const Row& row, const Table& table);
  void require_same_percent(bool percent, double value, const Row& row, const Table& table);
  std::string_view text_of(const Row& row) const;
  std::string complaint(CellKind kind, std::string_view text) const;
  [[noreturn]] void fail_text(const Row& row, const Table& table) const;
  [[noreturn]] void fail(const Row& row, const Table& table, std::string_view what, Remedy remedy = Remedy::none) const;
  std::string described(const Table& table, std::string_view what) const;

  Index position_;
  std::shared_ptr<const CellRules> rules_;
  Role role_;
  Demand demand_;
  Decimal decimal_;  ///< known from the user or from the whole column
  Decimal shown_ = Decimal::automatic;
  bool plain_ = false;             ///< plain cells mean what they are
  bool fast_ = false;              ///< and need no examination, since one that is not 0 was examined
  std::optional<CellKind> kind_;   ///< number or date, after the first row
  bool truths_ = false;            ///< the numbers are written as TRUE and FALSE
  bool compact_ = false;           ///< days are written as YYYYMMDD
  std::optional<bool> percent_;    ///< whether numbers have percent signs, after the first that is not a bare 0
  std::string example_, meaning_;  ///< the first cell that is no plain number, and its value
  Index first_line_ = 0;
  Index missing_ = 0;
  std::string first_missing_;
};

/// Whether a column of this name identifies rows: id, index, row, uuid, key, a name that ends in _id, or the name that
/// pandas gives to the index of a table.
bool is_named_as_id(std::string_view name);

}  // namespace gpcv::csv
