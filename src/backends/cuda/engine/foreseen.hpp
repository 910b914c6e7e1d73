/// The programs that a training is likely to need, so that they are compiled before they are asked for.
#pragma once

#include <string>
#include <vector>

#include "gpcv/kernel_program.hpp"
#include "gpcv/types.hpp"

namespace gpcv::cuda {

/// The systems that a training solves.
struct ForeseenSystems {
  Index folds = 1;           ///< number of systems
  Index parameters = 0;      ///< number of parameters for whose derivatives all systems are solved
  bool single = true;        ///< whether products are in single precision at the program's parameters
  bool also_double = false;  ///< whether they may turn to double, as where the noise becomes small
};

/// The sources in the order in which gauss-newton needs them, at the program's parameters. What another trainer, or a
/// place where points are farther from the origin, needs besides is compiled when it is asked for.
std::vector<std::string> foreseen_sources(const KernelProgram& program, ConstView x, const ForeseenSystems& systems,
                                          int capability);

}  // namespace gpcv::cuda
