#include "gpcv/dataset.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "data/row_stream.hpp"
#include "data/spread.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

// Not a power of two: columns that far apart would share one set of the cache.
constexpr Index batch_rows = 20'000;

Dataset read_all(RowStream stream, const std::function<void(Index)>& progress = {}) {
  struct Batch {
    Matrix x;
    Vector y, time;
  };
  std::vector<Batch> batches;
  for (Batch batch; stream.next(batch_rows, batch.x, batch.y, batch.time) > 0; batch = {}) {
    batches.push_back(std::move(batch));
    if (progress) progress(stream.rows_read());
  }

  const bool has_target = stream.columns().target_index >= 0;
  const bool has_time = !batches.empty() && batches.front().time.size() > 0;
  Dataset data;
  data.columns = stream.columns();
  data.reading = stream.reading();
  data.x.resize(stream.rows_read(), static_cast<Index>(data.columns.features.size()));
  data.y.resize(has_target ? stream.rows_read() : 0);
  data.time.resize(has_time ? stream.rows_read() : 0);
  Index row = 0;
  for (Batch& batch : batches) {
    data.x.middleRows(row, batch.x.rows()) = batch.x;
    if (has_target) data.y.segment(row, batch.y.size()) = batch.y;
    if (has_time) data.time.segment(row, batch.time.size()) = batch.time;
    row += batch.x.rows();
    batch = {};
  }
  return data;
}

void require_finite(ConstVectorView values, const std::string& name) {
  for (Index i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values(i))) {
      throw InputError(fmt::format("column '{}': row {} is {}, not a finite number; fill it in or remove the row", name,
                                   i, values(i)));
    }
  }
  if (!std::isfinite(spread(values).deviation)) {
    throw InputError(
        fmt::format("column '{}': the values lie too far apart for double precision; rescale the column", name));
  }
}

/// Data made in memory may come without names.
std::string name_of_input(const Dataset& data, Index j) {
  const auto& names = data.columns.features;
  return j < static_cast<Index>(names.size()) ? names[static_cast<std::size_t>(j)] : fmt::format("c{}", j);
}

}  // namespace

Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options) {
  return read_all(RowStream(path, options), options.progress);
}

Dataset read_dataset_like(const std::filesystem::path& path, const Columns& trained, bool with_target, Header header) {
  return read_all(RowStream(path, trained, with_target, header));
}

void require_trainable(const Dataset& data) {
  const std::string target = data.columns.target.empty() ? "target" : data.columns.target;
  if (data.inputs() == 0) throw InputError("the data have no input column; name at least one feature");
  if (data.y.size() != data.rows()) {
    throw InputError(
        fmt::format("{} rows of inputs but {} target values; name the target column", data.rows(), data.y.size()));
  }
  if (data.rows() < 3) {
    throw InputError(fmt::format("training needs at least 3 rows, the data have {}", data.rows()));
  }
  for (Index j = 0; j < data.inputs(); ++j) require_finite(data.x.col(j), name_of_input(data, j));
  require_finite(data.y, target);
  if (spread(data.y).deviation == 0) {
    throw InputError(
        fmt::format("the target '{}' is constant, every value is {}; there is nothing to learn", target, data.y(0)));
  }
}

}  // namespace gpcv
