/// What the numbers of a model mean: its hyper-parameters in the user's units, and a verdict in sentences.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnostics.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

/// A hyper-parameter with its meaning, in the user's units.
struct ParameterRow {
  std::string name;           ///< "se.l[3]", as the kernel and the command know it
  std::string label;          ///< "length scale of age"
  std::string meaning;        ///< one sentence
  double value = 0;           ///< in `unit`
  std::string unit;           ///< a column's name, or words; empty for a pure number
  double relative_error = 0;  ///< one standard error of `value`; NaN when not known
  std::string remark;         ///< "held", "at its bound", …; may be empty
};

/// The user's parameters of the kernel, then the noise. Parameters that stand for the mean function or for the rows'
/// own noise are left out.
GPCV_EXPORT std::vector<ParameterRow> parameter_table(const Model& model, const Diagnostics& seen);

/// The label of the parameter of this name, followed by the name where several labels are equal.
GPCV_EXPORT std::string label_of(const std::vector<ParameterRow>& rows, const std::string& name);

/// A sentence of the verdict and how serious it is.
struct Sentence {
  enum class Level { good, note, warning } level = Level::note;
  std::string text;
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// The verdict in one sentence; its level is that of what matters most.
GPCV_EXPORT Sentence headline(const Model& model, const Diagnostics& seen);

/// The verdict: convergence, error, intervals, then whatever asks for attention.
GPCV_EXPORT std::vector<Sentence> verdict(const Model& model, const Diagnostics& seen,
                                          const std::vector<ParameterRow>& parameters);

}  // namespace gpcv
