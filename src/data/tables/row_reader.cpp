#include "data/tables/row_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/columns/categories.hpp"
#include "data/columns/column_choice.hpp"
#include "data/columns/target_choice.hpp"
#include "data/tables/location.hpp"
#include "data/tables/table_notes.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

// The largest number of cells to allocate in advance: a row may have millions of them.
constexpr Index most_cells = Index{1} << 22;

/// The standard deviation of a row from the value of the noise column, a standard deviation or a weight.
double noise_of(double value, bool weight, Index position, const csv::Row& row, const csv::Table& table) {
  if (!(value > 0)) {
    csv::fail_at(table.path(), row, position,
                 fmt::format("the {} of a row must be positive, it is {}; correct it or remove the row",
                             weight ? "weight" : "noise", value));
  }
  return weight ? 1 / std::sqrt(value) : value;
}

}  // namespace

RowReader::RowReader(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader)
    : RowReader(csv::Table(path, options.header, reader, options.more), options, nullptr) {}

RowReader::RowReader(const std::filesystem::path& path, const ReadOptions& options,
                     const std::vector<std::string>& targets, const csv::ReaderOptions& reader)
    : RowReader(csv::Table(path, options.header, reader, options.more), options, &targets) {}

RowReader::RowReader(csv::Table table, const ReadOptions& options, const std::vector<std::string>* targets)
    : table_(std::move(table)),
      target_positions_(targets != nullptr ? csv::choose_targets(table_, *targets)
                                           : csv::choose_target(table_, options)),
      columns_(csv::choose_columns(table_, options, target_positions_)) {
  set_rules(options.missing, options.missing_texts, options.decimal);
  columns_.missing_texts = options.missing_texts;
  if (const Index time = csv::choose_time(table_, options, target_positions_); time >= 0) time_.emplace(time, rules_);
  watch_columns({});
  shows_decimal_ = true;
  if (options.keep_ids && !columns_.id.empty()) kept_ = csv::choose_kept(table_, "", {options.id});
  label_position_ = csv::choose_labels(table_, options, target_positions_);
  every_label_ = label_position_ >= 0 && options.every_label;
}

RowReader::RowReader(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header,
                     const csv::ReaderOptions& reader)
    : RowReader(path, trained, LikeOptions{.with_target = with_target, .header = header}, reader) {}

RowReader::RowReader(const std::filesystem::path& path, const Columns& trained, const LikeOptions& options,
                     const csv::ReaderOptions& reader)
    : RowReader(path, std::vector<Columns>{trained}, options, reader) {}

RowReader::RowReader(const std::filesystem::path& path, const std::vector<Columns>& trained, const LikeOptions& options,
                     const csv::ReaderOptions& reader)
    : table_(path, options.header, reader, options.more),
      target_positions_(options.with_target ? csv::match_targets(table_, trained) : std::vector<Index>()),
      columns_(csv::match_columns(table_, trained.front(), options.with_target)),
      unseen_(options.unseen) {
  const bool as_trained = options.missing_texts.empty();
  set_rules(options.missing, as_trained ? trained.front().missing_texts : options.missing_texts, options.decimal);
  rules_->usual = trained.front().decimal;
  rules_->for_model = true;
  watch_columns(trained);
  kept_ = csv::choose_kept(table_, trained.front().id, options.keep);
  for (const Index position : kept_) kept_names_.push_back(table_.names()[static_cast<std::size_t>(position)]);
}

void RowReader::set_rules(Missing missing, const std::vector<std::string>& missing_texts, Decimal decimal) {
  rules_->missing = missing;
  rules_->missing_texts = missing_texts;
  rules_->decimal = decimal;
}

