/// The compiled instruction sets. This header comes before any Highway header, in every file that dispatches.
#pragma once

// SSSE3 and the Ice Lake extensions of AVX-512 bring no gain; vectors of unknown length (SVE, RISC-V) cannot be struct
// members.
#define GPCV_USELESS_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#ifdef __SANITIZE_ADDRESS__
// The sanitized code of each target takes minutes to compile, and its text is the same: SSE2 and AVX2 remain.
#define HWY_DISABLED_TARGETS (GPCV_USELESS_TARGETS | HWY_AVX3 | HWY_SSE4)
#else
#define HWY_DISABLED_TARGETS GPCV_USELESS_TARGETS
#endif
