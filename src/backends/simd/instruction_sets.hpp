/// The instruction sets of this build and of this processor.
#pragma once

#include <string>
#include <vector>

namespace gpcv::simd {

struct InstructionSets {
  std::vector<std::string> compiled;   ///< best first; Highway's names: AVX3 is AVX-512
  std::vector<std::string> supported;  ///< the compiled ones that this processor supports
  std::string in_use;                  ///< the one that products use
};

InstructionSets instruction_sets();

}  // namespace gpcv::simd
