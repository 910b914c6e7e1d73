/// A communicator whose ranks communicate by MPI. It is part of the module that is loaded only if a launcher has
/// started several processes.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "gpcv/communicator.hpp"

namespace gpcv::mpi {

class MpiCommunicator final : public gpcv::Communicator {
 public:
  /// The constructor takes ownership of the communicator, which the destructor frees; with `session` the destructor
  /// also finalises MPI.
  MpiCommunicator(MPI_Comm handle, bool session);
  ~MpiCommunicator() override;
  MpiCommunicator(const Communicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int neighbours() const override { return neighbours_; }

  void sum(std::span<double> numbers) const override;
  void begin_sum(std::span<double> numbers) const override;
  void advance() const override;
  void finish() const override;
  void gather(std::span<const double> own, std::span<const std::size_t> counts, std::span<double> all) const override;
  void sum_to(int root, std::span<double> numbers) const override;
  double maximum(double number) const override;
  void broadcast(int root, std::span<std::byte> bytes) const override;
  std::shared_ptr<const Communicator> split(int colour) const override;
  [[noreturn]] void abort(int exit_code) const override;

  double seconds() const override { return seconds_; }
  double bytes() const override { return bytes_; }

 private:
  /// Adds its lifetime to seconds_.
  class Timer;

  MPI_Comm handle_;
  bool session_;
  int rank_ = 0, size_ = 1, neighbours_ = 1;
  mutable std::vector<MPI_Request> open_;
  mutable double seconds_ = 0, bytes_ = 0;
};

}  // namespace gpcv::mpi
