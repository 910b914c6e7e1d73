#include "fit/checkpoints.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "gpcv/checkpoint.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// One rank reads and writes files for all.
bool has_files(const Communicator* communicator) { return !shared(communicator) || communicator->rank() == 0; }

}  // namespace

void require_new_checkpoint(const FitOptions& options) {
  const bool replaces = !options.checkpoint.empty() && !options.resume &&
                        has_files(options.train.compute.communicator.get()) &&
                        std::filesystem::exists(options.checkpoint);
  if (!replaces) return;
  throw InputError(
      fmt::format("the checkpoint '{}' exists, and training would overwrite it", options.checkpoint.string()),
      Remedy::resume_or_remove_checkpoint);
}

void keep_checkpoints(const FitOptions& options, const Problem& problem, TrainOptions& train_options) {
  const TargetTransform& transform = options.transform.given;
  const std::string identity = (transform.is_none() ? "" : fmt::format("transform: {}\n", transform.to_string())) +
                               identity_of(problem, train_options);
  std::vector<std::vector<Index>> validation;
  for (const Fold& fold : problem.folds.folds) validation.push_back(fold.validation);
  // One rank reads the file, and all ranks continue from what it has read.
  const Communicator* communicator = train_options.compute.communicator.get();
  const bool has_file = has_files(communicator);
  train_options.checkpoint = [path = options.checkpoint, identity, validation, has_file](const TrainingState& state) {
    if (has_file) save_checkpoint(identity, validation, state, path);
  };
  if (!agreed(communicator, options.resume && has_file && std::filesystem::exists(options.checkpoint))) return;
  std::string bytes = has_file ? checkpoint_bytes(options.checkpoint) : "";
  if (shared(communicator)) {
    std::size_t size = bytes.size();
    communicator->broadcast_values(0, &size, 1);
    bytes.resize(size);
    communicator->broadcast_values(0, bytes.data(), size);
  }
  Checkpoint saved = checkpoint_of(bytes, options.checkpoint);
  require_same_training(saved, identity, options.checkpoint);
  train_options.resume = std::move(saved.state);
}

}  // namespace gpcv
