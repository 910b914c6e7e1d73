/// OpenBLAS on a processor newer than itself.
#pragma once

namespace gpcv::command {

/// OpenBLAS takes a processor it has never heard of for one without AVX, at half the speed and less, and can only be
/// told better before it is loaded. Where that happened, starts this program again with OPENBLAS_CORETYPE set; returns
/// otherwise, and where the user has set it.
void tell_blas_the_processor(char** argv);

}  // namespace gpcv::command
