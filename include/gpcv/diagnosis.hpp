/// What is worth knowing about a table before anything is trained on it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/remedy.hpp"

namespace gpcv {

struct FitOptions;

/// Errors are what training would be refused for.
enum class Severity { note, warning, error };
std::string_view name_of(Severity severity);

struct Finding {
  Severity severity = Severity::note;
  std::string code;                     ///< one word per kind of finding, for scripts: "outliers"
  std::string text;                     ///< one line: what was found
  Remedy remedy = Remedy::none;         ///< what to do about it
  std::vector<std::string> facts = {};  ///< facts of the remedy
};

struct DiagnosisOptions {
  Missing missing = Missing::drop;  ///< what training will do with rows that reading has left out
  bool ordered_folds = false;       ///< folds were chosen for rows that are not independent of each other
  std::function<void(std::string_view step)> progress = {};
};

/// Looks at rows and columns alone: missing cells, constant, repeated and badly scaled columns, repeated rows,
/// outliers, order in time. O(n·d) time; memory for a few columns.
std::vector<Finding> diagnose(const Dataset& data, const DiagnosisOptions& options = {});

/// Then plans the training: its memory and time, or the reason for which fit() would refuse it.
std::vector<Finding> diagnose_fit(const Dataset& data, const FitOptions& fit, const DiagnosisOptions& options = {});

/// Whether fit() would start.
bool would_train(const std::vector<Finding>& findings);

/// Those of at least this severity.
std::vector<Finding> at_least(Severity severity, std::vector<Finding> findings);

}  // namespace gpcv
