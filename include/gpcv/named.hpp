/// Options that come as text: from a name to a value of an enumeration.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "gpcv/error.hpp"

namespace gpcv {

/// The choice whose name_of() is `name`. Throws InputError that lists the names there are.
template <class Choice>
Choice choice_named(std::string_view name, std::initializer_list<Choice> choices) {
  std::string names;
  for (const Choice choice : choices) {
    if (name == name_of(choice)) return choice;
    names += (names.empty() ? "" : ", ") + std::string(name_of(choice));
  }
  throw InputError("'" + std::string(name) + "' is none of " + names);
}

}  // namespace gpcv
