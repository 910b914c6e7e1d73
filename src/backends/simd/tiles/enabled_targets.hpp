/// The compiled instruction sets. This header comes before any Highway header, in every file that dispatches.
#pragma once

// SSSE3 and the Ice Lake extensions of AVX-512 bring no gain; vectors of unknown length (SVE, RISC-V) cannot be struct
// members.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
