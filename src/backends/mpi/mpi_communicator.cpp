#include "backends/mpi/mpi_communicator.hpp"

#include <algorithm>
#include <cstdlib>

namespace gpcv::mpi {
namespace {

/// The most numbers of one message: MPI counts in int, and longer messages are no faster.
constexpr std::size_t most_numbers = std::size_t{1} << 24;

/// Calls work(pointer, count) for pieces whose length fits MPI's int.
template <class Number, class Work>
void in_pieces(std::span<Number> numbers, const Work& work) {
  for (std::size_t at = 0; at < numbers.size(); at += most_numbers) {
    const std::size_t count = std::min(most_numbers, numbers.size() - at);
    work(numbers.data() + at, static_cast<int>(count));
  }
}

}  // namespace

class MpiCommunicator::Timer {
 public:
  explicit Timer(double& total) : total_(total), start_(MPI_Wtime()) {}
  ~Timer() { total_ += MPI_Wtime() - start_; }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& total_;
  double start_;
};

MpiCommunicator::MpiCommunicator(MPI_Comm handle, bool session) : handle_(handle), session_(session) {
  MPI_Comm_rank(handle_, &rank_);
  MPI_Comm_size(handle_, &size_);
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(handle_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &neighbours_);
  MPI_Comm_free(&machine);
}

MpiCommunicator::~MpiCommunicator() {
  MPI_Comm_free(&handle_);
  if (session_) MPI_Finalize();
}

void MpiCommunicator::sum(std::span<double> numbers) const {
  const Timer timer(seconds_);
  bytes_ += static_cast<double>(numbers.size_bytes());
  in_pieces(numbers,
            [&](double* at, int count) { MPI_Allreduce(MPI_IN_PLACE, at, count, MPI_DOUBLE, MPI_SUM, handle_); });
}

void MpiCommunicator::begin_sum(std::span<double> numbers) const {
  const Timer timer(seconds_);
  bytes_ += static_cast<double>(numbers.size_bytes());
  in_pieces(numbers, [&](double* at, int count) {
    open_.emplace_back();
    MPI_Iallreduce(MPI_IN_PLACE, at, count, MPI_DOUBLE, MPI_SUM, handle_, &open_.back());
  });
}

void MpiCommunicator::advance() const {
  if (open_.empty()) return;
  const Timer timer(seconds_);
  int done = 0;
  MPI_Testall(static_cast<int>(open_.size()), open_.data(), &done, MPI_STATUSES_IGNORE);
  if (done != 0) open_.clear();
}

void MpiCommunicator::finish() const {
  const Timer timer(seconds_);
  MPI_Waitall(static_cast<int>(open_.size()), open_.data(), MPI_STATUSES_IGNORE);
  open_.clear();
}

void MpiCommunicator::gather(std::span<const double> own, std::span<const std::size_t> counts,
                             std::span<double> all) const {
  const Timer timer(seconds_);
  bytes_ += static_cast<double>(own.size_bytes());
  // MPI counts in int, so longer data are sent by broadcasts.
  std::size_t most = 0;
  for (const std::size_t count : counts) most = std::max(most, count);
  std::vector<int> number, place;
  std::size_t at = 0;
  if (most * counts.size() < (std::size_t{1} << 30)) {
    for (const std::size_t count : counts) {
      number.push_back(static_cast<int>(count));
      place.push_back(static_cast<int>(at));
      at += count;
    }
    MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_DOUBLE, all.data(), number.data(), place.data(),
                   MPI_DOUBLE, handle_);
    return;
  }
  for (int root = 0; root < size_; ++root) {
    const std::span<double> part = all.subspan(at, counts[static_cast<std::size_t>(root)]);
    if (root == rank_) std::copy(own.begin(), own.end(), part.begin());
    in_pieces(part, [&](double* from, int count) { MPI_Bcast(from, count, MPI_DOUBLE, root, handle_); });
    at += part.size();
  }
}

void MpiCommunicator::sum_to(int root, std::span<double> numbers) const {
  const Timer timer(seconds_);
  bytes_ += static_cast<double>(numbers.size_bytes());
  // The reduction is not in place because MPICH 4.0 crashes at the root of a long in-place reduction.
  std::vector<double> received(rank_ == root ? std::min(numbers.size(), most_numbers) : 0);
  in_pieces(numbers, [&](double* at, int count) {
    MPI_Reduce(at, rank_ == root ? received.data() : nullptr, count, MPI_DOUBLE, MPI_SUM, root, handle_);
    if (rank_ == root) std::copy_n(received.begin(), count, at);
  });
}

double MpiCommunicator::maximum(double number) const {
  const Timer timer(seconds_);
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_DOUBLE, MPI_MAX, handle_);
  return number;
}

void MpiCommunicator::broadcast(int root, std::span<std::byte> bytes) const {
  const Timer timer(seconds_);
  bytes_ += static_cast<double>(bytes.size());
  in_pieces(bytes, [&](std::byte* at, int count) { MPI_Bcast(at, count, MPI_BYTE, root, handle_); });
}

std::shared_ptr<const Communicator> MpiCommunicator::split(int colour) const {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(handle_, colour, rank_, &part);
  return std::make_shared<MpiCommunicator>(part, false);
}

void MpiCommunicator::abort(int exit_code) const {
  MPI_Abort(handle_, exit_code);
  std::_Exit(exit_code);  // MPI_Abort does not return
}

}  // namespace gpcv::mpi

/// The only exported function: it initialises MPI and returns a communicator of all ranks.
extern "C" gpcv::Communicator* gpcv_mpi_begin() {
  int provided = 0, begun = 0;
  MPI_Initialized(&begun);
  // Several threads compute, but only the thread that initialised MPI calls it.
  if (begun == 0) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm all = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  return new gpcv::mpi::MpiCommunicator(all, begun == 0);
}
