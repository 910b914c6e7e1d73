/// Names of input columns in kernel expressions: how they are written, and which inputs they mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpcv/dataset.hpp"

namespace gpcv {

/// Column after "on=" as written: a number, or a name that is not empty.
struct WrittenColumn {
  Index number = -1;
  std::string name;
};

/// Characters that end a name without quotes.
constexpr std::string_view name_ends = " \t\r\n,[]()+*\"'";

/// Name as the grammar reads it: in double quotes unless it is plain; a quote within it is doubled.
std::string name_in_grammar(const std::string& name);

/// Inputs with this name: one input, or all indicators of a categorical column. It is empty when there is none.
std::vector<Index> inputs_named(const Columns& columns, const std::string& name);

/// Text of a list of inputs, by their names as far as these are unambiguous: "age", "[age,\"wind speed\",7]".
std::string inputs_in_grammar(const std::vector<Index>& inputs, const Columns& columns);

/// Numbers of the columns. Throws InputError for a name that no input has or several inputs have, and for an input that
/// is there twice.
std::vector<Index> numbered(const std::vector<WrittenColumn>& written, const Columns& columns);

}  // namespace gpcv
