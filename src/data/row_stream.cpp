#include "data/row_stream.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/categories.hpp"
#include "data/column_choice.hpp"

namespace gpcv {
namespace {

/// Standard deviation from what a noise column holds.
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
  watch_columns();
  if (const Index time = csv::choose_time(table_, options, columns_); time >= 0) time_.emplace(time);
  label_position_ = csv::choose_labels(table_, options, columns_);
}

RowStream::RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header,
                     const csv::ReaderOptions& reader)
    : table_(path, header, reader), columns_(csv::match_columns(table_, trained, with_target)) {
  watch_columns();
}

void RowStream::watch_columns() {
  for (std::size_t j = 0; j < columns_.features.size(); ++j) {
    const Index position = columns_.feature_indices[j];
    features_.push_back({csv::NumberColumn(position), position, columns_.levels.empty() ? "" : columns_.levels[j]});
  }
  if (columns_.target_index >= 0) target_.emplace(columns_.target_index);
  if (columns_.noise_index >= 0) noise_.emplace(columns_.noise_index);
}

void RowStream::read_features(const csv::Row& row, Index at, Matrix& x) {
  for (std::size_t j = 0; j < features_.size();) {
    Feature& feature = features_[j];
    const auto column = static_cast<Index>(j);
    if (feature.level.empty()) {
      x(at, column) = feature.number.value(row, table_);
      ++j;
      continue;
    }
    // All indicators of one column, of which exactly one is 1.
    const std::string_view text = csv::trim(row.cells[static_cast<std::size_t>(feature.position)]);
    bool known = false;
    for (; j < features_.size() && features_[j].position == feature.position; ++j) {
      const bool is = features_[j].level == text;
      x(at, static_cast<Index>(j)) = is ? 1 : 0;
      known = known || is;
    }
    if (!known) csv::fail_unknown_level(table_, row, feature.position, columns_);
  }
}

Index RowStream::label_of(const csv::Row& row) {
  const std::string_view text = csv::trim(row.cells[static_cast<std::size_t>(label_position_)]);
  if (text.empty()) return -1;
  return labels_.try_emplace(std::string(text), static_cast<Index>(labels_.size())).first->second;
}

Index RowStream::next(Index most, Matrix& x, Vector& y) {
  RowBatch batch;
  const Index count = next(most, batch);
  x = std::move(batch.x);
  y = std::move(batch.y);
  return count;
}

Index RowStream::next(Index most, RowBatch& batch) {
  const auto inputs = static_cast<Index>(features_.size());
  batch.x.resize(most, inputs);
  batch.y.resize(target_ ? most : 0);
  batch.time.resize(time_ ? most : 0);
  batch.noise.resize(noise_ ? most : 0);
  batch.labels.clear();
  Index count = 0;
  for (csv::Row row; count < most && table_.next(row); ++count) {
    read_features(row, count, batch.x);
    if (target_) batch.y(count) = target_->value(row, table_);
    if (time_) batch.time(count) = time_->value(row, table_);
    if (noise_) {
      batch.noise(count) =
          noise_of(noise_->value(row, table_), columns_.noise_is_weight, columns_.noise_index, row, table_);
    }
    if (label_position_ >= 0) batch.labels.push_back(label_of(row));
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
