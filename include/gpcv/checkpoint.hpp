/// A training that can be taken up again after the process has ended, however it ended.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gpcv/trainer.hpp"

namespace gpcv {

/// Where a training stands, and which training it is.
struct Checkpoint {
  std::string identity;                        ///< of data, kernel, folds, seed and trainer: identity_of()
  std::vector<std::vector<Index>> validation;  ///< rows that each fold validates
  std::shared_ptr<const TrainingState> state;  ///< for TrainOptions::resume
};

/// One line per thing that must be the same for a checkpoint to belong to a training.
std::string identity_of(const Problem& problem, const TrainOptions& options);

/// Writes atomically: whenever the process dies, the file holds the last state that was written whole.
void save_checkpoint(const std::string& identity, const std::vector<std::vector<Index>>& validation,
                     const TrainingState& state, const std::filesystem::path& path);

/// Throws InputError for a file that is missing, truncated, corrupted, of a newer version or not a checkpoint.
Checkpoint load_checkpoint(const std::filesystem::path& path);
/// The same in two steps, for processes that have only one file between them.
std::string checkpoint_bytes(const std::filesystem::path& path);
Checkpoint checkpoint_of(const std::string& bytes, const std::filesystem::path& path);

/// Throws InputError, naming what differs, when the checkpoint is of another training.
void require_same_training(const Checkpoint& checkpoint, const std::string& identity,
                           const std::filesystem::path& path);

}  // namespace gpcv
