#include "data/row_stream.hpp"

#include <algorithm>

#include "data/column_choice.hpp"

namespace gpcv {
namespace {

// One row may have millions of cells: thousands of such rows are not made room for before they are there.
constexpr Index most_cells = Index{1} << 22;

}  // namespace

RowStream::RowStream(const std::filesystem::path& path, const ReadOptions& options, const csv::ReaderOptions& reader)
    : table_(path, options.header, reader), columns_(csv::choose_columns(table_, options)) {
  watch_columns();
  if (const Index time = csv::choose_time(table_, options, columns_); time >= 0) time_.emplace(time);
}

RowStream::RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header,
                     const csv::ReaderOptions& reader)
    : table_(path, header, reader), columns_(csv::match_columns(table_, trained, with_target)) {
  watch_columns();
}

void RowStream::watch_columns() {
  for (Index position : columns_.feature_indices) features_.emplace_back(position);
  if (columns_.target_index >= 0) target_.emplace(columns_.target_index);
}

Index RowStream::next(Index most, Matrix& x, Vector& y) {
  Vector time;
  return next(most, x, y, time);
}

Index RowStream::next(Index most, Matrix& x, Vector& y, Vector& time) {
  const auto inputs = static_cast<Index>(features_.size());
  most = std::min(most, std::max<Index>(most_cells / std::max<Index>(inputs, 1), 1));
  x.resize(most, inputs);
  y.resize(target_ ? most : 0);
  time.resize(time_ ? most : 0);
  Index count = 0;
  for (csv::Row row; count < most && table_.next(row); ++count) {
    for (Index j = 0; j < inputs; ++j) x(count, j) = features_[static_cast<std::size_t>(j)].value(row, table_);
    if (target_) y(count) = target_->value(row, table_);
    if (time_) time(count) = time_->value(row, table_);
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
