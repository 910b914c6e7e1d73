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

/// Writes each number in the fewest digits that read back to the same double. Collects the text and hands it on
/// in large pieces; call finish() to learn whether all of it arrived.
class GPCV_EXPORT CsvWriter {
 public:
  /// `name` stands for the destination in messages.
  explicit CsvWriter(std::ostream& stream, std::string name = "the output");
  explicit CsvWriter(std::FILE* file, std::string name = "the output");
  /// Hands on what is left and ignores failures.
  ~CsvWriter();
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  /// Quotes a name when a reader could mistake it.
  void header(std::span<const std::string> names);
  void row(std::span<const double> values);
  /// Every row of a matrix.
  void rows(ConstView values);

  /// Hands on everything; throws InputError when the destination does not take it.
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

/// A whole table, atomically.
GPCV_EXPORT void write_csv(const std::filesystem::path& path, std::span<const std::string> names, ConstView values);

}  // namespace gpcv
