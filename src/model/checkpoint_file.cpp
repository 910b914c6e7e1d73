/// Checkpoints as HDF5 files behind a checksummed user block.
#include <fmt/format.h>

#include <concepts>
#include <sstream>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/fields.hpp"
#include "gpcv/checkpoint.hpp"
#include "gpcv/error.hpp"
#include "model/checksummed_file.hpp"
#include "model/hdf5.hpp"
#include "model/optima_table.hpp"
#include "model/trace_row.hpp"
#include "trainers/common/training_state.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

constexpr ChecksummedKind kind{"GPCVCKPT", "gpcv checkpoint", 2, "start the training again"};

/// Table with one row of equal length per iteration: restart, fold, iteration, objective, gradient, seconds, then θ and
/// the measures.
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

void transfer_status(hdf5::Writer& file, const std::string& group, const std::string& name, Status status) {
  file.attribute(group, name, static_cast<int>(status));
}

void transfer_status(hdf5::Reader& file, const std::string& group, const std::string& name, Status& status) {
  int number = 0;
  file.attribute(group, name, number);
  status = status_of(number);
}

template <class State>
void transfer_size(hdf5::Writer& file, const std::string& name, const std::vector<State>& states) {
  file.attribute("/", name, states.size());
}

template <class State>
void transfer_size(hdf5::Reader& file, const std::string& name, std::vector<State>& states) {
  std::size_t count = 0;
  file.attribute("/", name, count);
  if (count == 0) throw InputError("it has no runs");
  // A run is a group with at least three datasets; each of these four objects takes more than 64 bytes of the file.
  if (count > file.size() / (std::size_t{4} * 64)) throw InputError("it has more runs than fit the file");
  states.resize(count);
}

void require_finite(const hdf5::Writer&, const auto&) {}

void require_finite(const hdf5::Reader&, const auto& values) {
  if (!values.allFinite()) throw InputError("a run is not finite");
}

template <class T>
constexpr bool is_list = false;
template <HasFields State>
constexpr bool is_list<std::vector<State>> = true;

/// Writes or reads the fields of a trainer's state: numbers are attributes of `group`, vectors and matrices datasets
/// below it, a struct is a group, and the structs of a list are groups of the root with a number behind their name.
template <class Archive, class State>
void transfer_fields(Archive& file, const std::string& group, State& state) {
  std::remove_const_t<State>::visit_fields(state, [&](const std::string& name, auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    const std::string path = (group == "/" ? "" : group) + "/" + name;
    if constexpr (std::is_arithmetic_v<Field>) {
      file.attribute(group, name, field);
    } else if constexpr (std::same_as<Field, Status>) {
      transfer_status(file, group, name, field);
    } else if constexpr (HasFields<Field>) {
      file.group(path);
      transfer_fields(file, path, field);
    } else if constexpr (is_list<Field>) {
      transfer_size(file, name + "s", field);
      for (std::size_t i = 0; i < field.size(); ++i) {
        const std::string element = fmt::format("/{}{}", name, i);
        file.group(element);
        transfer_fields(file, element, field[i]);
      }
    } else {
      file.dataset(path, field);
      require_finite(file, field);
    }
  });
}

/// State of the trainer that the file names; `index` counts the alternatives that were tried.
template <std::size_t index = 0>
TrainerState trainer_state(hdf5::Reader& file, const std::string& name) {
  if constexpr (index == std::variant_size_v<TrainerState>) {
    throw InputError(fmt::format("its trainer '{}' is unknown", name));
  } else {
    using State = std::variant_alternative_t<index, TrainerState>;
    if (name != State::kind) return trainer_state<index + 1>(file, name);
    State state;
    transfer_fields(file, "/", state);
    return state;
  }
}

/// Writes or reads everything that a file holds except the trainer's own state.
template <class Archive, class AnyState, class AnyFolds, class AnyOptima, class AnyHistory>
void transfer(Archive& file, AnyState& state, AnyFolds& validation, AnyOptima& optima, AnyHistory& history) {
  file.attribute("/", "seconds", state.seconds);
  file.attribute("/", "remark", state.remark);
  file.group("/folds");
  for (std::size_t k = 0; k < validation.size(); ++k) file.dataset(fmt::format("/folds/{}", k), validation[k]);
  file.group("/optima");
  file.dataset("/optima/numbers", optima.numbers);
  file.dataset("/optima/log_theta", optima.log_theta);
  file.group("/history");
  file.dataset("/history/values", history.values);
  file.attribute("/history", "parameters", history.parameters);
}

}  // namespace

void save_checkpoint(const std::string& identity, const std::vector<std::vector<Index>>& validation,
                     const TrainingState& state, const fs::path& path) {
  const OptimaTable optima(state.optima);
  const HistoryTable history = table_of(state.history);
  hdf5::Writer file(checksum_block_size);
  file.attribute("/", "identity", identity);
  file.attribute("/", "fold_count", validation.size());
  transfer(file, state, validation, optima, history);
  std::visit(
      [&](const auto& own) {
        file.attribute("/", "trainer", std::string(own.kind));
        transfer_fields(file, "/", own);
      },
      state.trainer);
  write_checksummed(path, kind, file.image());
}

Checkpoint load_checkpoint(const fs::path& path) { return checkpoint_of(checkpoint_bytes(path), path); }

std::string checkpoint_bytes(const fs::path& path) {
  ChecksummedBytes read = read_checksummed(path, kind);
  if (read.version < kind.version) {
    throw InputError(fmt::format("'{}' was written by an older gpcv (format {}; this program reads {}): {}",
                                 path.string(), read.version, kind.version, kind.remedy));
  }
  return std::move(read.bytes);
}

Checkpoint checkpoint_of(const std::string& bytes, const fs::path& path) {
  try {
    Checkpoint checkpoint;
    const auto state = std::make_shared<TrainingState>();
    OptimaTable optima;
    HistoryTable history;
    std::size_t folds = 0;
    std::string trainer;
    hdf5::Reader file(bytes);
    file.attribute("/", "identity", checkpoint.identity);
    file.attribute("/", "fold_count", folds);
    file.attribute("/", "trainer", trainer);
    // A fold is a dataset, which takes more than 64 bytes of the file.
    if (folds > file.size() / 64) throw InputError("it has more folds than fit the file");
    checkpoint.validation.resize(folds);
    transfer(file, *state, checkpoint.validation, optima, history);
    state->trainer = trainer_state(file, trainer);
    state->optima = optima.optima();
    state->history = history_of(history);
    checkpoint.state = state;
    return checkpoint;
  } catch (const Error& error) {
    throw InputError(fmt::format("'{}' is not a usable gpcv checkpoint: {}", path.string(), error.what()),
                     error.remedy(), error.facts());
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
