#include "table_output.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::command {
namespace {

/// Whether the path is that of a named pipe, which is written as it is; a file is replaced as a whole.
bool is_pipe(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_fifo(path, unknown);
}

}  // namespace

bool is_standard_output(const std::string& path) {
  return path.empty() || path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

std::string named_file(const std::string& path) { return is_standard_output(path) ? std::string() : path; }

void require_table(const std::string& path, std::initializer_list<std::filesystem::path> inputs) {
  if (!is_standard_output(path) && !is_pipe(path)) require_writable(path, inputs);
}

void write_table(const std::string& path, const std::function<void(CsvWriter&)>& write) {
  if (is_standard_output(path)) {
    CsvWriter writer(stdout, "standard output");
    write(writer);
    return;
  }
  if (is_pipe(path)) {
    std::ofstream stream(path, std::ios::binary);
    CsvWriter writer(stream, path);
    write(writer);
    return;
  }
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    CsvWriter writer(file, path);
    write(writer);
  });
}

void write_rows(CsvWriter& writer, const std::vector<std::vector<std::string>>& texts, const Matrix& values) {
  Vector row(values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    row = values.row(i).transpose();
    const std::vector<std::string> none;
    writer.row(texts.empty() ? none : texts[static_cast<std::size_t>(i)],
               std::span<const double>(row.data(), static_cast<std::size_t>(row.size())));
  }
}

PredictedColumns columns_of(const PredictionTable& table) {
  return {table.names(), [&table](const RowBatch& rows) { return table.predict(rows); }, table.rows_at_once()};
}

PredictedColumns columns_of(const std::vector<PredictionTable>& tables, const std::vector<std::string>& targets) {
  if (tables.size() == 1) return columns_of(tables.front());
  PredictedColumns columns;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    columns.rows_at_once = std::max(columns.rows_at_once, tables[t].rows_at_once());
    for (const std::string& name : tables[t].names()) columns.names.push_back(fmt::format("{}.{}", targets[t], name));
  }
  columns.values = [&tables, width = static_cast<Index>(columns.names.size())](const RowBatch& rows) {
    Matrix values(rows.x.rows(), width);
    Index at = 0;
    for (const PredictionTable& table : tables) {
      const Matrix own = table.predict(rows);
      values.middleCols(at, own.cols()) = own;
      at += own.cols();
    }
    return values;
  };
  return columns;
}

void write_predictions(const PredictedColumns& columns, const std::vector<std::string>& kept, const NextRows& next,
                       CsvWriter& writer, LiveLine& live) {
  RowBatch batch;
  Index written = 0;
  while (next(columns.rows_at_once, batch) > 0) {
    if (written == 0) {  // a table that cannot be read produces no output
      std::vector<std::string> names = kept;
      names.insert(names.end(), columns.names.begin(), columns.names.end());
      writer.header(names);
    }
    if (batch.x.rows() > rows_per_prediction_batch) {
      live.show(fmt::format("{} rows predicted, {} in work", grouped(written), grouped(batch.x.rows())));
    }
    write_rows(writer, batch.kept, columns.values(batch));
    written += batch.x.rows();
    live.show(fmt::format("{} rows predicted", grouped(written)));
  }
  writer.finish();
  live.clear();
}

}  // namespace gpcv::command
