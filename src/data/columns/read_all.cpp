#include "data/columns/read_all.hpp"

#include <utility>
#include <vector>

namespace gpcv {
namespace {

// The number is not a power of two, because columns that far apart would map to one set of the cache.
constexpr Index batch_rows = 20'000;

}  // namespace

Dataset read_all(RowReader& stream, const std::function<void(Index)>& progress, Matrix* targets) {
  std::vector<RowBatch> batches;
  for (RowBatch batch; stream.next(batch_rows, batch) > 0; batch = {}) {
    batches.push_back(std::move(batch));
    if (progress) progress(stream.rows_read());
  }

  const Index rows = stream.rows_read();
  Dataset data;
  data.columns = stream.columns();
  data.reading = stream.reading();
  data.x.resize(rows, static_cast<Index>(data.columns.features.size()));
  const auto room = [&](const Vector& first, Vector& all) { all.resize(first.size() > 0 ? rows : 0); };
  if (!batches.empty()) {
    room(batches.front().y, data.y);
    room(batches.front().time, data.time);
    room(batches.front().noise, data.noise);
  }
  if (targets != nullptr) targets->resize(rows, static_cast<Index>(stream.targets().size()));
  Index row = 0;
  for (RowBatch& batch : batches) {
    const Index count = batch.x.rows();
    data.x.middleRows(row, count) = batch.x;
    if (data.y.size() > 0) data.y.segment(row, count) = batch.y;
    if (data.time.size() > 0) data.time.segment(row, count) = batch.time;
    if (data.noise.size() > 0) data.noise.segment(row, count) = batch.noise;
    if (targets != nullptr) {
      targets->middleRows(row, count) = batch.targets.size() > 0 ? batch.targets : Matrix(batch.y);
    }
    data.labels.insert(data.labels.end(), batch.labels.begin(), batch.labels.end());
    for (std::vector<std::string>& texts : batch.kept) data.ids.push_back(std::move(texts.front()));
    row += count;
    batch = {};
  }
  return data;
}

}  // namespace gpcv
