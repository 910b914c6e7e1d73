#include "core/shared_library.hpp"

#include <dlfcn.h>

namespace gpcv {

SharedLibrary SharedLibrary::open(const std::vector<std::string>& names) {
  SharedLibrary library;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    library.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library.handle_ != nullptr) break;
    // The error of a library that exists but does not load is more informative than that of a missing one.
    const char* why = dlerror();
    const std::string message = why != nullptr ? why : "unknown reason";
    const bool absent = message.find("No such file") != std::string::npos;
    if (library.reason_.empty() || !absent) library.reason_ = message;
  }
  return library;
}

void* SharedLibrary::find(const char* name) const { return handle_ == nullptr ? nullptr : dlsym(handle_, name); }

}  // namespace gpcv
