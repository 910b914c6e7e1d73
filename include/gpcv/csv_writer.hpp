/// Tables of numbers as CSV.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "gpcv/export.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Writer of CSV tables. It uses the fewest digits that read back to the same double. It buffers the text and writes it
/// in large pieces; finish() reports whether everything was written.
class GPCV_EXPORT CsvWriter {
 public:
  /// Writer to a stream; `name` denotes the destination in messages.
  explicit CsvWriter(std::ostream& stream, std::string name = "the output");
  /// Writer to a file; `name` denotes the destination in messages.
  explicit CsvWriter(std::FILE* file, std::string name = "the output");
  /// Writes the rest of the text and ignores failures.
  ~CsvWriter();
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// Writes the names, quoted where a reader could misread them.
  void header(std::span<const std::string> names);
  /// Writes one row.
  void row(std::span<const double> values);
  /// Writes one row of texts, quoted where a reader could misread them, and numbers; NaN becomes an empty cell.
  void row(std::span<const std::string> texts, std::span<const double> values);
  /// Writes every row of a matrix.
  void rows(ConstView values);

  /// Writes the rest of the text. Throws InputError when the destination cannot be written.
  void finish();

 private:
  using Destination = std::function<bool(std::string_view text)>;

  void hand_on_full_pieces();
  void hand_on();

  std::string name_;
  Destination put_;
  std::function<bool()> flush_;
  std::string text_;
};

/// Writes a whole table atomically.
GPCV_EXPORT void write_csv(const std::filesystem::path& path, std::span<const std::string> names, ConstView values);

}  // namespace gpcv
