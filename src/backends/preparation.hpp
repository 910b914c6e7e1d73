/// Preparation of the backends while other work is in progress.
#pragma once

#include <future>
#include <vector>

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

/// What a training prepares in the background.
class ProductPreparation {
 public:
  ProductPreparation() = default;
  /// Drops the kernels that nobody has begun to compile and waits for the others: a process that exits while NVRTC
  /// works crashes in it.
  ~ProductPreparation();
  ProductPreparation(const ProductPreparation&) = delete;
  ProductPreparation& operator=(const ProductPreparation&) = delete;

  /// Does the work of prepare_device() in the background, loads the libraries of a device, and compiles the kernels
  /// that the training is likely to need. A failure is reported later, when what failed is used.
  void begin(const ComputeOptions& options, ForeseenTraining training);

 private:
  std::vector<std::future<void>> begun_;
};

}  // namespace gpcv
