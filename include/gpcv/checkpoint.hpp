/// Checkpoints, from which an interrupted training is resumed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gpcv/export.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

/// State of a training and the identity of that training.
struct Checkpoint {
  std::string identity;  ///< identity of data, kernel, folds, seed and trainer, from identity_of()
  std::vector<std::vector<Index>> validation;  ///< validation rows of each fold
  std::shared_ptr<const TrainingState> state;  ///< state for TrainOptions::resume
};

/// Identity of a training: one line per property that must match for a checkpoint to be resumed.
GPCV_EXPORT std::string identity_of(const Problem& problem, const TrainOptions& options);

/// Writes a checkpoint atomically: if the process ends at any moment, the file contains the last complete state.
GPCV_EXPORT void save_checkpoint(const std::string& identity, const std::vector<std::vector<Index>>& validation,
                                 const TrainingState& state, const std::filesystem::path& path);

/// Reads a checkpoint. Throws InputError for a file that is missing, truncated, corrupted, of a newer version or not a
/// checkpoint.
GPCV_EXPORT Checkpoint load_checkpoint(const std::filesystem::path& path);
/// Bytes of a checkpoint file, for processes that share the contents of one file.
GPCV_EXPORT std::string checkpoint_bytes(const std::filesystem::path& path);
/// Checkpoint decoded from such bytes; `path` names the file in messages.
GPCV_EXPORT Checkpoint checkpoint_of(const std::string& bytes, const std::filesystem::path& path);

/// Throws InputError, which names the differences, when the checkpoint belongs to another training.
GPCV_EXPORT void require_same_training(const Checkpoint& checkpoint, const std::string& identity,
                                       const std::filesystem::path& path);

}  // namespace gpcv
