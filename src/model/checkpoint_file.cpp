#include <fmt/format.h>
#include <zlib.h>

#include <limits>
#include <sstream>

#include "gpcv/checkpoint.hpp"
#include "gpcv/error.hpp"
#include "model/checksummed_file.hpp"
#include "model/hdf5.hpp"
#include "model/optima_table.hpp"
#include "model/trace_row.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

constexpr ChecksummedKind kind{"GPCVCKPT", "gpcv checkpoint", 1, "start the training again"};

template <class Number>
unsigned long checksum(unsigned long crc, const Number* data, std::size_t count) {
  return crc32_z(crc, reinterpret_cast<const Bytef*>(data), count * sizeof(Number));
}

unsigned long checksum_of(const Folds& folds) {
  unsigned long crc = 0;
  for (const Fold& fold : folds.folds) {
    crc = checksum(crc, fold.training.data(), fold.training.size());
    crc = checksum(crc, fold.validation.data(), fold.validation.size());
  }
  return crc;
}

void transfer_status(hdf5::Writer& file, const std::string& object, Status status) {
  file.attribute(object, "status", static_cast<int>(status));
}

void transfer_status(hdf5::Reader& file, const std::string& object, Status& status) {
  int number = 0;
  file.attribute(object, "status", number);
  status = status_of(number);
}

/// Rows of equal length: restart, fold, iteration, objective, gradient, seconds, then θ and the measures.
struct HistoryTable {
  Matrix values;
  Index parameters = 0;
};

HistoryTable table_of(const std::vector<IterationRecord>& history) {
  HistoryTable table;
  if (history.empty()) return table;
  table.parameters = static_cast<Index>(history.front().theta.size());
  table.values.resize(static_cast<Index>(history.size()),
                      trace_head + table.parameters + static_cast<Index>(history.front().measures.size()));
  Index at = 0;
  for (const IterationRecord& r : history) {
    const std::vector<double> row = trace_row(r);
    table.values.row(at++) = Eigen::Map<const Vector>(row.data(), table.values.cols());
  }
  return table;
}

std::vector<IterationRecord> history_of(const HistoryTable& table) {
  std::vector<IterationRecord> history;
  if (table.values.rows() == 0) return history;
  if (table.parameters < 0 || table.parameters > table.values.cols() - trace_head) {
    throw InputError("its history has another shape");
  }
  for (Index i = 0; i < table.values.rows(); ++i) {
    const Vector row = table.values.row(i);
    IterationRecord r;
    r.restart = whole(row(0));
    r.fold = whole(row(1));
    r.iteration = whole(row(2));
    r.objective = row(3);
    r.gradient_norm = row(4);
    r.seconds = row(5);
    const auto theta = row.segment(trace_head, table.parameters);
    const auto measures = row.tail(row.size() - trace_head - table.parameters);
    r.theta.assign(theta.begin(), theta.end());
    r.measures.assign(measures.begin(), measures.end());
    history.push_back(std::move(r));
  }
  return history;
}

/// The one list of what a file holds: written with a hdf5::Writer, read with a hdf5::Reader into what has the right
/// number of runs and folds.
template <class Archive, class AnyCheckpoint, class AnyOptima, class AnyHistory>
void transfer(Archive& file, AnyCheckpoint& c, AnyOptima& optima, AnyHistory& history) {
  file.attribute("/", "level", c.state.level);
  file.attribute("/", "round", c.state.round);
  file.attribute("/", "held_variance", c.state.held_variance);
  file.attribute("/", "seconds", c.state.seconds);
  file.attribute("/", "remark", c.state.remark);
  file.dataset("/best", c.state.best);
  file.group("/folds");
  for (std::size_t k = 0; k < c.validation.size(); ++k) file.dataset(fmt::format("/folds/{}", k), c.validation[k]);
  for (std::size_t i = 0; i < c.state.runs.size(); ++i) {
    const std::string name = fmt::format("/run{}", i);
    auto& run = c.state.runs[i];
    file.group(name);
    file.attribute(name, "restart", run.restart);
    file.attribute(name, "iteration", run.iteration);
    file.attribute(name, "fold", run.fold);
    transfer_status(file, name, run.status);
    file.attribute(name, "objective", run.objective);
    file.attribute(name, "damping", run.damping);
    file.attribute(name, "gained", run.gained);
    file.attribute(name, "prior_weight", run.prior_weight);
    file.dataset(name + "/start", run.start);
    file.dataset(name + "/theta", run.theta);
    file.attribute(name, "accuracy", run.accuracy);
    file.dataset(name + "/weights", run.weights);
    file.dataset(name + "/sensitivities", run.sensitivities);
    file.dataset(name + "/multipliers", run.multipliers);
    file.dataset(name + "/curvature", run.curvature);
    file.dataset(name + "/steering", run.steering);
  }
  file.group("/optima");
  file.dataset("/optima/numbers", optima.numbers);
  file.dataset("/optima/kernels", optima.kernels);
  file.group("/history");
  file.dataset("/history/values", history.values);
  file.attribute("/history", "parameters", history.parameters);
}

