/// Enumerators by name, for options that are given as text.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "gpcv/error.hpp"

namespace gpcv {

/// Choice with this name. Throws an InputError that lists the valid names.
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
