#include "ranks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "gpcv/error.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/operator.hpp"

namespace gpcv::command {
namespace {

/// Time that the other ranks wait before they report an error. Rank 0 usually meets the same error and reports it
/// first.
constexpr std::chrono::milliseconds patience{1500};

/// FNV-1a hash. Digests are only compared for equality; 52 bits are sent as a double.
class Digest {
 public:
  void add(const char* bytes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) value_ = (value_ ^ static_cast<unsigned char>(bytes[i])) * 1099511628211U;
  }
  void add(const std::string& text) { add(text.c_str(), text.size() + 1); }
  double value() const { return static_cast<double>(value_ >> 12); }

 private:
  std::uint64_t value_ = 14695981039346656037U;
};

/// First rank whose number differs from that of rank 0; −1 when all numbers are equal.
int first_other(const Communicator& communicator, double number) {
  double of_first = number;
  communicator.broadcast_values(0, &of_first, 1);
  const double candidate = number == of_first ? -1.0 * communicator.size() : -1.0 * communicator.rank();
  const double least = -communicator.maximum(candidate);
  return least >= communicator.size() ? -1 : static_cast<int>(least);
}

/// Digest of a file's length, first and last mebibyte; −1 for a file that cannot be read. A pipe, which only rank 0 can
/// read, has digest 0.
double digest_of_file(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown)) return 0;  // a pipe
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(std::size_t{1} << 20);
  if (!file || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    if (file.gcount() <= 0) return -1;
  }
  Digest digest;
  digest.add(bytes.data(), static_cast<std::size_t>(file.gcount()));
  file.clear();
  if (!file.seekg(0, std::ios::end)) return digest.value();
  const auto size = static_cast<std::streamoff>(file.tellg());
  digest.add(fmt::format("{}", size));
  const std::streamoff tail = std::min<std::streamoff>(size, static_cast<std::streamoff>(bytes.size()));
  file.seekg(size - tail);
  file.read(bytes.data(), tail);
  digest.add(bytes.data(), static_cast<std::size_t>(file.gcount()));
  return digest.value();
}

template <class Vectors>
void broadcast_vector(const Communicator& communicator, Vectors& values) {
  std::size_t count = values.size();
  communicator.broadcast_values(0, &count, 1);
  values.resize(count);
  communicator.broadcast_values(0, values.data(), count);
}

void broadcast_texts(const Communicator& communicator, std::vector<std::string>& texts) {
  std::size_t count = texts.size();
  communicator.broadcast_values(0, &count, 1);
  texts.resize(count);
  for (std::string& text : texts) broadcast_vector(communicator, text);
}

}  // namespace

