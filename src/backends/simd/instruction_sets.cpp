#include "backends/simd/instruction_sets.hpp"

#include <cstdint>

#include "backends/simd/tiles/enabled_targets.hpp"

#include <hwy/highway.h>

namespace gpcv::simd {
namespace {

/// The names of the targets, best first: better targets have lower bits.
std::vector<std::string> names_of(std::int64_t targets) {
  std::vector<std::string> names;
  for (; targets != 0; targets &= targets - 1) names.emplace_back(hwy::TargetName(targets & -targets));
  return names;
}

}  // namespace

InstructionSets instruction_sets() {
  InstructionSets sets;
  sets.compiled = names_of(HWY_TARGETS);
  sets.supported = names_of(hwy::SupportedTargets() & HWY_TARGETS);
  sets.in_use = sets.supported.empty() ? hwy::TargetName(HWY_STATIC_TARGET) : sets.supported.front();
  return sets;
}

}  // namespace gpcv::simd
