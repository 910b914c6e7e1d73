/// Inputs, target and what else a table says of its rows, a batch of rows at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

class RowReader;

/// Some rows of a table. Whatever was not asked for is empty.
struct RowBatch {
  Matrix x;                   ///< rows × d
  Vector y, time, noise;      ///< rows
  std::vector<Index> labels;  ///< rows
};

/// Reads a table of any size in bounded memory: it holds one chunk of the file.
///
///     RowStream stream(path, model.columns, false);
///     RowBatch rows;
///     while (stream.next(10'000, rows) > 0) predict(rows.x);
class GPCV_EXPORT RowStream {
 public:
  /// Opens the columns that read_dataset() would read.
  RowStream(const std::filesystem::path& path, const ReadOptions& options);
  /// Opens the columns that read_dataset_like() would read.
  RowStream(const std::filesystem::path& path, const Columns& trained, bool with_target,
            Header header = Header::automatic);
  ~RowStream();
  RowStream(RowStream&&) noexcept;

  /// Where the columns stand in the table.
  const Columns& columns() const;

  /// Fills the batch with the next rows, at most `most` and fewer where they are very wide. Returns their number; 0 at
  /// the end. Throws InputError at the first cell that its column cannot hold.
  Index next(Index most, RowBatch& batch);

 private:
  std::unique_ptr<RowReader> reader_;
};

}  // namespace gpcv
