#include "gpcv/csv_writer.hpp"

#include <fmt/compile.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <ostream>
#include <utility>

#include "gpcv/atomic_file.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;

bool needs_quotes(std::string_view name) {
  return name.empty() || name.front() == ' ' || name.back() == ' ' || name.find_first_of(",;\t\"\r\n") != name.npos;
}

void append_name(std::string& text, std::string_view name) {
  if (!needs_quotes(name)) {
    text += name;
    return;
  }
  text.push_back('"');
  for (char c : name) {
    if (c == '"') text.push_back('"');
    text.push_back(c);
  }
  text.push_back('"');
}

template <class Value>
void append_row(std::string& text, Index count, Value value) {
  for (Index j = 0; j < count; ++j) {
    if (j > 0) text.push_back(',');
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), value(j));
  }
  text.push_back('\n');
}

}  // namespace

CsvWriter::CsvWriter(std::ostream& stream, std::string name)
    : name_(std::move(name)),
      put_([&stream](std::string_view text) {
        return static_cast<bool>(stream.write(text.data(), static_cast<std::streamsize>(text.size())));
      }),
      flush_([&stream] { return static_cast<bool>(stream.flush()); }) {}

CsvWriter::CsvWriter(std::FILE* file, std::string name)
    : name_(std::move(name)),
      put_([file](std::string_view text) { return std::fwrite(text.data(), 1, text.size(), file) == text.size(); }),
      flush_([file] { return std::fflush(file) == 0; }) {}

CsvWriter::~CsvWriter() {
  try {
    finish();
  } catch (...) {
  }
}

void CsvWriter::header(std::span<const std::string> names) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) text_.push_back(',');
    append_name(text_, names[j]);
  }
  text_.push_back('\n');
}

void CsvWriter::row(std::span<const double> values) {
  append_row(text_, static_cast<Index>(values.size()), [&](Index j) { return values[static_cast<std::size_t>(j)]; });
  hand_on_full_pieces();
}

void CsvWriter::row(std::span<const std::string> texts, std::span<const double> values) {
  for (std::size_t j = 0; j < texts.size(); ++j) {
    if (j > 0) text_.push_back(',');
    if (!texts[j].empty()) append_name(text_, texts[j]);
  }
  for (std::size_t j = 0; j < values.size(); ++j) {
    if (j + texts.size() > 0) text_.push_back(',');
    if (!std::isnan(values[j])) fmt::format_to(std::back_inserter(text_), FMT_COMPILE("{}"), values[j]);
  }
  // A line without any character would be a blank line, not a row.
  if (texts.size() + values.size() == 1 && (text_.empty() || text_.back() == '\n')) text_ += "\"\"";
  text_.push_back('\n');
  hand_on_full_pieces();
}

void CsvWriter::rows(ConstView values) {
  for (Index i = 0; i < values.rows(); ++i) {
    append_row(text_, values.cols(), [&](Index j) { return values(i, j); });
    hand_on_full_pieces();
  }
}

void CsvWriter::finish() {
  hand_on();
  if (!flush_()) throw InputError(fmt::format("cannot write to {}: {}", name_, std::strerror(errno)));
}

void CsvWriter::hand_on_full_pieces() {
  if (text_.size() >= piece_bytes) hand_on();
}

void CsvWriter::hand_on() {
  const bool taken = text_.empty() || put_(text_);
  text_.clear();
  if (!taken) throw InputError(fmt::format("cannot write to {}: {}", name_, std::strerror(errno)));
}

void write_csv(const std::filesystem::path& path, std::span<const std::string> names, ConstView values) {
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    std::ofstream file(temporary, std::ios::binary);
    CsvWriter writer(file, path.string());
    writer.header(names);
    writer.rows(values);
    writer.finish();
  });
}

}  // namespace gpcv
