#include "planning/cost_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "backends/choice.hpp"
#include "backends/cuda/driver/device.hpp"
#include "backends/dense_kernel.hpp"
#include "data/folds/complete_folds.hpp"
#include "data/folds/repeated_folds.hpp"
#include "gpcv/communicator.hpp"

namespace gpcv {
namespace {

constexpr double real = sizeof(double);

// Rates of one core, rounded, measured by benchmarks/products and benchmarks/solve on a 2.6 GHz AVX-512 machine. Only
// their ratios affect decisions.
constexpr double flops = 4e10;          ///< operations of a factorisation and of products with a preconditioner
constexpr double inverse_flops = 2e10;  ///< operations of a factorisation followed by the inverse, counted as n³
constexpr double pairs_rate = 3e9;      ///< kernel evaluations
/// Likewise of a device with 132 multiprocessors, estimated: n³ per second of factorisations, with the inverse and
/// without, and the seconds of their launches and copies.
constexpr double device_inverted = 2e13, device_factorised = 6e13, device_launches = 0.02;
constexpr double double_columns_rate = 1.5e10;  ///< pairs times columns
constexpr double single_columns_rate = 3e10;
constexpr double small_flops = 5e9;    ///< operations on matrices of the size of a neighbourhood
constexpr double sparse_flops = 1e10;  ///< operations of products with a local inverse
/// Number of rows for each additional thread that a factorisation can keep busy.
constexpr double rows_per_thread = 250;
/// Time that a device takes for a block of 64 columns of the preconditioner, in units of the overhead of one iteration.
constexpr double overheads_per_block = 10;
/// Divisor of the device memory that gives the part available to a preconditioner; vectors and inputs need the rest.
constexpr std::size_t share_of_device = 4;
/// The part of the device memory that stored matrices may take; contexts and libraries need the rest.
constexpr double share_of_matrices = 0.9;
/// Additional columns while a preconditioner is built, which grows by blocks of 64: two of these blocks.
constexpr double growing_columns = 2 * 64;
/// The noise ratio below which `automatic` precision is double (FoldSystem).
constexpr double least_single_noise = 1e-3;
/// Neighbours of a local inverse that are compared, and the rows from which they are used; fewer rows are mostly
/// factorised, or take few iterations. On 9000 rows of kin40k 100 neighbours halve the iterations of 30.
constexpr std::array<Index, 3> neighbour_counts{30, 60, 100};
constexpr Index fewest_local_rows = 4000;
/// The difficulty of a kernel with many length scales between the rows, by which its iterations exceed those of
/// benchmarks/solve: exp(log_volume − easy_volume), from 1 to this.
constexpr double easy_volume = 3, most_difficult = 4;
/// Copies of a start's vectors while a checkpoint is written: the state, the file in memory, and its bytes.
constexpr double checkpoint_copies = 3;

Rates of_processor(int threads) {
  const double cores = std::max(1, threads);
  Rates rates;
  rates.pairs = pairs_rate * cores;
  rates.double_columns = double_columns_rate * cores;
  rates.single_columns = single_columns_rate * cores;
  rates.preconditioner_flops = flops * cores;
  rates.inverted = inverse_flops * cores;
  rates.factorised = 3 * flops * cores;
  rates.preconditioner_reads = 1e300;  // no limit: the rate of operations already includes memory access
  return rates;
}

/// Copies of its vectors that a local inverse makes: two with rows contiguous, and their product.
double local_copies(const Preconditioning& size) { return size.neighbours > 0 ? 3 : 0; }

/// Whether a device computes in double at half the rate of single precision, not at a 32nd or less.
bool computes_in_double(int capability) {
  return capability == 60 || capability == 70 || capability == 80 || capability == 90 || capability == 100;
}

/// Rates of a device, in proportion to its multiprocessors: rounded, measured by benchmarks/gpu on an H200, which has
/// 132.
Rates of_device(const cuda::DeviceDescription& device) {
  const double size = std::max(1, device.multiprocessors) / 132.0;
  const double slower = computes_in_double(device.capability) ? 1 : 1.0 / 16;
  Rates rates;
  rates.pairs = 1.5e12 * size;
  rates.double_columns = 3e12 * size * slower;
  rates.single_columns = 1e13 * size;
  rates.preconditioner_flops = 2e13 * size * slower;
  rates.preconditioner_reads = 3e11 * size;
  rates.inverted = device_inverted * size * slower;
  rates.factorised = device_factorised * size * slower;
  rates.launches = device_launches;
  rates.matrix_bytes = static_cast<std::size_t>(share_of_matrices * static_cast<double>(device.memory));
  rates.iteration_overhead = 2e-4;
  rates.symmetric = false;
  rates.device_bytes = device.memory / share_of_device;
  return rates;
}

/// Rates of products with the square kernel matrix of this many rows.
Rates rates_of(const ComputeOptions& options, Index rows) {
  const Rates processor = of_processor(options.threads);
  if (!on_device(options, rows, rows)) return processor;
  Rates device = of_device(cuda::describe_devices().front());
  if (!factorises_on_device(options, rows)) {
    device.inverted = processor.inverted;
    device.factorised = processor.factorised;
    device.launches = 0;
    device.matrix_bytes = 0;
  }
  if (shared(options.communicator.get())) {
    // Ranks share the products on their devices; vectors and the preconditioner stay on the hosts.
    device.preconditioner_flops = processor.preconditioner_flops;
    device.preconditioner_reads = processor.preconditioner_reads;
    device.device_bytes = 0;
  }
  return device;
}

}  // namespace

double noise_ratio(const Problem& problem) {
  return problem.noise.variance / std::max(typical_variance(problem.kernel.lower(), problem.x), 1e-300);
}

namespace {

/// With lengths l_j of columns with deviations σ_j: Σ min l/l_j, and Σ log(1 + σ_j/l_j), of the kernel of the inputs
/// where the latter is largest.
void measure_lengths(const Problem& problem, Shape& shape) {
  const KernelProgram program = problem.kernel.lower();
  const Index rows = std::min<Index>(problem.x.rows(), 1000);
  double largest = -1;
  for (const Instruction& leaf : program.code) {
    if (!program.is_leaf(leaf) || leaf.period >= 0 || leaf.op == Op::linear || leaf.op == Op::constant) continue;
    double shortest = std::numeric_limits<double>::infinity(), inverse = 0, log_volume = 0;
    for (int c = leaf.first_column; c < leaf.first_column + leaf.column_count; ++c) {
      const int slot = program.lengths[static_cast<std::size_t>(c)];
      const double length = slot < 0 ? 1 : program.values[static_cast<std::size_t>(slot)];
      const auto column = problem.x.col(program.columns[static_cast<std::size_t>(c)]).head(rows);
      const double deviation = std::sqrt((column.array() - column.mean()).square().mean());
      if (deviation == 0) continue;
      shortest = std::min(shortest, length / deviation);
      inverse += deviation / length;
      log_volume += std::log1p(deviation / length);
    }
    if (log_volume <= largest || inverse == 0) continue;
    largest = shape.log_volume = log_volume;
    shape.relevant = shortest * inverse;
  }
}

}  // namespace

Shape shape_of(const Problem& problem, Index columns) {
  Shape shape{.n = problem.x.rows(),
              .d = problem.x.cols(),
              .columns = columns,
              .parameters = static_cast<Index>(theta_names(problem.kernel, problem.noise).size()),
              .free_noise = !problem.noise.fixed,
              .noise_ratio = noise_ratio(problem)};
  measure_lengths(problem, shape);
  return shape;
}

Shape shape_of(const Problem& problem, const Folds& folds) {
  Shape shape = shape_of(problem, folds.size());
  shape.folds = 0;
  for (std::size_t k = 0; k < folds.folds.size(); ++k) shape.folds += repeats(folds, k) ? 0 : 1;  // one system each
  shape.largest_fold = folds.largest_validation();
  shape.inverts = are_complete(folds);
  return shape;
}

Shape before_training(Shape shape) {
  shape.relevant = Shape{}.relevant;
  shape.log_volume = Shape{}.log_volume;
  return shape;
}

CostModel::CostModel(const Shape& shape, const ComputeOptions& compute)
    : shape_(shape),
      n_(static_cast<double>(shape.n)),
      d_(static_cast<double>(shape.d)),
      folds_(static_cast<double>(shape.folds)),
      p_(static_cast<double>(shape.parameters)),
      compute_(compute),
      threads_(std::max(1, compute.threads)),
      ranks_(compute.communicator ? compute.communicator->size() : 1) {}

const Rates& CostModel::rates() const {
  if (!rates_) rates_ = rates_of(compute_, shape_.n);
  return *rates_;
}

const Rates& CostModel::dense_rates() const {
  if (stored_on_device()) return rates();
  if (!host_rates_) host_rates_ = of_processor(threads_);
  return *host_rates_;
}

double CostModel::factor_seconds() const { return n_ * n_ * n_ / dense_rates().factorised + dense_rates().launches; }

double CostModel::dense_step_seconds() const {
  // The derivatives have K·p columns; leave-one-out has K = n folds.
  return n_ * n_ * n_ / dense_rates().inverted + n_ * n_ * folds_ * p_ / dense_rates().double_columns +
         dense_rates().launches;
}

bool CostModel::stored_on_device(Index starts) const {
  if (!shape_.inverts || !factorises_on_device(compute_, shape_.n)) return false;
  // Each start keeps the inverse and its blocks; a step takes a fold's columns and a batch of folds' vectors, twice.
  const auto largest = static_cast<double>(shape_.largest_fold);
  const double at_once = std::min(folds_, std::max(1.0, n_ / (p_ + 1)));
  const double kept = n_ * n_ + std::min(n_, folds_ * largest) * largest;
  const double step = n_ * (largest + 2 * at_once + p_ + 1 + 2 * d_);
  return real * (static_cast<double>(starts) * kept + step) <= static_cast<double>(rates().matrix_bytes);
}

/// The number of neighbours with which a local inverse needs as many iterations as the diagonal; with more, iterations
/// fall in proportion. One input is screened by its nearest neighbours; with many inputs a row depends on all rows
/// within a length scale. Fewer are worse than none: on 36 000 rows of kin40k 30 took 2009 iterations, 100 took 352,
/// and none 258 with twice the rank.
double CostModel::breaking_even() const {
  return std::max(1.0, std::min(4 * std::exp2(0.85 * shape_.relevant), n_ / (4 * std::exp(shape_.log_volume))));
}

/// Number of iterations, which grows with √κ of the preconditioned system; the factors are fitted to benchmarks/solve,
/// and their difficulty to kin40k (2.5–3.9), protein (3–3.8) and a smooth function of 9 inputs (2).
double CostModel::iterations(const Preconditioning& size, Accuracy accuracy) const {
  const auto r = static_cast<double>(size.rank), near = static_cast<double>(size.neighbours);
  double root = std::sqrt(n_ / (1 + r * r / 1000) / std::max(shape_.noise_ratio, 1e-8));
  root *= std::clamp(std::exp(shape_.log_volume - easy_volume), 1.0, most_difficult);
  if (near > 0) root *= breaking_even() / near;
  return accuracy == Accuracy::final ? 10 + root : 3 + 0.15 * root;
}

double CostModel::solve_seconds(const Preconditioning& size, Index columns, Accuracy accuracy) const {
  const auto r = static_cast<double>(size.rank), near = static_cast<double>(size.neighbours),
             c = static_cast<double>(columns);
  // A device's products are much slower in double, which little noise asks for; on a processor the factor is 2.
  const bool in_double =
      compute_.precision == Precision::double_ ||
      (compute_.precision == Precision::automatic && has_device() && shape_.noise_ratio < least_single_noise);
  const double rate = in_double ? rates().double_columns : rates().single_columns;
  const double product = n_ * n_ * ((rates().symmetric ? 0.5 : 1) / rates().pairs + c / rate);
  const double preconditioner = 4 * n_ * r * c / rates().preconditioner_flops +
                                2 * n_ * r / rates().preconditioner_reads +
                                8 * n_ * near * c / (sparse_flops * threads_);
  return iterations(size, accuracy) * (product + preconditioner + rates().iteration_overhead);
}

double CostModel::exact_pass_seconds(Index columns) const {
  // Kernel values in double precision take about twice the time.
  return n_ * n_ *
         ((rates().symmetric ? 1 : 2) / rates().pairs + static_cast<double>(columns) / rates().double_columns);
}

double CostModel::products_seconds(double pairs, double pair_columns) const {
  const double rate = compute_.precision != Precision::double_ ? rates().single_columns : rates().double_columns;
  return pairs * (rates().symmetric ? 0.5 : 1) / rates().pairs + pair_columns / rate;
}

double CostModel::rectangle_seconds(double rows, Index columns) const {
  const double rate = compute_.precision != Precision::double_ ? rates().single_columns : rates().double_columns;
  return rows * n_ * (1 / rates().pairs + static_cast<double>(columns) / rate);
}

double CostModel::preconditioner_seconds(const Preconditioning& size) const {
  const auto r = static_cast<double>(size.rank), near = static_cast<double>(size.neighbours);
  const double low_rank = (3 * n_ * r * r + folds_ * r * r * r / 3) / rates().preconditioner_flops +
                          r / 64 * overheads_per_block * rates().iteration_overhead;
  if (size.neighbours == 0) return low_rank;
  // The terms are the search, G and G F of every fold, E of the neighbours of every row, and the Gram matrix of every
  // fold.
  const double rows = folds_ * (near * near * near / 3 + 2 * near * r);
  return low_rank + n_ * n_ / 2 / rates().pairs + n_ * rows / (small_flops * threads_) +
         n_ * (near * near * r / 2 + folds_ * r * r) / rates().preconditioner_flops;
}

std::vector<Preconditioning> CostModel::preconditioners(Index rank) const {
  const bool worthwhile = rank > 0 && shape_.n >= fewest_local_rows && compute_.backend != "grid" && !has_device();
  if (!worthwhile) return {{rank, 0}};
  std::vector<Preconditioning> all{{rank, 0}};
  for (const Index neighbours : neighbour_counts) all.push_back({rank, neighbours});
  return all;
}

double CostModel::input_bytes() const { return real * n_ * (4 * d_ + 5); }

double CostModel::factor_bytes() const {
  const auto block = static_cast<double>(shape_.largest_fold);
  if (stored_on_device()) return real * n_ * (2 * d_ + 4 * folds_);
  return real * (n_ * n_ + block * block);
}

double CostModel::preconditioner_bytes(const Preconditioning& size) const {
  // The terms are the factor, the blocks it grows by, and an r × r matrix per fold; ranks share the rows of the factor.
  const auto r = static_cast<double>(size.rank), near = static_cast<double>(size.neighbours);
  if (size.rank == 0) return 0;
  const double low_rank = real * (n_ * (r + growing_columns) / ranks_ + (folds_ + 1) * r * r);
  // Neighbours need the entries of G and Gᵀ of every fold in single precision, and where they are.
  return low_rank + real * n_ * (folds_ + 2.5) * near;
}

bool CostModel::fits_device(Index rank) const {
  // The device holds the r × r matrix of every fold twice.
  const auto r = static_cast<double>(rank);
  return rank == 0 || real * (n_ * (r + 64) + (2 * folds_ + 1) * r * r) <= static_cast<double>(rates().device_bytes);
}

double CostModel::vector_bytes(Index columns, const Preconditioning& size) const {
  // The vectors are b, x, residual, z, p, Ap, the preconditioner's correction, and the backend's converted copy.
  return real * n_ * static_cast<double>(columns) * (8.5 + local_copies(size));
}

double CostModel::dense_kept_bytes() const {
  // The terms are the inverse, the factors of all folds' blocks, and residuals and weights.
  const auto largest = static_cast<double>(shape_.largest_fold);
  if (stored_on_device()) return real * 4 * n_;
  return real * (n_ * n_ + std::min(n_, folds_ * largest) * largest + 4 * n_);
}

double CostModel::dense_step_bytes() const {
  // The terms are the rows in the trainer and in the backend, a fold's columns of the inverse, the derivatives of as
  // many folds as take no more memory than the matrix, and the Jacobian.
  const auto largest = static_cast<double>(shape_.largest_fold);
  const double at_once = std::min(folds_, std::max(1.0, n_ / (p_ + 1)));
  const double columns = stored_on_device() ? 0 : largest;
  return real * n_ * (6 * d_ + columns + at_once * (p_ + 2) + 4 * (p_ + 1));
}

double CostModel::iterative_kept_bytes(const Preconditioning& size, bool adjoint) const {
  // The terms are the sorted rows of two systems, the targets, the weights at the current point and at the last trial,
  // the sensitivities and J.
  return real * n_ * (3 * d_ + 4 * folds_ + (adjoint ? 0 : (folds_ + 1) * p_)) + preconditioner_bytes(size);
}

double CostModel::building_bytes(const Preconditioning& size) const {
  // The terms are all of F, once more where ranks exchange it, and the rest of a sum of Gram matrices.
  const auto r = static_cast<double>(size.rank);
  return size.neighbours > 0 ? real * (n_ * (ranks_ > 1 ? 2 : 1) * r + r * r) : 0;
}

double CostModel::iterative_step_bytes(Index columns, const Preconditioning& size, bool adjoint) const {
  // The terms are the rows in the trainer, the right-hand sides with and without the mask, the derivatives, and the
  // vectors of a solve, or what the preconditioner needs while it is built.
  const double vectors = real * n_ * (6 + local_copies(size)) * static_cast<double>(columns);
  return real * n_ * (3 * d_ + (adjoint ? 2 * folds_ : 3 * folds_ * p_)) + std::max(vectors, building_bytes(size));
}

double CostModel::checkpoint_bytes(bool adjoint) const {
  return checkpoint_copies * real * n_ * folds_ * (adjoint ? 1 : p_ + 1);
}

double CostModel::fold_training_bytes(Index rank, Index folds_alive) const {
  // Each fold holds rows and operators, derivatives, the vectors of conjugate gradients, and two r × r matrices.
  const auto r = static_cast<double>(rank);
  return real * static_cast<double>(folds_alive) * (n_ * (6 * d_ + 30 + 10 * p_ + r) + 2 * r * r);
}

double likelihood_seconds(Index rows, int threads) {
  const auto n = static_cast<double>(rows);
  const double busy = std::clamp<double>(threads, 1, 1 + n / rows_per_thread);
  return 2e-4 + (n * n * n / inverse_flops + n * n * 10 / pairs_rate) / busy;
}

}  // namespace gpcv
