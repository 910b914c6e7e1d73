/// Diagnosis of a table before training.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gpcv/dataset.hpp"
#include "gpcv/export.hpp"
#include "gpcv/remedy.hpp"
#include "gpcv/target_transform.hpp"

namespace gpcv {

struct FitOptions;

/// Severity of a finding. Training is refused for errors.
enum class Severity { note, warning, error };
/// Name of a severity.
GPCV_EXPORT std::string_view name_of(Severity severity);

/// Finding about a table.
struct Finding {
  Severity severity = Severity::note;   ///< severity of the finding
  std::string code;                     ///< kind of the finding in one word, for scripts: "outliers"
  std::string text;                     ///< description in one line
  Remedy remedy = Remedy::none;         ///< remedy for the finding
  std::vector<std::string> facts = {};  ///< facts of the remedy
};

/// Options of a diagnosis.
struct DiagnosisOptions {
  Missing missing = Missing::drop;                           ///< treatment of rows with missing cells in training
  bool ordered_folds = false;                                ///< the folds are suitable for dependent rows
  std::function<void(std::string_view step)> progress = {};  ///< called at each step
  TargetTransform transform = {};  ///< transform after which the target is examined, where it suits every target
};

/// Diagnoses rows and columns: missing cells, constant, repeated and badly scaled columns, repeated rows, outliers,
/// order in time. It takes O(n·d) time and memory for a few columns.
GPCV_EXPORT std::vector<Finding> diagnose(const Dataset& data, const DiagnosisOptions& options = {});

/// Diagnoses the table and plans the training: its memory and time, or the reason for which fit() would refuse it.
GPCV_EXPORT std::vector<Finding> diagnose_fit(const Dataset& data, const FitOptions& fit,
                                              const DiagnosisOptions& options = {});

/// Findings about the text of a table: assumptions about its numbers, dates and encoding.
GPCV_EXPORT std::vector<Finding> findings_of_reading(const Reading& reading);

/// Whether fit() would start.
GPCV_EXPORT bool would_train(const std::vector<Finding>& findings);

/// Findings of at least this severity.
GPCV_EXPORT std::vector<Finding> at_least(Severity severity, std::vector<Finding> findings);

}  // namespace gpcv
