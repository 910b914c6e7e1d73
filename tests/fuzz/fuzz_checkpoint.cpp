/// Any bytes are a checkpoint or an InputError, and so is a good one after edits. With GPCV_FUZZ_HDF5 set, bytes that
/// begin as a checkpoint are also tried with the checksums they ought to have: HDF5 itself does not survive that for
/// long.
#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "fuzz/hdf5_edits.hpp"
#include "gpcv/checkpoint.hpp"
#include "gpcv/error.hpp"
#include "support/temporary_folder.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

std::string small_checkpoint() {
  DescentState run;
  run.start = run.theta = Vector::LinSpaced(3, -1, 1);
  run.weights = Matrix::Ones(4, 2);
  run.sensitivities = Matrix::Ones(4, 6);
  TrainingState state;
  state.trainer = GaussNewtonState{.runs = {run, run}};
  state.optima = {{1, Status::converged, 0.5, run.theta}};
  state.history = {{0, 1, 2, 0.5, 0.1, 3, {1, 2}, {3}}, {0, 1, 3, 0.4, 0.1, 4, {1, 2}, {3}}};
  const TemporaryFolder folder;
  save_checkpoint("data: 4 x 1\nseed: 1\n", {{0, 1}, {2, 3}}, state, folder / "checkpoint.h5");
  return fuzz::bytes_of(folder / "checkpoint.h5");
}

void load(std::string_view bytes) {
  const fuzz::MemoryFile file(bytes);
  try {
    const Checkpoint checkpoint = load_checkpoint(file.path());
    fuzz::require(checkpoint.state != nullptr, "a checkpoint has a state");
    require_same_training(checkpoint, "data: 4 x 1\nseed: 1\n", file.path());
  } catch (const InputError&) {
  }
}

}  // namespace
}  // namespace gpcv

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpcv;
  static const std::string checkpoint = small_checkpoint();
  const std::string_view bytes = fuzz::text_of(data, size);
  load(bytes);
  if (!bytes.starts_with(checkpoint.substr(0, 8))) {
    load(fuzz::edited(checkpoint, bytes));
  } else if (std::getenv("GPCV_FUZZ_HDF5") != nullptr) {
    load(fuzz::with_checksums(std::string(bytes)));
  }
  return 0;
}
