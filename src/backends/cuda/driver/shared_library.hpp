/// A shared library opened at run time.
#pragma once

#include <string>
#include <vector>

namespace gpcv::cuda {

/// Stays open until the program ends: its threads and exit handlers may outlive any owner.
class SharedLibrary {
 public:
  /// The first of the names that opens.
  static SharedLibrary open(const std::vector<std::string>& names);

  explicit operator bool() const { return handle_ != nullptr; }
  /// Why none opened.
  const std::string& reason() const { return reason_; }
  /// Null when it has no such function.
  void* find(const char* name) const;

  /// Sets the function pointer; false when the library lacks it.
  template <class Function>
  bool bind(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(find(name));
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string reason_;
};

}  // namespace gpcv::cuda