Ranks::Ranks(int argc, char** argv) : communicator_(launched_communicator()) {
  if (!shared(communicator_.get())) return;
  if (!first()) {
    errors_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  Digest digest;
  for (int i = 1; i < argc; ++i) digest.add(std::string(argv[i]));
  if (const int other = first_other(*communicator_, digest.value()); other > 0) {
    throw InputError(fmt::format("the arguments of rank {} differ from those of rank 0", other));
  }
  // Computations that every rank repeats must give identical results.
  Digest machine;
  machine.add(instruction_set());
  machine.add(blas_name());
  if (const int other = first_other(*communicator_, machine.value()); other > 0) {
    throw InputError(
        fmt::format("rank {} differs from rank 0 ({}) in its processor or its libraries: "
                    "use machines of the same type",
                    other, instruction_set()));
  }
}

Ranks::~Ranks() {
  if (errors_ >= 0) ::close(errors_);
}

void Ranks::report(const std::string& message) const {
  if (first()) {
    fmt::print(stderr, "gpcv: {}\n", message);
    return;
  }
  std::this_thread::sleep_for(patience);
  const std::string line = fmt::format("gpcv: rank {}: {}\n", communicator_->rank(), message);
  [[maybe_unused]] const auto written = ::write(errors_ >= 0 ? errors_ : STDERR_FILENO, line.data(), line.size());
}

int Ranks::end(int exit_code) const {
  std::fflush(stdout);
  if (shared(communicator_.get())) communicator_->abort(exit_code);
  return exit_code;
}

int Ranks::leave(int exit_code) {
  const bool quiet = !first();
  std::fflush(stdout);
  communicator_.reset();
  return quiet ? 0 : exit_code;
}

void share_machine(ComputeOptions& options, bool threads_given) {
  const Communicator* communicator = options.communicator.get();
  if (!shared(communicator)) return;
  if (!threads_given) {
    // A launcher either binds each rank to its cores or gives all cores to every rank.
    const auto cores = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    const int own = std::max(1, std::min(available_threads(), cores / communicator->neighbours()));
    options.threads = -static_cast<int>(communicator->maximum(-own));
  }
  if (options.memory == 0)
    options.memory = default_memory_budget() / static_cast<std::size_t>(communicator->neighbours());
  options.memory = static_cast<std::size_t>(-communicator->maximum(-static_cast<double>(options.memory)));
}

void require_same_file(const Communicator* communicator, const std::string& path) {
  if (!shared(communicator)) return;
  const double digest = digest_of_file(path);
  // A file that rank 0 cannot read is reported by the reader of rank 0.
  double of_first = digest;
  communicator->broadcast_values(0, &of_first, 1);
  if (of_first < 0) return;
  const int other = first_other(*communicator, digest);
  if (other < 0) return;
  double of_other = digest;
  communicator->broadcast_values(other, &of_other, 1);
  throw InputError(of_other < 0 ? fmt::format("rank {} cannot read '{}', but rank 0 can", other, path)
                                : fmt::format("'{}' is a different file for rank {} than for rank 0", path, other));
}

void broadcast(const Communicator* communicator, Matrix& matrix) {
  if (!shared(communicator)) return;
  Index shape[2] = {matrix.rows(), matrix.cols()};
  communicator->broadcast_values(0, shape, 2);
  matrix.resize(shape[0], shape[1]);
  communicator->broadcast_values(0, matrix.data(), static_cast<std::size_t>(matrix.size()));
}

void broadcast(const Communicator* communicator, Dataset& data) {
  if (!shared(communicator)) return;
  broadcast(communicator, data.x);
  for (Vector* vector : {&data.y, &data.time, &data.noise}) {
    Matrix column = *vector;
    broadcast(communicator, column);
    *vector = column.reshaped();
  }
  broadcast_vector(*communicator, data.labels);
  Columns& c = data.columns;
  broadcast_texts(*communicator, c.features);
  broadcast_vector(*communicator, c.feature_indices);
  broadcast_texts(*communicator, c.levels);
  broadcast_vector(*communicator, c.target);
  broadcast_vector(*communicator, c.noise);
  broadcast_vector(*communicator, c.id);
  broadcast_texts(*communicator, c.missing_texts);
  Index dates_known = c.dates ? 1 : 0;
  communicator->broadcast_values(0, &dates_known, 1);
  if (dates_known != 0) {
    if (!c.dates) c.dates.emplace();
    broadcast_vector(*communicator, *c.dates);
  }
  Index numbers[] = {c.target_index,
                     c.table_columns,
                     c.noise_index,
                     c.has_header ? 1 : 0,
                     c.noise_is_weight ? 1 : 0,
                     static_cast<Index>(c.decimal),
                     c.target_is_date ? (*c.target_is_date ? 1 : 0) : -1};
  communicator->broadcast_values(0, numbers, std::size(numbers));
  c.target_index = numbers[0];
  c.table_columns = numbers[1];
  c.noise_index = numbers[2];
  c.has_header = numbers[3] != 0;
  c.noise_is_weight = numbers[4] != 0;
  c.decimal = static_cast<Decimal>(numbers[5]);
  if (numbers[6] >= 0) c.target_is_date = numbers[6] != 0;
}

void broadcast(const Communicator* communicator, std::vector<Dataset>& targets) {
  if (!shared(communicator)) return;
  std::size_t count = targets.size();
  communicator->broadcast_values(0, &count, 1);
  targets.resize(count);
  for (Dataset& data : targets) {
    broadcast(communicator, data);
    broadcast_vector(*communicator, data.reading.dropped);  // shared folds follow from the rows of each target
  }
}

}  // namespace gpcv::command
