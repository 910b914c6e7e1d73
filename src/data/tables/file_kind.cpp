#include "data/tables/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

using namespace std::string_view_literals;

struct FileKind {
  std::string_view magic, what;
  Remedy remedy = Remedy::none;
};

constexpr std::string_view unpack = "; unpack it first, or pack the table by gzip or zstd";
constexpr FileKind packed_kinds[] = {{"\xFD"
                                      "7zXZ\0"sv,
                                      "xz"},
                                     {"BZh"sv, "bzip2"},
                                     {"7z\xBC\xAF\x27\x1C"sv, "7-Zip"}};
constexpr FileKind other_kinds[] = {
    {"PAR1"sv, "this is a Parquet file", Remedy::convert_table},
    {"ARROW1"sv, "this is a Feather file", Remedy::convert_table},
    {"\x89HDF\r\n\x1A\n"sv, "this is a binary file, HDF5, not a text table; export the table as CSV"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "this is a workbook of a spreadsheet; export the sheet as CSV"}};

/// Workbooks are zip archives with certain first entries, whose names stand 30 bytes from the beginning.
bool is_workbook(std::string_view archive) {
  constexpr std::size_t name_at = 30;
  const std::string_view name = archive.size() > name_at ? archive.substr(name_at) : std::string_view();
  return name.starts_with("[Content_Types].xml") || name.starts_with("xl/") || name.starts_with("_rels/") ||
         name.starts_with("docProps/") || name.starts_with("mimetypeapplication/vnd.oasis");
}

/// Whether no byte is a control character other than a tab or the end of a line.
bool is_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
  });
}

}  // namespace

void require_text_file(const std::filesystem::path& path, std::string_view first_bytes) {
  if (first_bytes.starts_with("PK\x03\x04")) {
    throw InputError(
        is_workbook(first_bytes)
            ? fmt::format("{}: this is a workbook of a spreadsheet; export the sheet as CSV", path.string())
            : fmt::format("{}: this is a zip archive{}", path.string(), unpack));
  }
  for (const FileKind& kind : packed_kinds) {
    if (!first_bytes.starts_with(kind.magic)) continue;
    // A text may begin with BZh; the block of a bzip2 file begins with the digits of pi.
    if (kind.magic == "BZh" && first_bytes.substr(std::min<std::size_t>(4, first_bytes.size())).find("1AY&SY") != 0)
      continue;
    throw InputError(fmt::format("{}: this file is packed by {}{}", path.string(), kind.what, unpack));
  }
  if (is_text(first_bytes)) return;  // a header may begin with PAR1
  for (const FileKind& kind : other_kinds) {
    if (first_bytes.starts_with(kind.magic)) {
      throw InputError(fmt::format("{}: {}", path.string(), kind.what), kind.remedy);
    }
  }
}

}  // namespace gpcv::csv