/// Watches the inputs, the targets and the noise. An input or a target that was a date in training, or was none, must
/// be that again.
void RowReader::watch_columns(const std::vector<Columns>& trained) {
  using csv::Demand;
  const auto dates = trained.empty() ? std::nullopt : trained.front().dates;
  for (std::size_t j = 0; j < columns_.features.size(); ++j) {
    const std::string level = columns_.levels.empty() ? "" : columns_.levels[j];
    const bool date = dates && std::find(dates->begin(), dates->end(), static_cast<Index>(j)) != dates->end();
    const Demand demand = !dates || !level.empty() ? Demand::any : date ? Demand::dates : Demand::numbers;
    features_.push_back({csv::NumberColumn(columns_.feature_indices[j], rules_, csv::Role::input, demand), level});
  }
  for (std::size_t t = 0; t < target_positions_.size(); ++t) {
    const auto date = trained.empty() ? std::nullopt : trained[t].target_is_date;
    const Demand demand = !date ? Demand::any : *date ? Demand::dates : Demand::numbers;
    targets_.emplace_back(target_positions_[t], rules_, csv::Role::target, demand);
  }
  if (columns_.noise_index >= 0) noise_.emplace(columns_.noise_index, rules_);
  std::vector<Index> positions;
  for (const Feature& feature : features_) {
    if (feature.level.empty()) positions.push_back(feature.number.position());
  }
  positions.insert(positions.end(), target_positions_.begin(), target_positions_.end());
  if (noise_) positions.push_back(noise_->position());
  if (time_) positions.push_back(time_->position());
  rules_->surveys = std::make_shared<csv::Surveys>(std::move(positions), rules_->missing_texts);
}

/// Reads the inputs of a row; false when a cell is missing.
bool RowReader::read_features(const csv::Row& row, Index at, Matrix& x) {
  bool whole = true;
  for (std::size_t j = 0; j < features_.size();) {
    const std::size_t next = features_[j].level.empty() ? j + 1 : read_category(row, at, j, x);
    if (features_[j].level.empty()) x(at, static_cast<Index>(j)) = features_[j].number.value(row, table_);
    whole = whole && !std::isnan(x(at, static_cast<Index>(j)));
    j = next;
  }
  return whole;
}

std::size_t RowReader::read_category(const csv::Row& row, Index at, std::size_t first, Matrix& x) {
  const Index position = features_[first].number.position();
  const std::string_view text = csv::trim(row.cells[static_cast<std::size_t>(position)]);
  const bool missing = csv::is_missing(text, rules_->missing_texts);
  const double absent = missing ? features_[first].number.take_missing(row, table_) : 0;
  bool known = missing;
  // The indicators of one column follow each other, and exactly one of them is 1.
  std::size_t j = first;
  for (; j < features_.size() && features_[j].number.position() == position; ++j) {
    const bool is = !missing && features_[j].level == text;
    x(at, static_cast<Index>(j)) = is ? 1 : absent;
    known = known || is;
  }
  if (!known && unseen_ == Unseen::error) csv::fail_unknown_level(table_, row, position, columns_);
  if (!known) ++unseen_cells_[position];
  return j;
}

bool RowReader::read_targets(const csv::Row& row, Index at, RowBatch& batch) {
  if (targets_.empty()) return true;
  const bool several = targets_.size() > 1;
  bool any = false;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    double& value = several ? batch.targets(at, static_cast<Index>(t)) : batch.y(at);
    value = targets_[t].value(row, table_);
    any = any || !std::isnan(value);
  }
  return any;
}

Index RowReader::label_of(const csv::Row& row) {
  const std::string_view text = csv::trim(row.cells[static_cast<std::size_t>(label_position_)]);
  if (text.empty()) return -1;
  return labels_.try_emplace(std::string(text), static_cast<Index>(labels_.size())).first->second;
}

bool RowReader::has_label(const csv::Row& row) {
  if (!every_label_ || !csv::trim(row.cells[static_cast<std::size_t>(label_position_)]).empty()) return true;
  const std::string what = fmt::format(
      "column {}: the row belongs to no group, the cell is empty; fill it in or remove "
      "the row",
      csv::excerpt(table_.names()[static_cast<std::size_t>(label_position_)]));
  if (rules_->missing == Missing::error) {
    csv::fail_at(table_.path(), row, label_position_, what, Remedy::drop_missing_rows, {"1"});
  }
  ++labels_missing_;
  if (first_missing_.empty()) first_missing_ = csv::located(table_.path(), row, label_position_, what);
  return false;
}

