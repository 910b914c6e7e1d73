/// Structs that list their fields once, for files and for messages between processes.
#pragma once

namespace gpcv {

/// A struct with a static visit_fields(self, visitor) that calls visitor(name, field) for each of its fields. `self`
/// may be const; a field may itself be such a struct, or a vector of them.
template <class T>
concept HasFields = requires(T& self) {
  T::visit_fields(self, [](const char*, auto&) {});
};

}  // namespace gpcv
