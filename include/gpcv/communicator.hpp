/// Processes that compute one thing together.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "gpcv/export.hpp"

namespace gpcv {

/// Every rank runs the same program on the same numbers; a kernel product is cut into parts, one per rank, and put
/// together again by `sum`. What one rank alone can know (a clock, a signal, a file) is said by rank 0.
/// Each function is called by all ranks in the same order, from one thread.
class GPCV_EXPORT Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Ranks on this machine.
  virtual int neighbours() const = 0;

  /// Each number becomes the sum of the ranks' numbers, the same bits at every rank.
  virtual void sum(std::span<double> numbers) const = 0;
  /// The same, while work goes on: `finish` before they are read, `advance` now and then in between. Parts are finished
  /// in the order they were begun.
  virtual void begin_sum(std::span<double> numbers) const = 0;
  virtual void advance() const = 0;
  virtual void finish() const = 0;
  /// Everybody gets the ranks' numbers one after the other; counts: of each rank.
  virtual void gather(std::span<const double> own, std::span<const std::size_t> counts,
                      std::span<double> all) const = 0;
  /// Only `root` has the sum; the others' numbers are lost.
  virtual void sum_to(int root, std::span<double> numbers) const = 0;
  /// The largest of the ranks' numbers.
  virtual double maximum(double number) const = 0;
  /// Everybody gets what `root` has.
  virtual void broadcast(int root, std::span<std::byte> bytes) const = 0;
  /// The ranks that name the same colour, in the order of their ranks here.
  virtual std::shared_ptr<const Communicator> split(int colour) const = 0;

  /// Ends all ranks at once with this exit code; does not return.
  [[noreturn]] virtual void abort(int exit_code) const = 0;

  /// Seconds spent waiting for other ranks and moving their numbers, and the bytes this rank has handed over.
  virtual double seconds() const = 0;
  virtual double bytes() const = 0;

  template <class Number>
  void broadcast_values(int root, Number* values, std::size_t count) const {
    broadcast(root, std::as_writable_bytes(std::span(values, count)));
  }
};

/// Rank 0 decides: what it says is what everybody does.
GPCV_EXPORT bool agreed(const Communicator* communicator, bool said);

/// Whether there is anybody to share work with.
inline bool shared(const Communicator* communicator) { return communicator != nullptr && communicator->size() > 1; }

/// The processes that mpirun, mpiexec or srun started together with this one; null when it was started alone. Throws
/// NotCompiled when there are others but this build cannot talk to them.
GPCV_EXPORT std::shared_ptr<const Communicator> launched_communicator();

}  // namespace gpcv