std::vector<std::string> RowReader::target_names() const {
  std::vector<std::string> names;
  for (const Index position : target_positions_) names.push_back(table_.names()[static_cast<std::size_t>(position)]);
  return names;
}

std::vector<csv::NumberColumn*> RowReader::watched() {
  std::vector<csv::NumberColumn*> all;
  for (Feature& feature : features_) all.push_back(&feature.number);
  for (csv::NumberColumn& target : targets_) all.push_back(&target);
  if (time_) all.push_back(&*time_);
  if (noise_) all.push_back(&*noise_);
  return all;
}
std::vector<const csv::NumberColumn*> RowReader::watched() const {
  const auto all = const_cast<RowReader*>(this)->watched();
  return {all.begin(), all.end()};
}

void RowReader::leave_out(Index kept_before) {
  dropped_.push_back(kept_before + static_cast<Index>(dropped_.size()));
  if (!first_missing_.empty()) return;
  for (const csv::NumberColumn* column : watched()) {
    first_missing_ = column->first_missing();
    if (!first_missing_.empty()) return;
  }
}

std::vector<ReadingNote> RowReader::notes() const {
  std::vector<ReadingNote> notes = csv::notes_of(table_);
  std::vector<Index> seen;
  for (const csv::NumberColumn* column : watched()) {
    const std::string remark = column->remark(table_);
    if (remark.empty() || std::find(seen.begin(), seen.end(), column->position()) != seen.end()) continue;
    seen.push_back(column->position());
    notes.push_back({column->holds_compact_dates() ? "dates" : "numbers", remark});
  }
  for (const auto& [position, cells] : unseen_cells_) {
    notes.push_back(
        {"unseen", fmt::format("column {}: {} cell{} no level of the training; predictions average over its levels",
                               csv::excerpt(table_.names()[static_cast<std::size_t>(position)]), cells,
                               cells == 1 ? " has" : "s have")});
  }
  return notes;
}

/// Notes whether some number that needed no examination has a fraction, and thereby a decimal point.
void RowReader::look_for_points(const RowBatch& batch) {
  const auto has_fraction = [](const auto& values) {
    return (values.array().isFinite() && values.array() != values.array().floor()).any();
  };
  for (std::size_t j = 0; j < features_.size() && !points_; ++j) {
    const Feature& feature = features_[j];
    points_ = feature.level.empty() && feature.number.is_plain() && has_fraction(batch.x.col(static_cast<Index>(j)));
  }
  for (std::size_t t = 0; t < targets_.size() && !points_; ++t) {
    if (!targets_[t].is_plain()) continue;
    points_ = targets_.size() == 1 ? has_fraction(batch.y) : has_fraction(batch.targets.col(static_cast<Index>(t)));
  }
}

/// The decimal mark that all numbers with marks have in common.
Decimal RowReader::decimal() const {
  if (rules_->decimal != Decimal::automatic) return rules_->decimal;
  bool points = points_, commas = false;
  for (const csv::NumberColumn* column : watched()) {
    points = points || column->shown() == Decimal::point;
    commas = commas || column->shown() == Decimal::comma;
  }
  return points == commas ? Decimal::automatic : commas ? Decimal::comma : Decimal::point;
}

Reading RowReader::reading() const { return reading_without({}); }

Reading RowReader::reading_of_target(std::size_t target) const {
  std::vector<const csv::NumberColumn*> others;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    if (t != target) others.push_back(&targets_[t]);
  }
  Reading result = reading_without(others);
  result.target_is_date = targets_[target].holds_dates();
  if (result.first_missing.empty()) result.first_missing = targets_[target].first_missing();
  return result;
}

