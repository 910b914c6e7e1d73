/// Hyper-parameters with their meaning, in the user's units.
#pragma once

#include <string>
#include <vector>

#include "assessment/diagnostics.hpp"

namespace gpcv {

struct ParameterRow {
  std::string name;           ///< "se.l[3]", as the kernel and the command know it
  std::string label;          ///< "length scale of age"
  std::string meaning;        ///< one sentence
  double value = 0;           ///< in `unit`
  std::string unit;           ///< a column's name, or words; empty for a pure number
  double relative_error = 0;  ///< one standard error of `value`; NaN when not known
  std::string remark;         ///< "held", "at its bound", …; may be empty
};

/// Those of the kernel, without what stands for the mean function and the rows' own noise, then the noise.
std::vector<ParameterRow> parameter_table(const Model& model, const Diagnostics& seen);

/// The label of that parameter, with its name where several are labelled alike.
std::string label_of(const std::vector<ParameterRow>& rows, const std::string& name);

}  // namespace gpcv
