/// Names that are given as text: enumerators by name, and the most similar name for one that does not exist.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/error.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

/// Name that is most similar to the wanted one, up to a few letters; empty if none is similar.
GPCV_EXPORT std::string similar_name(const std::vector<std::string>& names, std::string_view wanted);

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
