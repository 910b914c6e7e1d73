/// A shared pointer to an object that its caller owns.
#pragma once

#include <memory>

namespace gpcv {

/// A pointer that does not own: the object must outlive every copy of it.
template <class T>
std::shared_ptr<T> borrowed(T& object) {
  return {std::shared_ptr<void>(), &object};
}

}  // namespace gpcv
