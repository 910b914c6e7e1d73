#include <fmt/format.h>

#include <algorithm>

#include "gpcv/error.hpp"
#include "trainers/admm/admm.hpp"
#include "trainers/admm/consensus.hpp"
#include "trainers/common/trainer_traits.hpp"
#include "trainers/gauss_newton/gauss_newton.hpp"
#include "trainers/likelihood/likelihood.hpp"

namespace gpcv {
namespace {

/// The trainer of this name; null if there is none.
const TrainerTraits* find(std::string_view name) {
  const std::vector<TrainerTraits>& table = trainer_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const TrainerTraits& t) { return t.info.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<TrainerTraits>& trainer_table() {
  static const std::vector<TrainerTraits> table{gauss_newton_traits(), likelihood_traits(), admm_traits(),
                                                naive_traits(), consensus_traits()};
  return table;
}

const TrainerTraits& trainer_traits(std::string_view name) {
  if (const TrainerTraits* traits = find(name)) return *traits;
  throw InputError(fmt::format("unknown trainer '{}'; there are: {}", name, fmt::join(trainer_names(), ", ")));
}

const TrainerInfo& trainer_info(std::string_view name) { return trainer_traits(name).info; }

std::vector<std::string> trainer_names() {
  std::vector<std::string> names;
  for (const TrainerTraits& traits : trainer_table()) names.emplace_back(traits.info.name);
  return names;
}

bool uses_folds(std::string_view trainer) {
  const TrainerTraits* traits = find(trainer);
  return traits == nullptr || traits->info.uses_folds;
}

std::vector<std::string> measure_names(const TrainOptions& options) {
  return trainer_traits(options.trainer).measures(options);
}

}  // namespace gpcv
