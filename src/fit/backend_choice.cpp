#include "fit/backend_choice.hpp"

#include <fmt/format.h>

#include <optional>

#include "backends/choice.hpp"
#include "gpcv/error.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

/// Seconds before a device is as quick as its rates say: its context, cuBLAS, loading kernels, and compiling those that
/// the search for a start does not hide. Whether they are on disk is not asked: the first run of a fit would then
/// choose otherwise than the second.
constexpr double device_start = 1;

}  // namespace

std::string choose_backend(const Problem& problem, TrainOptions& train) {
  const Index rows = problem.x.rows();
  if (train.compute.backend != "auto" || !on_device(train.compute, rows, rows)) return "";
  const auto seconds = [&](const char* backend) {
    TrainOptions there = train;
    there.compute.backend = backend;
    return trainer_traits(train.trainer).cost(problem, there).seconds;
  };
  std::optional<double> processor, device;
  try {
    processor = seconds("simd");
    device = seconds("cuda");
  } catch (const InputError&) {
    return "";  // one of them has too little memory, which the plan itself says
  }
  if (!processor || !device) return "";
  *device += device_start;
  const bool on_processor = *processor <= *device;
  if (on_processor) train.compute.backend = "simd";
  return fmt::format("on the {}: training takes about {:.1g} s on the processor, {:.1g} s on the device with its start",
                     on_processor ? "processor" : "device", *processor, *device);
}

}  // namespace gpcv
