#include "data/row_stream.hpp"

#include <algorithm>
#include <cmath>

#include "data/column_choice.hpp"

namespace gpcv {

RowStream::RowStream(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader)
    : table_(path, options.header, reader), columns_(csv::choose_columns(table_, options)) {
  watch_columns(options.missing);
  if (const Index time = csv::choose_time(table_, options, columns_); time >= 0) time_.emplace(time, options.missing);
}

RowStream::RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header,
                     const csv::ReaderOptions& reader)
    : table_(path, header, reader), columns_(csv::match_columns(table_, trained, with_target)) {
  watch_columns(Missing::error);
}

void RowStream::watch_columns(Missing missing) {
  for (Index position : columns_.feature_indices) features_.emplace_back(position, missing);
  if (columns_.target_index >= 0) target_.emplace(columns_.target_index, missing);
}

std::vector<const csv::NumberColumn*> RowStream::watched() const {
  std::vector<const csv::NumberColumn*> all;
  for (const csv::NumberColumn& feature : features_) all.push_back(&feature);
  if (target_) all.push_back(&*target_);
  if (time_) all.push_back(&*time_);
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
    if (features_[j].holds_dates()) result.dates.push_back(static_cast<Index>(j));
  }
  const auto& inputs = columns_.feature_indices;
  const bool time_is_input = time_ && std::count(inputs.begin(), inputs.end(), time_->position()) > 0;
  for (const csv::NumberColumn* column : watched()) {
    if (column->missing() == 0 || (time_is_input && column == &*time_)) continue;
    result.missing.emplace_back(table_.names()[static_cast<std::size_t>(column->position())], column->missing());
  }
  return result;
}

Index RowStream::next(Index most, Matrix& x, Vector& y) {
  Vector time;
  return next(most, x, y, time);
}

Index RowStream::next(Index most, Matrix& x, Vector& y, Vector& time) {
  const auto inputs = static_cast<Index>(features_.size());
  x.resize(most, inputs);
  y.resize(target_ ? most : 0);
  time.resize(time_ ? most : 0);
  Index count = 0;
  for (csv::Row row; count < most && table_.next(row);) {
    bool whole = true;
    const auto value = [&](csv::NumberColumn& column) {
      const double found = column.value(row, table_);
      whole = whole && !std::isnan(found);
      return found;
    };
    for (Index j = 0; j < inputs; ++j) x(count, j) = value(features_[static_cast<std::size_t>(j)]);
    if (target_) y(count) = value(*target_);
    if (time_) time(count) = value(*time_);
    if (whole) {
      ++count;
    } else {
      leave_out(rows_read_ + count);
    }
  }
  if (count < most) {
    x.conservativeResize(count, Eigen::NoChange);
    if (target_) y.conservativeResize(count);
    if (time_) time.conservativeResize(count);
  }
  rows_read_ += count;
  return count;
}

}  // namespace gpcv
