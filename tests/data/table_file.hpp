/// Small tables on disk, and the messages that reading them gives.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "data/tables/csv.hpp"
#include "data/tables/row_reader.hpp"
#include "gpcv/dataset.hpp"
#include "gpcv/error.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {

/// A file of its own folder, gone with the object.
class TableFile {
 public:
  explicit TableFile(std::string_view text, const std::string& name = "table.csv") : path_(folder_ / name) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  const std::filesystem::path& path() const { return path_; }
  operator const std::filesystem::path&() const { return path_; }

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
};

inline std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

inline ReadOptions with_target(std::string target, std::vector<std::string> features = {},
                               Header header = Header::automatic) {
  return {std::move(target), std::move(features), header};
}

inline csv::ReaderOptions chunks_of(std::size_t bytes) {
  csv::ReaderOptions options;
  options.chunk_bytes = bytes;
  return options;
}

/// The whole table in one batch.
inline Dataset read_in_chunks(const std::filesystem::path& path, const ReadOptions& options, std::size_t chunk_bytes) {
  RowReader stream(path, options, chunks_of(chunk_bytes));
  Dataset data;
  stream.next(1000, data.x, data.y);
  data.columns = stream.columns();
  return data;
}

}  // namespace gpcv
