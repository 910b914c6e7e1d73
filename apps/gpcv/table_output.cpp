#include "table_output.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::command {

void write_table(const std::string& path, const std::function<void(CsvWriter&)>& write) {
  if (path.empty()) {
    CsvWriter writer(stdout, "standard output");
    write(writer);
    return;
  }
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    CsvWriter writer(file, path);
    write(writer);
  });
}

void write_predictions(const PredictionTable& table, const NextRows& next, const std::function<bool()>& stop,
                       CsvWriter& writer, LiveLine& live) {
  RowBatch batch;
  Index written = 0;
  while (next(rows_per_prediction_batch, batch) > 0) {
    if (stop && stop()) throw Interrupted("stopped before the end");
    if (written == 0) writer.header(table.names());  // a table that cannot be read produces no output
    writer.rows(table.predict(batch));
    written += batch.x.rows();
    live.show(fmt::format("{} rows predicted", grouped(written)));
  }
  writer.finish();
  live.clear();
}

}  // namespace gpcv::command
