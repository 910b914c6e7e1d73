#include "data/tables/row_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/columns/categories.hpp"
#include "data/columns/column_choice.hpp"
#include "data/tables/location.hpp"

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

RowStream::RowStream(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader)
    : table_(path, options.header, reader), columns_(csv::choose_columns(table_, options)) {
  watch_columns(options.missing);
  if (const Index time = csv::choose_time(table_, options, columns_); time >= 0) time_.emplace(time, options.missing);
  label_position_ = csv::choose_labels(table_, options, columns_);
  every_label_ = label_position_ >= 0 && options.every_label;
  missing_labels_ = options.missing;
}

RowStream::RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header,
                     const csv::ReaderOptions& reader)
    : table_(path, header, reader), columns_(csv::match_columns(table_, trained, with_target)) {
  watch_columns(Missing::error);
}

void RowStream::watch_columns(Missing missing) {
  for (std::size_t j = 0; j < columns_.features.size(); ++j) {
    const Index position = columns_.feature_indices[j];
    features_.push_back({csv::NumberColumn(position, missing), columns_.levels.empty() ? "" : columns_.levels[j]});
  }
  if (columns_.target_index >= 0) target_.emplace(columns_.target_index, missing);
  if (columns_.noise_index >= 0) noise_.emplace(columns_.noise_index, missing);
}

/// Reads the inputs of a row; false when a cell is missing.
bool RowStream::read_features(const csv::Row& row, Index at, Matrix& x) {
  bool whole = true;
  for (std::size_t j = 0; j < features_.size();) {
    Feature& feature = features_[j];
    const Index position = feature.number.position();
    const std::string_view text = csv::trim(row.cells[static_cast<std::size_t>(position)]);
    if (feature.level.empty() || text.empty()) {
      x(at, static_cast<Index>(j)) = feature.number.value(row, table_);
      whole = whole && !std::isnan(x(at, static_cast<Index>(j)));
    }
    if (feature.level.empty()) {
      ++j;
      continue;
    }
    // The indicators of one column follow each other, and exactly one of them is 1.
    bool known = text.empty();
    for (; j < features_.size() && features_[j].number.position() == position; ++j) {
      const bool is = features_[j].level == text;
      x(at, static_cast<Index>(j)) = is ? 1 : 0;
      known = known || is;
    }
    if (!known) csv::fail_unknown_level(table_, row, position, columns_);
  }
  return whole;
}

Index RowStream::label_of(const csv::Row& row) {
  const std::string_view text = csv::trim(row.cells[static_cast<std::size_t>(label_position_)]);
  if (text.empty()) return -1;
  return labels_.try_emplace(std::string(text), static_cast<Index>(labels_.size())).first->second;
}

bool RowStream::has_label(const csv::Row& row) {
  if (!every_label_ || !csv::trim(row.cells[static_cast<std::size_t>(label_position_)]).empty()) return true;
  const std::string what = fmt::format(
      "column {}: the row belongs to no group, the cell is empty; fill it in or remove "
      "the row",
      csv::excerpt(table_.names()[static_cast<std::size_t>(label_position_)]));
  if (missing_labels_ == Missing::error) csv::fail_at(table_.path(), row, label_position_, what);
  ++labels_missing_;
  if (first_missing_.empty()) first_missing_ = csv::located(table_.path(), row, label_position_, what);
  return false;
}

std::vector<const csv::NumberColumn*> RowStream::watched() const {
  std::vector<const csv::NumberColumn*> all;
  for (const Feature& feature : features_) all.push_back(&feature.number);
  if (target_) all.push_back(&*target_);
  if (time_) all.push_back(&*time_);
  if (noise_) all.push_back(&*noise_);
  return all;
}

void RowStream::leave_out(Index kept_before) {
  dropped_.push_back(kept_before + static_cast<Index>(dropped_.size()));
  if (!first_missing_.empty()) return;
  for (const csv::NumberColumn* column : watched()) {
    first_missing_ = column->first_missing();
    if (!first_missing_.empty()) return;
  }
}

Reading RowStream::reading() const {
  Reading result{.dropped = dropped_, .first_missing = first_missing_};
  for (std::size_t j = 0; j < features_.size(); ++j) {
    if (features_[j].number.holds_dates()) result.dates.push_back(static_cast<Index>(j));
  }
  const auto& inputs = columns_.feature_indices;
  const bool time_is_input = time_ && std::count(inputs.begin(), inputs.end(), time_->position()) > 0;
  for (const csv::NumberColumn* column : watched()) {
    if (column->missing() == 0 || (time_is_input && column == &*time_)) continue;
    result.missing.emplace_back(table_.names()[static_cast<std::size_t>(column->position())], column->missing());
  }
  if (labels_missing_ > 0) {
    result.missing.emplace_back(table_.names()[static_cast<std::size_t>(label_position_)], labels_missing_);
  }
  return result;
}

Index RowStream::next(Index most, Matrix& x, Vector& y) {
  RowBatch batch;
  batch.x.swap(x);  // the memory of x is used again
  batch.y.swap(y);
  const Index count = next(most, batch);
  batch.x.swap(x);
  batch.y.swap(y);
  return count;
}

Index RowStream::next(Index most, RowBatch& batch) {
  const auto inputs = static_cast<Index>(features_.size());
  most = std::min(most, std::max<Index>(most_cells / std::max<Index>(inputs, 1), 1));
  batch.x.resize(most, inputs);
  batch.y.resize(target_ ? most : 0);
  batch.time.resize(time_ ? most : 0);
  batch.noise.resize(noise_ ? most : 0);
  batch.labels.clear();
  Index count = 0;
  for (csv::Row row; count < most && table_.next(row);) {
    bool whole = read_features(row, count, batch.x);
    const auto value = [&](csv::NumberColumn& column) {
      const double found = column.value(row, table_);
      whole = whole && !std::isnan(found);
      return found;
    };
    if (target_) batch.y(count) = value(*target_);
    if (time_) batch.time(count) = value(*time_);
    if (noise_) batch.noise(count) = value(*noise_);
    if (!has_label(row)) whole = false;
    if (!whole) {
      leave_out(rows_read_ + count);
      continue;
    }
    if (noise_) {
      batch.noise(count) = noise_of(batch.noise(count), columns_.noise_is_weight, columns_.noise_index, row, table_);
    }
    if (label_position_ >= 0) batch.labels.push_back(label_of(row));
    ++count;
  }
  if (count < most) {
    batch.x.conservativeResize(count, Eigen::NoChange);
    if (target_) batch.y.conservativeResize(count);
    if (time_) batch.time.conservativeResize(count);
    if (noise_) batch.noise.conservativeResize(count);
  }
  rows_read_ += count;
  return count;
}

}  // namespace gpcv
