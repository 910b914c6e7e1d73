/// What computations cost on this machine: the one set of measured rates, and the seconds and bytes that follow from
/// it.
#pragma once

#include <optional>

#include "gpcv/compute.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// The size of a computation: all that a plan needs to know of a problem.
struct Shape {
  Index n = 0, d = 0;
  Index columns = 1;         ///< right-hand sides that would be solved at once if memory were no matter
  Index folds = 1;           ///< systems that share the matrix
  Index largest_fold = 0;    ///< validation rows of the largest; a factorisation inverts a block of that size
  Index parameters = 0;      ///< free ones
  Index starts = 1;          ///< of the training
  bool checkpoints = false;  ///< of the training are written
  double noise_ratio = 0.1;  ///< noise over signal variance: how hard the systems are
};

/// The systems of all folds, one column each.
Shape shape_of(const Problem& problem, const Folds& folds);
/// One system of all rows.
Shape shape_of(const Problem& problem, Index columns);

/// Noise over the kernel's mean variance, by the first 100 rows.
double noise_ratio(const Problem& problem);

/// Rates per second of everything that may work at once.
struct Rates {
  double pairs = 0;           ///< kernel evaluations, each pair counted once
  double double_columns = 0;  ///< pairs times columns
  double single_columns = 0;
  double preconditioner_flops = 0;  ///< for building it and multiplying with it
  double preconditioner_reads = 0;  ///< numbers of it that are read
  double iteration_overhead = 0;    ///< seconds, whatever the size
  bool symmetric = true;            ///< a product evaluates a pair once for both its rows
  std::size_t device_bytes = 0;     ///< that a preconditioner may take on a device; 0: it lives in the host's memory
};

/// Relative residuals that conjugate gradients are run to: those of training steps, or those of what is reported.
enum class Accuracy { two_digits, final };

/// Seconds and bytes of one shape with given options.
class CostModel {
 public:
  CostModel(const Shape& shape, const ComputeOptions& compute);

  double factor_seconds() const;
  /// All hold-out residuals and their derivatives by one factorisation and inverse.
  double dense_step_seconds() const;
  double iterations(Index rank, Accuracy accuracy) const;
  double solve_seconds(Index rank, Index columns, Accuracy accuracy) const;
  double preconditioner_seconds(Index rank) const;

  /// As read, standardised, sorted, and as the backend keeps it; a time column as read.
  double input_bytes() const;
  /// The stored matrix and the block of one fold.
  double factor_bytes() const;
  /// The host's share of a preconditioner. One that is meant for a device is counted too: where the device has no room
  /// after all, the host holds it.
  double preconditioner_bytes(Index rank) const;
  /// Trainers that work fold by fold: what so many folds at work hold.
  double fold_training_bytes(Index rank, Index folds_alive) const;
  /// Vectors of conjugate gradients.
  double vector_bytes(Index columns) const;
  /// Dense training: what each start keeps between its steps, and what one step takes besides.
  double dense_kept_bytes() const;
  double dense_step_bytes() const;
  /// Iterative training, likewise. An adjoint keeps no sensitivities.
  double iterative_kept_bytes(Index rank, bool adjoint) const;
  double iterative_step_bytes(Index columns, bool adjoint) const;
  /// Copies of a start's weights and sensitivities while a checkpoint is written.
  double checkpoint_bytes(bool adjoint) const;

  /// Whether preconditioners are made on a device, and whether one of this rank has room there.
  bool has_device() const { return rates().device_bytes > 0; }
  bool fits_device(Index rank) const;
  int ranks() const { return ranks_; }

 private:
  const Rates& rates() const;

  Shape shape_;
  double n_, d_, folds_, p_;
  ComputeOptions compute_;
  int threads_, ranks_;
  mutable std::optional<Rates> rates_;  ///< found when first asked for: bytes alone wake no device
};

/// Seconds that one evaluation of the likelihood on so many rows takes.
double likelihood_seconds(Index rows, int threads);

}  // namespace gpcv
