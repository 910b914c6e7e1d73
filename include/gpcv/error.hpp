/// Exceptions of the library, thrown for misuse and bad input. Expected outcomes of an algorithm are reported as a
/// Status.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/remedy.hpp"

namespace gpcv {

/// Base of every exception of this library. what() describes the problem and its place; remedy() and facts() describe a
/// remedy.
class GPCV_EXPORT Error : public std::runtime_error {
 public:
  /// Error with a description of the problem, a remedy and the facts of the remedy.
  explicit Error(const std::string& problem, Remedy remedy = Remedy::none, std::vector<std::string> facts = {})
      : std::runtime_error(problem), remedy_(remedy), facts_(std::move(facts)) {}
  /// Remedy for the problem.
  Remedy remedy() const { return remedy_; }
  /// Facts of the remedy.
  const std::vector<std::string>& facts() const { return facts_; }

 private:
  Remedy remedy_;
  std::vector<std::string> facts_;
};

/// Error in the caller's data, file, option or parameter.
class GPCV_EXPORT InputError : public Error {
 public:
  using Error::Error;
};

/// Syntax error in a kernel expression; what() shows a caret under its position.
class GPCV_EXPORT KernelSyntaxError : public InputError {
 public:
  /// Error at a position of the text, where `expected` describes valid text.
  KernelSyntaxError(std::string_view text, std::size_t position, std::string_view expected);
  /// Position of the error in the text, from 0.
  std::size_t position() const { return position_; }

 private:
  std::size_t position_;
};

/// Numerical failure of a computation with acceptable input.
class GPCV_EXPORT NumericalError : public Error {
 public:
  using Error::Error;
};

/// Failure or loss of a device: it ran out of memory, a kernel crashed, or the driver stopped.
class GPCV_EXPORT DeviceError : public Error {
 public:
  using Error::Error;
};

/// Lack of memory that is known before it is needed; what() says how much is missing.
class GPCV_EXPORT OutOfMemory : public std::bad_alloc {
 public:
  /// Error with a description of what the memory is needed for.
  explicit OutOfMemory(std::string problem) : problem_(std::move(problem)) {}
  /// Description of the problem.
  const char* what() const noexcept override { return problem_.c_str(); }

 private:
  std::string problem_;
};

/// Interruption by the caller of a computation that has no partial result.
class GPCV_EXPORT Interrupted : public Error {
 public:
  using Error::Error;
};

/// Request for a backend or feature that this build does not contain.
class GPCV_EXPORT NotCompiled : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace gpcv
