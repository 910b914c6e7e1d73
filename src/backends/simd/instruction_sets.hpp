/// The instruction sets of this build and of this processor.
#pragma once

#include <string>
#include <vector>

namespace gpcv::simd {

struct InstructionSets {
  std::vector<std::string> compiled;   ///< best first; Highway's names: AVX3 is AVX-512
  std::vector<std::string> supported;  ///< those of them this processor has
  std::string in_use;                  ///< what a product runs
};

InstructionSets instruction_sets();

}  // namespace gpcv::simd
