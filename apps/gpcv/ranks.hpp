/// The command as several processes started by mpirun or srun: rank 0 reads, prints and writes, all ranks compute.
#pragma once

#include <memory>
#include <string>

#include "gpcv/communicator.hpp"
#include "gpcv/compute.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv::command {

/// Ranks of the command, opened at the beginning of main. The output of all ranks but 0 is discarded. An exception of
/// the constructor is thrown on every rank.
class Ranks {
 public:
  Ranks(int argc, char** argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  const std::shared_ptr<const Communicator>& communicator() const { return communicator_; }
  bool first() const { return communicator_ == nullptr || communicator_->rank() == 0; }
  /// Prints the message of an error: "gpcv: …", or "gpcv: rank 2: …".
  void report(const std::string& message) const;
  /// Ends all ranks with the exit code after an error of this rank; returns it where there is only one rank.
  int end(int exit_code) const;
  /// Waits for the other ranks at the end of a run. Returns the exit code on rank 0 and success on the others.
  int leave(int exit_code);

 private:
  std::shared_ptr<const Communicator> communicator_;
  int errors_ = -1;  ///< original standard error of a rank whose output is discarded
};

/// Chooses the threads (unless they were given) and the memory budget, the same on every rank.
void share_machine(ComputeOptions& options, bool threads_given);
/// Throws InputError when the file is not the same for all ranks.
void require_same_file(const Communicator* communicator, const std::string& path);

/// Whether this process reads and writes files.
inline bool has_files(const ComputeOptions& options) {
  return !options.communicator || options.communicator->rank() == 0;
}
/// Sends what rank 0 has read to all ranks.
void broadcast(const Communicator* communicator, Dataset& data);
void broadcast(const Communicator* communicator, std::vector<Dataset>& targets);
void broadcast(const Communicator* communicator, Matrix& matrix);

}  // namespace gpcv::command
