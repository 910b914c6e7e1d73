/// Copies of tables that another program has converted, because this one cannot read their format.
#pragma once

#include <filesystem>

namespace gpcv::csv {

/// File from which a table is read: the copy that the environment variable GPCV_CONVERTED names, or the path itself.
/// The variable has a line COPY:PATH for each converted table. The path remains the table's name.
std::filesystem::path readable_copy(const std::filesystem::path& path);

}  // namespace gpcv::csv
