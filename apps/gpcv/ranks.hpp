/// What changes when mpirun or srun has started the command several times: one rank reads, prints and writes, the
/// others help it compute.
#pragma once

#include <memory>
#include <string>

#include "gpcv/communicator.hpp"
#include "gpcv/compute.hpp"
#include "gpcv/dataset.hpp"

namespace gpcv::command {

/// Opened first thing in main. The output of all ranks but 0 goes nowhere; what it throws, it throws on every rank.
class Ranks {
 public:
  Ranks(int argc, char** argv);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  const std::shared_ptr<const Communicator>& communicator() const { return communicator_; }
  bool first() const { return communicator_ == nullptr || communicator_->rank() == 0; }
  /// Where the message of an error goes: "gpcv: …", or "gpcv: rank 2: …".
  void report(const std::string& message) const;
  /// After an error of this rank: ends all of them with the exit code, or returns it where there is one rank.
  int end(int exit_code) const;
  /// After success or a result that did not converge: waits for the others; only rank 0 says how it went.
  int leave(int exit_code);

 private:
  std::shared_ptr<const Communicator> communicator_;
  int errors_ = -1;  ///< standard error as it was, of the quiet ranks
};

/// Options that every rank must choose alike: threads (where none were asked for) and memory. Throws InputError when a
/// file that every rank may open is not the same for all.
void share_machine(ComputeOptions& options, bool threads_given);
void require_same_file(const Communicator* communicator, const std::string& path);

/// Whether this process reads and writes files.
inline bool has_files(const ComputeOptions& options) {
  return !options.communicator || options.communicator->rank() == 0;
}
/// What rank 0 has read.
void broadcast(const Communicator* communicator, Dataset& data);
void broadcast(const Communicator* communicator, Matrix& matrix);

}  // namespace gpcv::command
