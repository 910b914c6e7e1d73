/// Communication between processes that share a computation.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gpcv/export.hpp"

namespace gpcv {

/// Communicator of a group of ranks. Every rank runs the same program on the same data; a kernel product is divided
/// into parts, one per rank, which `sum` adds up. Rank 0 decides by local information such as a clock, a signal or a
/// file. All ranks call each function in the same order, from one thread.
class GPCV_EXPORT Communicator {
 public:
  virtual ~Communicator() = default;

  /// Number of this rank, from 0.
  virtual int rank() const = 0;
  /// Number of ranks.
  virtual int size() const = 0;
  /// Number of ranks on this machine.
  virtual int neighbours() const = 0;

  /// Replaces each number by its sum over the ranks, with identical bits on every rank.
  virtual void sum(std::span<double> numbers) const = 0;
  /// Starts a sum that proceeds while other work is done. All ranks must start the same sums in the same order.
  virtual void begin_sum(std::span<double> numbers) const = 0;
  /// Advances the sums in progress; to be called occasionally.
  virtual void advance() const = 0;
  /// Completes all sums in progress; their numbers may be read afterwards.
  virtual void finish() const = 0;
  /// Concatenates the numbers of all ranks on every rank; `counts` holds the count of each rank.
  virtual void gather(std::span<const double> own, std::span<const std::size_t> counts,
                      std::span<double> all) const = 0;
  /// Sums the numbers over the ranks on `root`; on the other ranks they are undefined afterwards.
  virtual void sum_to(int root, std::span<double> numbers) const = 0;
  /// Largest number over the ranks.
  virtual double maximum(double number) const = 0;
  /// Copies the bytes of `root` to every rank.
  virtual void broadcast(int root, std::span<std::byte> bytes) const = 0;
  /// Communicator of the ranks with the same colour, in the order of their ranks here.
  virtual std::shared_ptr<const Communicator> split(int colour) const = 0;

  /// Ends all ranks immediately with this exit code; does not return.
  [[noreturn]] virtual void abort(int exit_code) const = 0;

  /// Seconds that this rank has spent in communication.
  virtual double seconds() const = 0;
  /// Number of bytes that this rank has sent.
  virtual double bytes() const = 0;

  /// Copies the values of `root` to every rank.
  template <class Number>
  void broadcast_values(int root, Number* values, std::size_t count) const {
    broadcast(root, std::as_writable_bytes(std::span(values, count)));
  }
};

/// Decision of rank 0, on every rank.
GPCV_EXPORT bool agreed(const Communicator* communicator, bool said);

/// Whether there is more than one rank.
inline bool shared(const Communicator* communicator) { return communicator != nullptr && communicator->size() > 1; }

/// Communicator of the processes that mpirun, mpiexec or srun started; null for a single process. Throws NotCompiled
/// when there are several processes but this build has no MPI.
GPCV_EXPORT std::shared_ptr<const Communicator> launched_communicator();

}  // namespace gpcv
