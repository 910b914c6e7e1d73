/// The identity of a training, by which a checkpoint is recognised as belonging to it.
#include <fmt/format.h>
#include <zlib.h>

#include "gpcv/checkpoint.hpp"
#include "trainers/common/trainer_traits.hpp"

namespace gpcv {
namespace {

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

}  // namespace

std::string identity_of(const Problem& problem, const TrainOptions& options) {
  unsigned long crc = checksum(0, problem.x.data(), static_cast<std::size_t>(problem.x.size()));
  crc = checksum(crc, problem.y.data(), static_cast<std::size_t>(problem.y.size()));
  return fmt::format(
      "data: {} x {}, checksum {:08x}\nkernel: {}\nnoise: {}\nfolds: {}, checksum {:08x}\nseed: {}\ntrainer: {}\n"
      "prior: {}\nparts: {}\nsteps: {}\n",
      problem.x.rows(), problem.x.cols(), crc, problem.kernel.to_string(), problem.noise.to_string(),
      problem.folds.description, checksum_of(problem.folds), options.seed, options.trainer, options.prior,
      options.gauss_newton.nested_from, trainer_traits(options.trainer).steps(options));
}

}  // namespace gpcv