Reading RowReader::reading_without(const std::vector<const csv::NumberColumn*>& others) const {
  Reading result{.dropped = dropped_, .first_missing = first_missing_, .notes = notes()};
  result.decimal = decimal();
  result.target_is_date = targets_.size() == 1 && targets_.front().holds_dates();
  for (std::size_t j = 0; j < features_.size(); ++j) {
    if (features_[j].number.holds_dates()) result.dates.push_back(static_cast<Index>(j));
  }
  const auto& inputs = columns_.feature_indices;
  const bool time_is_input = time_ && std::count(inputs.begin(), inputs.end(), time_->position()) > 0;
  for (const csv::NumberColumn* column : watched()) {
    if (column->missing() == 0 || (time_is_input && column == &*time_)) continue;
    if (std::find(others.begin(), others.end(), column) != others.end()) continue;
    result.missing.emplace_back(table_.names()[static_cast<std::size_t>(column->position())], column->missing());
  }
  if (labels_missing_ > 0) {
    result.missing.emplace_back(table_.names()[static_cast<std::size_t>(label_position_)], labels_missing_);
  }
  return result;
}

Index RowReader::next(Index most, Matrix& x, Vector& y) {
  RowBatch batch;
  batch.x.swap(x);  // the memory of x is used again
  batch.y.swap(y);
  const Index count = next(most, batch);
  batch.x.swap(x);
  batch.y.swap(y);
  return count;
}

Index RowReader::next(Index most, RowBatch& batch) {
  for (;;) {
    try {
      const Index count = fill(most, batch);
      if (shows_decimal_ && !points_) look_for_points(batch);
      rows_read_ += count;
      return count;
    } catch (const csv::BeginAgain& request) {
      if (rows_read_ > 0) throw InputError(request.otherwise, Remedy::state_decimal);
      begin_again();
    }
  }
}

void RowReader::begin_again() {
  table_ = table_.again();
  for (csv::NumberColumn* column : watched()) column->begin_again();
  labels_.clear();
  dropped_.clear();
  first_missing_.clear();
  unseen_cells_.clear();
  points_ = false;
  labels_missing_ = 0;
}

/// Reads a row into the batch; false when it is left out.
bool RowReader::read_row(const csv::Row& row, Index at, RowBatch& batch) {
  bool whole = read_features(row, at, batch.x);
  const auto value = [&](csv::NumberColumn& column) {
    const double found = column.value(row, table_);
    whole = whole && !std::isnan(found);
    return found;
  };
  if (!read_targets(row, at, batch)) whole = false;
  if (time_) batch.time(at) = value(*time_);
  if (noise_) batch.noise(at) = value(*noise_);
  if (!has_label(row)) whole = false;
  if (!whole && rules_->missing != Missing::keep) return false;
  if (noise_ && !std::isnan(batch.noise(at))) {
    batch.noise(at) = noise_of(batch.noise(at), columns_.noise_is_weight, columns_.noise_index, row, table_);
  }
  if (label_position_ >= 0) batch.labels.push_back(label_of(row));
  if (kept_.empty()) return true;
  batch.kept.emplace_back();
  for (const Index position : kept_) batch.kept.back().emplace_back(row.cells[static_cast<std::size_t>(position)]);
  return true;
}

Index RowReader::fill(Index most, RowBatch& batch) {
  const auto inputs = static_cast<Index>(features_.size());
  most = std::min(most, std::max<Index>(most_cells / std::max<Index>(inputs, 1), 1));
  batch.x.resize(most, inputs);
  batch.y.resize(targets_.size() == 1 ? most : 0);
  if (targets_.size() > 1) batch.targets.resize(most, static_cast<Index>(targets_.size()));
  batch.time.resize(time_ ? most : 0);
  batch.noise.resize(noise_ ? most : 0);
  batch.labels.clear();
  batch.kept.clear();
  Index count = 0;
  for (csv::Row row; count < most && table_.next(row);) {
    if (read_row(row, count, batch)) {
      ++count;
    } else {
      leave_out(rows_read_ + count);
    }
  }
  if (count < most) {
    batch.x.conservativeResize(count, Eigen::NoChange);
    if (targets_.size() == 1) batch.y.conservativeResize(count);
    if (targets_.size() > 1) batch.targets.conservativeResize(count, Eigen::NoChange);
    if (time_) batch.time.conservativeResize(count);
    if (noise_) batch.noise.conservativeResize(count);
  }
  return count;
}

}  // namespace gpcv
