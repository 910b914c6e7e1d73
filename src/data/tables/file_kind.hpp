/// Files that are no tables of text, recognised by their first bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace gpcv::csv {

/// As many bytes from the beginning of a file tell what it is.
constexpr std::size_t file_kind_bytes = 64;

/// Throws InputError, which says what the file is and what to do, when its first bytes are those of an archive, a
/// workbook, a model, or a table in another format than text.
void require_text_file(const std::filesystem::path& path, std::string_view first_bytes);

}  // namespace gpcv::csv
