/// The cost model: measured rates of this machine, and the seconds and bytes that computations take according to them.
#pragma once

#include <optional>
#include <vector>

#include "gpcv/compute.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// The size of a computation: everything that a plan needs to know about a problem.
struct Shape {
  Index n = 0, d = 0;
  Index columns = 1;         ///< right-hand sides that are solved at once if memory allows
  Index folds = 1;           ///< number of systems that share the matrix
  Index largest_fold = 0;    ///< validation rows of the largest fold; a factorisation inverts a block of this size
  bool inverts = true;       ///< whether one inverse serves all folds, which a device may compute
  Index parameters = 0;      ///< number of free parameters
  Index starts = 1;          ///< number of starts of the training
  bool checkpoints = false;  ///< whether the training writes checkpoints
  bool free_noise = false;   ///< whether the noise is trained, too
  double noise_ratio = 0.1;  ///< noise variance over signal variance, which determines the condition number
  /// Inputs that matter to the kernel, and log of the number of length scales that the rows span in all of them.
  double relevant = 3, log_volume = 3;
};

/// Shape of the systems of all folds, with one column each.
Shape shape_of(const Problem& problem, const Folds& folds);
/// Shape of one system of all rows.
Shape shape_of(const Problem& problem, Index columns);

/// The shape with typical length scales, for a training that has not begun: its start values are not estimates.
Shape before_training(Shape shape);

/// Noise variance over the mean variance of the kernel at the first 100 rows.
double noise_ratio(const Problem& problem);

/// Rates per second of all cores together, or of the device.
struct Rates {
  double pairs = 0;           ///< kernel evaluations, each pair counted once
  double double_columns = 0;  ///< pairs times columns
  double single_columns = 0;
  double inverted = 0;              ///< n³ of factorisations with an inverse
  double factorised = 0;            ///< n³ of factorisations
  double launches = 0;              ///< seconds of a factorisation, independent of the size
  double preconditioner_flops = 0;  ///< operations that build the preconditioner and multiply by it
  double preconditioner_reads = 0;  ///< elements of the preconditioner that are read
  double iteration_overhead = 0;    ///< seconds per iteration, independent of the size
  bool symmetric = true;            ///< whether a product evaluates each pair once for both of its rows
  std::size_t device_bytes = 0;     ///< device memory for a preconditioner; 0: it is kept in host memory
  std::size_t matrix_bytes = 0;     ///< device memory for stored matrices; 0: they are kept in host memory
};

/// The size of a preconditioner.
struct Preconditioning {
  Index rank = 0;        ///< columns of the low-rank factor; 0: no preconditioner
  Index neighbours = 0;  ///< neighbours of the local inverse; 0: none
};

/// Relative residual at which conjugate gradients stop: that of training steps, or that of reported results.
enum class Accuracy { two_digits, final };

/// Estimates of the seconds and bytes that computations of one shape take with given options.
class CostModel {
 public:
  CostModel(const Shape& shape, const ComputeOptions& compute);

  double factor_seconds() const;
  /// Seconds for all hold-out residuals and their derivatives by one factorisation and inverse.
  double dense_step_seconds() const;
  double iterations(const Preconditioning& size, Accuracy accuracy) const;
  double solve_seconds(const Preconditioning& size, Index columns, Accuracy accuracy) const;
  /// Seconds of a product of all rows in double precision, with which a residual is verified.
  double exact_pass_seconds(Index columns) const;
  /// Seconds of products of so many pairs, each counted for both of its rows, and pairs times columns.
  double products_seconds(double pairs, double pair_columns) const;
  /// Seconds of a product of so many rows with all columns, as the options' precision has it.
  double rectangle_seconds(double rows, Index columns) const;
  double preconditioner_seconds(const Preconditioning& size) const;
  /// The preconditioners of this rank that are worth comparing, the smallest first: with neighbours for many rows on
  /// the host.
  std::vector<Preconditioning> preconditioners(Index rank) const;

  /// Memory of the inputs: as read, standardised, sorted, and in the backend's layout; a time column as read.
  double input_bytes() const;
  /// Host memory of the stored matrix and of the block of one fold, or what it takes beside a device.
  double factor_bytes() const;
  /// Whether a device stores the matrix, and as many with all that belongs to them as `starts` keep at once.
  bool stored_on_device(Index starts = 1) const;
  /// Host memory of this process for a preconditioner. A preconditioner planned for a device is counted too, because
  /// the host holds it if the device has no room.
  double preconditioner_bytes(const Preconditioning& size) const;
  /// Memory that a preconditioner needs only while it is built.
  double building_bytes(const Preconditioning& size) const;
  /// Memory of trainers that work fold by fold, while this many folds are alive.
  double fold_training_bytes(Index rank, Index folds_alive) const;
  /// Memory of the vectors of conjugate gradients.
  double vector_bytes(Index columns, const Preconditioning& size) const;
  /// Memory of dense training: what each start keeps between its steps, and what one step takes in addition.
  double dense_kept_bytes() const;
  double dense_step_bytes() const;
  /// Memory of iterative training, likewise. The adjoint method keeps no sensitivities.
  double iterative_kept_bytes(const Preconditioning& size, bool adjoint) const;
  double iterative_step_bytes(Index columns, const Preconditioning& size, bool adjoint) const;
  /// Memory of the copies of a start's weights and sensitivities while a checkpoint is written.
  double checkpoint_bytes(bool adjoint) const;

  /// Whether preconditioners are built on a device, and whether a preconditioner of this rank fits there.
  bool has_device() const { return rates().device_bytes > 0; }
  bool fits_device(Index rank) const;
  int ranks() const { return ranks_; }

 private:
  /// Number of neighbours from which a local inverse saves iterations.
  double breaking_even() const;
  const Rates& rates() const;
  /// The rates where the matrix is stored.
  const Rates& dense_rates() const;

  Shape shape_;
  double n_, d_, folds_, p_;
  ComputeOptions compute_;
  int threads_, ranks_;
  mutable std::optional<Rates> rates_, host_rates_;  ///< set at the first use
};

/// Estimated seconds of one evaluation of the likelihood on this many rows.
double likelihood_seconds(Index rows, int threads);

}  // namespace gpcv
