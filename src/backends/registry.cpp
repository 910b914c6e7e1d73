#include "backends/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "backends/choice.hpp"
#include "backends/cuda/cuda_neighbours.hpp"
#include "backends/cuda/cuda_operator.hpp"
#include "backends/cuda/dense/cuda_factor.hpp"
#include "backends/cuda/dense/cuda_inverse.hpp"
#include "backends/cuda/driver/cublas_api.hpp"
#include "backends/cuda/driver/device.hpp"
#include "backends/grid/grid_operator.hpp"
#include "backends/mpi/mpi_operator.hpp"
#include "backends/reference/reference_operator.hpp"
#include "backends/simd/instruction_sets.hpp"
#include "backends/simd/simd_operator.hpp"
#include "core/threads.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"
#include "operators/dense_factor.hpp"
#include "operators/points.hpp"

namespace gpcv {
namespace {

/// The number of pairs below which "auto" computes a product on the processor: it takes about as long there as the
/// copies and launches of a device.
constexpr double least_pairs_for_a_device = 2.5e7;

/// The number of rows below which the processor factorises a matrix in about the time of a device's launches.
constexpr Index least_rows_to_factorise = 2000;

/// Operands of a product and how it is computed.
struct Product {
  const KernelProgram& program;
  ConstView x1, x2;
  bool symmetric;
  const ComputeOptions& options;
  int threads;
};

/// What a backend can do, and how it makes an operator.
struct Backend {
  std::string_view name;
  bool single;         ///< it computes in single precision, too
  bool divides_ranks;  ///< it divides a product among ranks itself
  std::unique_ptr<BackendOperator> (*make)(const Product& product);
};

/// All backends of this build.
constexpr std::array table{
    Backend{"cuda", true, false,
            [](const Product& p) -> std::unique_ptr<BackendOperator> {
              return std::make_unique<CudaOperator>(p.program, p.x1, p.x2, p.symmetric, p.options.precision, p.threads);
            }},
    Backend{"simd", true, true,
            [](const Product& p) -> std::unique_ptr<BackendOperator> {
              return std::make_unique<SimdOperator>(p.program, p.x1, p.x2, p.symmetric, p.options.precision, p.threads,
                                                    p.options.communicator);
            }},
    Backend{"grid", false, false,
            [](const Product& p) -> std::unique_ptr<BackendOperator> {
              if (auto on_grid = GridOperator::make(p.program, p.x1, p.x2)) return on_grid;
              return std::make_unique<SimdOperator>(p.program, p.x1, p.x2, p.symmetric, Precision::double_, p.threads);
            }},
    Backend{"reference", false, false, [](const Product& p) -> std::unique_ptr<BackendOperator> {
              return std::make_unique<ReferenceOperator>(p.program, p.x1, p.x2, p.threads);
            }}};

const Backend& backend_named(std::string_view name) {
  return *std::find_if(table.begin(), table.end(), [&](const Backend& backend) { return backend.name == name; });
}

/// The backend of a product of this size: a device leaves small products to the processor.
const Backend& backend_of(const ComputeOptions& options, Index rows, Index cols) {
  const std::string name = resolve_backend(options.backend);
  return backend_named(name == "cuda" && !on_device(options, rows, cols) ? "simd" : name);
}

std::unique_ptr<BackendOperator> make(const KernelProgram& program, ConstView x1, ConstView x2, bool symmetric,
                                      const ComputeOptions& options) {
  const Backend& backend = backend_of(options, x1.rows(), x2.rows());
  if (shared(options.communicator.get()) && !backend.divides_ranks) {
    ComputeOptions local = options;
    local.communicator = nullptr;
    local.backend = backend.name;  // a piece of a large product may be small
    return std::make_unique<MpiOperator>(
        x1, x2.rows(), program.parameters, [&](ConstView rows) { return make_backend(program, rows, x2, local); },
        options.communicator);
  }
  require_usable(program, x1);
  if (!symmetric) require_usable(program, x2);
  if (!backend.single && options.precision != Precision::double_ && options.precision != Precision::automatic) {
    throw NotCompiled(
        fmt::format("the {} backend computes in double only, not in {}", backend.name, name_of(options.precision)));
  }
  // A pair costs about ten operations.
  const int threads =
      worthwhile_threads(options.threads, 10.0 * static_cast<double>(x1.rows()) * static_cast<double>(x2.rows()));
  return backend.make({program, x1, x2, symmetric, options, threads});
}

}  // namespace

bool on_device(const ComputeOptions& options, Index rows, Index cols) {
  const bool large = static_cast<double>(rows) * static_cast<double>(cols) >= least_pairs_for_a_device;
  // A small product does not open the driver to know that it is the processor's.
  if (options.backend == "auto" && !large) return false;
  return resolve_backend(options.backend) == "cuda";
}

std::unique_ptr<NeighbourSolver> make_neighbour_solver(const KernelProgram& program, const Matrix& x, double noise,
                                                       const ComputeOptions& options) {
  if (!on_device(options, x.rows(), x.rows())) return nullptr;
  require_usable(program, x);
  return std::make_unique<CudaNeighbours>(program, x, noise);
}

bool factorises_on_device(const ComputeOptions& options, Index rows) {
  const bool asked = options.backend == "cuda" && options.solver == Solver::cholesky;
  if (shared(options.communicator.get()) || !(asked || rows >= least_rows_to_factorise)) return false;
  return on_device(options, rows, rows) && cuda::has_dense_tools();
}

std::unique_ptr<DenseInverse> make_dense_inverse(const KernelProgram& program, ConstView x, double noise,
                                                 const ComputeOptions& options) {
  if (!factorises_on_device(options, x.rows())) return nullptr;
  require_usable(program, x);
  return std::make_unique<CudaInverse>(program, x, noise);
}

std::unique_ptr<CovarianceFactor> make_covariance_factor(const KernelProgram& program, const Matrix& x, double noise,
                                                         const ComputeOptions& options) {
  if (!factorises_on_device(options, x.rows())) return nullptr;
  require_usable(program, x);
  return std::make_unique<CudaCovariance>(program, x, noise);
}

std::string instruction_set() {
  const std::string name = simd::instruction_sets().in_use;
  return name.starts_with("AVX3") ? "AVX-512" : name;  // Highway's name for it
}

std::vector<std::string> accelerators() {
  std::vector<std::string> lines;
  for (const cuda::DeviceDescription& d : cuda::describe_devices()) {
    lines.push_back(fmt::format("{}, {}, compute capability {}.{}{}", d.name, bytes(d.memory), d.capability / 10,
                                d.capability % 10,
                                static_cast<int>(lines.size()) == cuda::chosen_device() ? "" : " (not used)"));
  }
  if (!lines.empty() && !cuda::Blas::found()) {
    lines.push_back(fmt::format("no cuBLAS ({}): preconditioners are left to the processor, slowly", "libcublas.so"));
  }
  if (!lines.empty() && !cuda::has_dense_tools()) {
    lines.emplace_back("no cuSOLVER (libcusolver.so) of CUDA 12 or newer: factorisations are left to the processor");
  }
  if (!cuda::Device::reason().empty()) lines.push_back(fmt::format("none to use: {}", cuda::Device::reason()));
  return lines;
}

std::vector<std::string> compiled_backends() {
  std::vector<std::string> names;
  for (const Backend& backend : table) names.emplace_back(backend.name);
  return names;
}

bool computes_in_single(const std::string& backend) { return backend_named(resolve_backend(backend)).single; }

std::string resolve_backend(std::string_view name) {
  const std::vector<std::string> compiled = compiled_backends();
  if (name == "auto") return cuda::Device::reason().empty() ? "cuda" : "simd";
  if (name == "cuda" && !cuda::Device::reason().empty()) {
    throw InputError(fmt::format("the cuda backend cannot be used: {}", cuda::Device::reason()));
  }
  for (const std::string& backend : compiled) {
    if (backend == name) return backend;
  }
  throw NotCompiled(fmt::format("backend '{}' is not part of this build; it has: {}", name, fmt::join(compiled, ", ")));
}

std::unique_ptr<BackendOperator> make_backend(const KernelProgram& program, ConstView x1, ConstView x2,
                                              const ComputeOptions& options) {
  return make(program, x1, x2, false, options);
}

std::unique_ptr<BackendOperator> make_backend(const KernelProgram& program, ConstView x,
                                              const ComputeOptions& options) {
  return make(program, x, x, true, options);
}

std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x1, ConstView x2,
                                              const ComputeOptions& options) {
  return make_backend(program, x1, x2, options);
}

std::unique_ptr<KernelOperator> make_operator(const KernelProgram& program, ConstView x,
                                              const ComputeOptions& options) {
  return make_backend(program, x, options);
}

}  // namespace gpcv
