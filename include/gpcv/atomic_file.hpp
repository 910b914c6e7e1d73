/// Atomic writes: a file appears complete or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string_view>

#include "gpcv/export.hpp"

namespace gpcv {

/// Calls `write` with the path of a temporary file beside `path`, flushes it to disk and renames it to `path`.
/// On any failure the temporary is removed and an existing `path` is untouched; throws InputError when the
/// folder cannot be written.
GPCV_EXPORT void write_atomically(const std::filesystem::path& path,
                                  const std::function<void(const std::filesystem::path& temporary)>& write);

/// Writes text held in memory in the same way.
GPCV_EXPORT void write_text_atomically(const std::filesystem::path& path, std::string_view text);

/// Throws InputError, naming the reason, when a file at `path` could not be created or is one of the inputs.
/// It is called before a long computation, so that the result is not lost at the end.
GPCV_EXPORT void require_writable(const std::filesystem::path& path,
                                  std::initializer_list<std::filesystem::path> inputs = {});

/// Removes the temporary files of writes in progress; nothing is replaced any more. A signal handler may call this
/// before it ends the process.
GPCV_EXPORT void abandon_writes() noexcept;

}  // namespace gpcv
