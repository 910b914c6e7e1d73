/// A shared library opened at run time.
#pragma once

#include <string>
#include <vector>

namespace gpcv {

/// An open library. It stays open until the program ends because its threads and exit handlers may outlive any owner.
class SharedLibrary {
 public:
  /// Opens the first of the names that can be opened.
  static SharedLibrary open(const std::vector<std::string>& names);

  explicit operator bool() const { return handle_ != nullptr; }
  /// The reason why none could be opened.
  const std::string& reason() const { return reason_; }
  /// The function of this name; null if the library has none.
  void* find(const char* name) const;

  /// Sets the function pointer; returns false if the library lacks the function.
  template <class Function>
  bool bind(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(find(name));
    return function != nullptr;
  }

 private:
  void* handle_ = nullptr;
  std::string reason_;
};

}  // namespace gpcv
