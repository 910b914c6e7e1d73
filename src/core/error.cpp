#include "gpcv/error.hpp"

#include <fmt/format.h>

namespace gpcv {

KernelSyntaxError::KernelSyntaxError(std::string_view text, std::size_t position, std::string_view expected)
    : InputError(fmt::format("kernel: {}\n  {}\n  {:>{}}", expected, text, "^", position + 1)), position_(position) {}

}  // namespace gpcv
