/// What gpcv throws: misuse and bad input. Expected outcomes of an algorithm are a Status instead.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/remedy.hpp"

namespace gpcv {

/// Base of every exception of this library. what() states the problem and where it is; remedy() and facts() say what
/// can be done about it.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& problem, Remedy remedy = Remedy::none, std::vector<std::string> facts = {})
      : std::runtime_error(problem), remedy_(remedy), facts_(std::move(facts)) {}
  Remedy remedy() const { return remedy_; }
  const std::vector<std::string>& facts() const { return facts_; }

 private:
  Remedy remedy_;
  std::vector<std::string> facts_;
};

/// The caller's data, file, option or parameter is not usable.
class InputError : public Error {
 public:
  using Error::Error;
};

/// A kernel expression that does not parse; what() draws a caret under the place.
class KernelSyntaxError : public InputError {
 public:
  KernelSyntaxError(std::string_view text, std::size_t position, std::string_view expected);
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// A computation broke down although its input was acceptable.
class NumericalError : public Error {
 public:
  using Error::Error;
};

/// A device that computes for us failed or was lost: memory ran out, a kernel crashed, the driver went away.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// The caller asked for a stop in the middle of something that cannot be half done.
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// A backend or feature this build does not contain.
class NotCompiled : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace gpcv
