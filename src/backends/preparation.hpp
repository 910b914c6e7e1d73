/// Preparation of the backends while other work is in progress.
#pragma once

#include <future>

#include "gpcv/compute.hpp"
#include "gpcv/kernel_program.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// The systems that a training will solve, all with the kernel matrix of the same points.
struct ForeseenTraining {
  KernelProgram program;  ///< at about the values of its parameters
  const Matrix& x;        ///< lives as long as the preparation
  Index folds = 1;        ///< number of systems
  Index parameters = 0;   ///< number of parameters for whose derivatives all systems are solved
  Precision precision =
      Precision::double_;  ///< of products with the program; the options may ask for another elsewhere
};

/// Does the work of prepare_device() in the background, loads the libraries of a device, and begins to compile the
/// kernels that the training is likely to need; the compilation goes on behind the end of the future. A failure is
/// reported later, when what failed is used.
[[nodiscard]] std::future<void> prepare_products(const ComputeOptions& options, ForeseenTraining training);

}  // namespace gpcv
