#include "gpcv/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpcv {
namespace {

/// Number of characters of the first bytes of a text in UTF-8; bytes that continue a character do not count.
std::ptrdiff_t characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace

KernelSyntaxError::KernelSyntaxError(std::string_view text, std::size_t position, std::string_view expected)
    : InputError(
          fmt::format("kernel: {}\n  {}\n  {:>{}}", expected, text, "^", characters(text.substr(0, position)) + 1)),
      position_(position) {}

}  // namespace gpcv
