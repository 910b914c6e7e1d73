/// What gpcv throws: misuse and bad input. Expected outcomes of an algorithm are a Status instead.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gpcv/export.hpp"

namespace gpcv {

/// Base of every exception of this library; the message says what, where, and what to do.
class GPCV_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's data, file, option or parameter is not usable.
class GPCV_EXPORT InputError : public Error {
 public:
  using Error::Error;
};

/// A kernel expression that does not parse; what() draws a caret under the place.
class GPCV_EXPORT KernelSyntaxError : public InputError {
 public:
  KernelSyntaxError(std::string_view text, std::size_t position, std::string_view expected);
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// A computation broke down although its input was acceptable.
class GPCV_EXPORT NumericalError : public Error {
 public:
  using Error::Error;
};

/// A device that computes for us failed or was lost: memory ran out, a kernel crashed, the driver went away.
class GPCV_EXPORT DeviceError : public Error {
 public:
  using Error::Error;
};

/// The caller asked for a stop in the middle of something that cannot be half done.
class GPCV_EXPORT Interrupted : public Error {
 public:
  using Error::Error;
};

/// A backend or feature this build does not contain.
class GPCV_EXPORT NotCompiled : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace gpcv