/// What moves θ, where the trainer leaves a choice.
std::string steps_of(const TrainOptions& options) {
  if (options.trainer == "gauss-newton") return "gauss-newton";
  std::string steps = fmt::format("{} in {}, rho {}", name_of(options.admm.theta_step),
                                  options.admm.raw_theta ? "theta" : "log theta", options.admm.rho);
  if (options.trainer != "consensus") return steps;
  return fmt::format("{} within a consensus, rho {}",
                     options.consensus.inner == InnerEngine::admm ? steps : "gauss-newton", options.consensus.rho);
}

}  // namespace

std::string identity_of(const Problem& problem, const TrainOptions& options) {
  unsigned long crc = checksum(0, problem.x.data(), static_cast<std::size_t>(problem.x.size()));
  crc = checksum(crc, problem.y.data(), static_cast<std::size_t>(problem.y.size()));
  return fmt::format(
      "data: {} x {}, checksum {:08x}\nkernel: {}\nnoise: {}\nfolds: {}, checksum {:08x}\nseed: {}\ntrainer: {}\n"
      "prior: {}\nparts: {}\nsteps: {}\n",
      problem.x.rows(), problem.x.cols(), crc, problem.kernel.to_string(), problem.noise.to_string(),
      problem.folds.description, checksum_of(problem.folds), options.seed, options.trainer, options.prior,
      options.gauss_newton.nested_from, steps_of(options));
}

void save(const Checkpoint& checkpoint, const fs::path& path) {
  save(checkpoint.identity, checkpoint.validation, checkpoint.state, path);
}

void save(const std::string& identity, const std::vector<std::vector<Index>>& validation, const TrainingState& state,
          const fs::path& path) {
  const struct {
    const std::vector<std::vector<Index>>& validation;
    const TrainingState& state;
  } checkpoint{validation, state};
  const OptimaTable optima(state.optima);
  const HistoryTable history = table_of(state.history);
  hdf5::Writer file(checksum_block_size);
  file.attribute("/", "identity", identity);
  file.attribute("/", "runs", state.runs.size());
  file.attribute("/", "fold_count", validation.size());
  transfer(file, checkpoint, optima, history);
  write_checksummed(path, kind, file.image());
}

Checkpoint load_checkpoint(const fs::path& path) { return checkpoint_of(checkpoint_bytes(path), path); }

std::string checkpoint_bytes(const fs::path& path) { return read_checksummed(path, kind).bytes; }

Checkpoint checkpoint_of(const std::string& bytes, const fs::path& path) {
  try {
    Checkpoint checkpoint;
    OptimaTable optima;
    HistoryTable history;
    std::size_t runs = 0, folds = 0;
    hdf5::Reader file(bytes);
    file.attribute("/", "identity", checkpoint.identity);
    file.attribute("/", "runs", runs);
    file.attribute("/", "fold_count", folds);
    if (runs == 0) throw InputError("it has no runs");
    // A run is a group of seven datasets and a fold is one: each dataset takes more than 64 bytes of the file, a group
    // likewise.
    const std::size_t most = bytes.size() / 64;
    if (runs > most / 8 || folds > most) throw InputError("it has more runs or folds than fit the file");
    checkpoint.state.runs.resize(runs);
    checkpoint.validation.resize(folds);
    transfer(file, checkpoint, optima, history);
    checkpoint.state.optima = optima.optima();
    checkpoint.state.history = history_of(history);
    for (const RunState& run : checkpoint.state.runs) {
      if (run.start.size() != run.theta.size() || !run.theta.allFinite() || !run.start.allFinite() ||
          !run.weights.allFinite() || !run.sensitivities.allFinite() || !run.multipliers.allFinite()) {
        throw InputError("a run is not finite");
      }
    }
    return checkpoint;
  } catch (const Error& error) {
    throw InputError(fmt::format("'{}' is not a usable gpcv checkpoint: {}", path.string(), error.what()));
  }
}

void require_same_training(const Checkpoint& checkpoint, const std::string& identity, const fs::path& path) {
  std::istringstream saved(checkpoint.identity), now(identity);
  std::string was, is;
  for (;;) {
    const bool more_saved = static_cast<bool>(std::getline(saved, was)),
               more_now = static_cast<bool>(std::getline(now, is));
    if (!more_saved && !more_now) return;
    if (!more_saved || !more_now || was != is) {
      throw InputError(
          fmt::format("the checkpoint '{}' is of another training ({}; now {}): use the same data and "
                      "options, or another file",
                      path.string(), more_saved ? was : "nothing", more_now ? is : "nothing"));
    }
  }
}

}  // namespace gpcv
