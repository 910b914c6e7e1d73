#include "backends/preparation.hpp"

#include <algorithm>
#include <utility>

#include "backends/choice.hpp"
#include "backends/cuda/dense/device_cholesky.hpp"
#include "backends/cuda/driver/cublas_api.hpp"
#include "backends/cuda/driver/device.hpp"
#include "backends/cuda/driver/program_store.hpp"
#include "backends/cuda/engine/foreseen.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// The threads that compile: more than half of the cores would slow the search for start values down, and the
/// compiler's front end admits one thread at a time.
int compiling_threads(int threads) { return std::clamp(threads / 2, 1, 8); }

void foresee(const ForeseenTraining& t, const ComputeOptions& options) {
  const cuda::ForeseenSystems systems{.folds = t.folds,
                                      .parameters = t.parameters,
                                      .single = t.precision != Precision::double_,
                                      .also_double = options.precision == Precision::automatic};
  try {
    cuda::ProgramStore::instance().foresee(cuda::foreseen_sources(t.program, t.x, systems, cuda::chosen_capability()),
                                           compiling_threads(options.threads));
  } catch (const Error&) {
    return;  // a kernel that cannot be written is refused when it is needed
  }
}

}  // namespace

std::future<void> prepare_device(const ComputeOptions& options) {
  if (options.backend != "cuda" && options.backend != "auto") return {};
  return std::async(std::launch::async, [by_name = options.backend == "cuda"] {
    if (!cuda::Device::reason().empty()) return;
    if (by_name) cuda::Device::instance();
    cuda::has_dense_tools();  // opens libraries of some hundred MiB, which a plan asks for
  });
}

ProductPreparation::~ProductPreparation() {
  begun_.clear();
  cuda::ProgramStore::end_background();
}

void ProductPreparation::begin(const ComputeOptions& options, ForeseenTraining training) {
  if (!on_device(options, training.x.rows(), training.x.rows())) return;
  begun_.push_back(std::async(std::launch::async, [options, training = std::move(training)] {
    if (options.solver != Solver::cholesky) foresee(training, options);
    cuda::Device& device = cuda::Device::instance();
    const auto held = device.lock();
    cuda::Blas::instance(device);
  }));
}

CompilationCost compilation_cost() { return cuda::ProgramStore::cost(); }

}  // namespace gpcv
