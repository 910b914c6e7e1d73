/// How fast this machine computes, roughly: what cost models compare with one another.
#pragma once

#include "gpcv/compute.hpp"
#include "gpcv/types.hpp"

namespace gpcv {

/// Per second, of everything that may work at once.
struct Rates {
  double pairs = 0;           ///< kernel evaluations, of each pair once
  double double_columns = 0;  ///< pairs times columns
  double single_columns = 0;
  double preconditioner_flops = 0;  ///< building it and multiplying with it
  double preconditioner_reads = 0;  ///< numbers of it read
  double iteration_overhead = 0;    ///< seconds, whatever the size
  bool symmetric = true;            ///< a product evaluates a pair once for both its rows
  std::size_t factor_bytes = 0;     ///< that a preconditioner may take on a device; 0: it lives in the host's memory
};

/// Of products of so many rows with themselves.
Rates rates_of(const ComputeOptions& options, Index rows);

}  // namespace gpcv
