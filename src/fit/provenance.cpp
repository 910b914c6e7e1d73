#include "fit/provenance.hpp"

#include <fmt/format.h>

#include "gpcv/version.hpp"
#include "model/trace_row.hpp"

namespace gpcv {
namespace {

/// Writes one row per iteration, with the names of its columns.
void keep_trace(Provenance& provenance, const TrainResult& training, const TrainOptions& options,
                const std::vector<std::string>& theta) {
  std::vector<std::string>& names = provenance.trace_names;
  const std::vector<std::string> measures = measure_names(options);
  names = {"restart", "fold", "iteration", "objective", "gradient_norm", "seconds"};
  names.insert(names.end(), theta.begin(), theta.end());
  names.insert(names.end(), measures.begin(), measures.end());
  provenance.trace.resize(static_cast<Index>(training.history.size()), static_cast<Index>(names.size()));
  Index at = 0;
  for (const IterationRecord& r : training.history) {
    const std::vector<double> row = trace_row(r);
    provenance.trace.row(at++) = Eigen::Map<const Vector>(row.data(), provenance.trace.cols());
  }
}

}  // namespace

void keep_training(Provenance& provenance, const TrainResult& training, const FitOptions& options,
                   const Problem& problem, const RowNoise& row_noise) {
  provenance.trainer = options.train.trainer;
  provenance.status = training.status;
  provenance.objective = training.objective;
  provenance.folds = problem.folds.description;
  provenance.fold_of_row = problem.folds.fold_of_row();
  provenance.iterations = training.iterations;
  provenance.seed = options.train.seed;
  provenance.version = std::string(version());
  provenance.settings = {{"kernel", options.kernel.to_string()},
                         {"noise", row_noise.known       ? "known of each row"
                                   : options.noise.given ? options.noise.to_string()
                                                         : "trained"},
                         {"standardize", options.standardize ? "yes" : "no"},
                         {"restarts", fmt::format("{}", options.train.restarts)}};
  if (trainer_info(options.train.trainer).pools_folds) {
    provenance.settings.emplace_back("criterion", name_of(options.train.gauss_newton.criterion));
  }
  if (options.robust) provenance.settings.emplace_back("robust", "yes");
  provenance.optima = training.optima;
  provenance.standard_errors = training.standard_errors;
  keep_trace(provenance, training, options.train, theta_names(problem.kernel, problem.noise));
}

}  // namespace gpcv
