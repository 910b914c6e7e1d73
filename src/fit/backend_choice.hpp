/// The choice between the processor and a device for all of a fit, where the options leave it open.
#pragma once

#include <string>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Sets the backend to that of the processor where a training on the device would take as long by the cost model. The
/// choice depends on the problem and the options alone, so that every run of a fit takes it alike. Returns the reason,
/// in words; nothing where there is no choice.
std::string choose_backend(const Problem& problem, TrainOptions& train);

}  // namespace gpcv
