/// Resources of the machine: cores, memory, the BLAS library, devices.
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <string>

#include "gpcv/compute.hpp"
#include "gpcv/export.hpp"

namespace gpcv {

/// Number of cores that this process may use: at most those of its affinity mask, of the control groups around it (the
/// limit of a container or a Slurm job), and OMP_NUM_THREADS.
GPCV_EXPORT int available_threads();

/// Lets threads of OpenMP that wait for others sleep as long as it exists, for programs that load this library after
/// they have started: GNU OpenMP reads OMP_WAIT_POLICY=passive when it is loaded, and by default lets a thread that
/// waits use its core for milliseconds. In a session of R on two busy cores a fit of 4000 rows took 25 s instead of 18
/// s. Where there are more threads than processors they give up soon, so one is added for a computation with all cores.
/// It does nothing when the user has set the policy, or where more than half of the processors remain idle.
class GPCV_EXPORT SleepingThreads {
 public:
  /// For a computation with this number of threads.
  explicit SleepingThreads(int threads);
  ~SleepingThreads();
  SleepingThreads(const SleepingThreads&) = delete;
  SleepingThreads& operator=(const SleepingThreads&) = delete;

 private:
  struct Spare;
  std::unique_ptr<Spare> spare_;
};

/// Name and version of the BLAS library and the processor that it computes for; another one may round differently.
GPCV_EXPORT std::string blas_name();

/// A variable of the environment that a library reads when it is loaded. Both are null where there is nothing to set.
struct EnvironmentSetting {
  const char* name = nullptr;   ///< of the variable
  const char* value = nullptr;  ///< that it should have
};

/// The setting with which BLAS would use all instructions of this processor, where it has not recognised it.
GPCV_EXPORT EnvironmentSetting blas_processor_setting();

/// Largest resident set of this process so far, in bytes.
GPCV_EXPORT std::size_t peak_memory();

/// Number of bytes written as "2G", "512M", "1.5GiB" or plain bytes. Throws InputError for anything else.
GPCV_EXPORT std::size_t parse_memory(const std::string& text);

/// Default memory budget in bytes: 80 % of free memory.
GPCV_EXPORT std::size_t default_memory_budget();

/// Opens the driver of a device in the background, which takes 0.2 s, and creates its context when the options name a
/// device. The destructor of the future waits for completion. A failure is reported later, when the device is used.
[[nodiscard]] GPCV_EXPORT std::future<void> prepare_device(const ComputeOptions& options);

/// The cost of kernels that were compiled for a device; zero where all were found on disk.
struct CompilationCost {
  int kernels = 0;     ///< number of kernels compiled
  int unforeseen = 0;  ///< number of those that a training had not announced, so that it waited for all of their time
  double seconds = 0;  ///< time of all compilations, several of which may have run side by side
  double waited = 0;   ///< time spent waiting for kernels that were not ready, or reading them from the disk
};
/// What it has cost this process so far to compile kernels for a device.
GPCV_EXPORT CompilationCost compilation_cost();

}  // namespace gpcv
