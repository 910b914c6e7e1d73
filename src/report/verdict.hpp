/// What the numbers of a model mean, in sentences.
#pragma once

#include <string>
#include <vector>

#include "assessment/diagnostics.hpp"
#include "report/parameter_table.hpp"

namespace gpcv {

struct Sentence {
  enum class Level { good, note, warning } level = Level::note;
  std::string text;
  friend bool operator==(const Sentence&, const Sentence&) = default;
};

/// The whole in one sentence; its level is that of what matters most.
Sentence headline(const Model& model, const Diagnostics& seen);

/// Convergence, error, intervals, then whatever asks for attention.
std::vector<Sentence> verdict(const Model& model, const Diagnostics& seen, const std::vector<ParameterRow>& parameters);

}  // namespace gpcv
