/// Interpretation of a model: its hyper-parameters in the user's units, and a verdict in sentences.
#pragma once

#include <string>
#include <vector>

#include "gpcv/diagnostics.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

/// Hyper-parameter with its meaning, in the user's units.
struct ParameterRow {
  std::string name;           ///< name in the kernel, for example "se.l[3]"
  std::string label;          ///< name in words, for example "length scale of age"
  std::string meaning;        ///< explanation
  double value = 0;           ///< value in `unit`
  std::string unit;           ///< name of a column, or words; empty for a pure number
  double relative_error = 0;  ///< relative standard error of `value`; NaN when not computed
  std::string remark;         ///< remark, for example "held" or "at its bound"; may be empty
  Index column = -1;          ///< input column of a length scale of one input, −1 for other parameters
  double relative = 0;        ///< that length scale over the standard deviation of its input
};

/// Table of the kernel's parameters, followed by the noise. It omits parameters of the mean function and of the noise
/// of each row.
GPCV_EXPORT std::vector<ParameterRow> parameter_table(const Model& model, const Diagnostics& seen);

/// Label of the parameter with this name, followed by the name where several labels are equal.
GPCV_EXPORT std::string label_of(const std::vector<ParameterRow>& rows, const std::string& name);

/// What was learned about the noise, and how that compares with constant noise; empty where that was not asked for.
GPCV_EXPORT std::string noise_in_words(const Model& model);

/// Sentence of the verdict with its level.
struct Sentence {
  /// Level of the sentence.
  enum class Level { good, note, warning } level = Level::note;  ///< level of the sentence
  std::string text;                                              ///< text of the sentence
  /// Whether level and text are equal.
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// Answer, in one sentence, to the question whether the model can be used, and for what: "Yes, for new rows like these:
/// …". Its first word or words end at a comma or a colon.
GPCV_EXPORT Sentence headline(const Model& model, const Diagnostics& seen);

/// Limits of the answer, the most important first: what held-out rows say nothing about, and what makes their error
/// or their intervals doubtful.
GPCV_EXPORT std::vector<std::string> limits(const Model& model, const Diagnostics& seen);

/// Verdict in several sentences: convergence, error, intervals, then everything that requires attention.
GPCV_EXPORT std::vector<Sentence> verdict(const Model& model, const Diagnostics& seen,
                                          const std::vector<ParameterRow>& parameters);

}  // namespace gpcv
