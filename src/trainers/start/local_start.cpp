#include "trainers/start/local_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "backends/dense_kernel.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/stop_question.hpp"
#include "evaluation/neighbour_search.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "problem/parameters.hpp"
#include "solvers/factorise.hpp"
#include "trainers/common/minimize.hpp"

namespace gpcv {
namespace {

/// Rows of the sample and neighbours of each.
constexpr Index sampled = 500, near_rows = 60;
/// Rounds in which the neighbours are chosen again, and evaluations in each.
constexpr int rounds = 4, evaluations = 25;
/// Training rows among which neighbours are looked for: more rows would be nearer, but the search would take longer
/// than a product with all pairs.
constexpr Index most_searched = 200000;
/// Rows whose neighbours are looked for together: the inputs of all rows are prepared once for them.
constexpr Index rows_per_search = 8;
/// Deviation of the prior of log θ around the start.
constexpr double prior_deviation = 1;
/// Starts that are refined.
constexpr std::size_t refined = 2;

/// Row and neighbours conditioned on each other.
struct Conditioned {
  Matrix x, k;         ///< of the neighbours, then the row
  Vector alpha, beta;  ///< C⁻¹y_S and C⁻¹k
  double residual = 0, variance = 0;
};

Conditioned conditioned(const Problem& problem, const KernelProgram& program, double noise, Index row,
                        const std::vector<Index>& near) {
  std::vector<Index> rows = near;
  rows.push_back(row);
  const auto m = static_cast<Index>(near.size());
  Conditioned at{problem.x(rows, Eigen::all), {}, {}, {}};
  at.k = dense_kernel(program, at.x, 1);
  const Cholesky factor = factorise(program, at.x.topRows(m), noise, 1);
  const Vector k = at.k.col(m).head(m);
  at.alpha = factor.solve(Vector(problem.y(near)));
  at.beta = factor.solve(k);
  const double prior = at.k(m, m) + noise;
  at.residual = problem.y(row) - k.dot(at.alpha);
  at.variance = std::max(prior - k.dot(at.beta), 1e-12 * prior);
  return at;
}

/// The score of one row, added to the sum.
void add_row(const Problem& problem, const KernelProgram& program, double noise, Index row,
             const std::vector<Index>& near, LocalScore& sum) {
  const auto m = static_cast<Index>(near.size());
  const Conditioned at = conditioned(problem, program, noise, row, near);
  const Vector &alpha = at.alpha, &beta = at.beta;
  const double r = at.residual, v = at.variance;
  sum.value += 0.5 * (std::log(2 * std::numbers::pi * v) + r * r / v);
  // dL = a dv + b dm,  dv = dk** + dσ² − 2 βᵀdk + βᵀ dC β,  dm = αᵀdk − βᵀ dC α
  const double a = 0.5 * (1 / v - r * r / (v * v)), b = -r / v;
  Matrix w(m + 1, m + 1);
  w.topLeftCorner(m, m) = a * beta * beta.transpose() - 0.5 * b * (beta * alpha.transpose() + alpha * beta.transpose());
  w.col(m).head(m) = 0.5 * b * alpha - a * beta;
  w.row(m).head(m) = w.col(m).head(m).transpose();
  w(m, m) = a;
  sum.gradient.head(program.parameters) += contract_dense(program, at.x, w, 1);
  if (!problem.noise.fixed) {
    sum.gradient(program.parameters) += noise * (a * (1 + beta.squaredNorm()) - b * beta.dot(alpha));
  }
}

std::vector<Index> nearest(const Vector& worth, const std::vector<Index>& searched, Index count) {
  std::vector<Index> rows;
  for (const Index i : NeighbourSearch::best(worth, std::min(count, worth.size()))) {
    rows.push_back(searched[static_cast<std::size_t>(i)]);
  }
  return rows;
}

/// Rows that a fold trains on, or a sample of them.
std::vector<Index> searched_rows(const std::vector<Index>& training, Random& random) {
  if (static_cast<Index>(training.size()) <= most_searched) return training;
  std::vector<Index> rows;
  const std::vector<Index> order = random.permutation(static_cast<Index>(training.size()));
  for (Index i = 0; i < most_searched; ++i) {
    rows.push_back(training[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// The question of work on several threads; ranks, which must ask together, ask elsewhere.
std::function<bool()> question_of(const TrainOptions& options) {
  return shared(options.compute.communicator.get()) ? std::function<bool()>() : options.compute.stop;
}

/// Refines one start.
Vector refined_start(const Problem& problem, const Vector& start, const TrainOptions& options) {
  const LogParameters bounds = log_parameters(problem, options.compute.threads);
  Vector u = start.cwiseMax(bounds.lower).cwiseMin(bounds.upper);
  for (int round = 0; round < rounds; ++round) {
    if (options.compute.stop && options.compute.stop()) break;
    LocalRows sample;
    try {
      sample = local_rows(problem, u, sampled, near_rows, options.seed + static_cast<std::uint64_t>(round),
                          options.compute.threads, question_of(options));
    } catch (const Interrupted&) {
      break;
    }
    const auto count = static_cast<double>(sample.rows.size());
    const Objective objective = [&](const Vector& at, Vector& gradient) {
      const LocalScore score = local_score(problem, at, sample, options.compute.threads);
      // Close neighbours of a smooth function determine neither its variance nor its lengths: a weak prior does.
      const Vector away = (at - start) / prior_deviation;
      gradient = score.gradient + away / (prior_deviation * count);
      return score.value + 0.5 * away.squaredNorm() / count;
    };
    const Progress going_on = [&](const Vector&, double, double) {
      return !options.compute.stop || !options.compute.stop();
    };
    const MinimizeResult end = minimize(objective, u, bounds.lower, bounds.upper, {evaluations, 1e-4}, going_on);
    if (!std::isfinite(end.value)) break;
    const double moved = (end.u - u).cwiseAbs().maxCoeff();
    u = end.u;
    if (moved < 0.05) break;
  }
  return u;
}

}  // namespace

LocalRows local_rows(const Problem& problem, const Vector& log_theta, Index count, Index neighbours, std::uint64_t seed,
                     int threads, const std::function<bool()>& stop) {
  const KernelProgram program = kernel_at(problem, log_theta).lower();
  LocalRows sample;
  StopQuestion question(stop);
  Random random(seed);
  const Index per_fold = std::max<Index>(1, count / std::max<Index>(1, problem.folds.size()));
  std::vector<Index> some = random.permutation(problem.folds.size());
  if (problem.folds.size() > count) some.resize(static_cast<std::size_t>(count));
  std::sort(some.begin(), some.end());
  for (const Index k : some) {
    const Fold& fold = problem.folds.folds[static_cast<std::size_t>(k)];
    std::vector<Index> rows;
    const std::vector<Index> order = random.permutation(static_cast<Index>(fold.validation.size()));
    for (Index i = 0; i < std::min<Index>(per_fold, static_cast<Index>(order.size())); ++i) {
      rows.push_back(fold.validation[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
    }
    const std::vector<Index> searched = searched_rows(fold.training, random);
    const Matrix training = problem.x(searched, Eigen::all);
    const Vector scale = kernel_diagonal(program, training).cwiseMax(std::numeric_limits<double>::min()).cwiseInverse();
    const std::size_t first = sample.rows.size();
    sample.rows.insert(sample.rows.end(), rows.begin(), rows.end());
    sample.neighbours.resize(sample.rows.size());
    const auto all = static_cast<Index>(rows.size());
    parallel_for(static_cast<int>((all + rows_per_search - 1) / rows_per_search), threads, [&](int part) {
      question.check();
      const Index from = part * rows_per_search, some_rows = std::min(rows_per_search, all - from);
      const std::vector<Index> wanted(rows.begin() + from, rows.begin() + from + some_rows);
      const Matrix cross = dense_kernel(program, training, problem.x(wanted, Eigen::all), 1);
      for (Index i = 0; i < some_rows; ++i) {
        const Vector worth = cross.col(i).array().square() * scale.array();
        sample.neighbours[first + static_cast<std::size_t>(from + i)] = nearest(worth, searched, neighbours);
      }
    });
  }
  return sample;
}

LocalScore local_score(const Problem& problem, const Vector& log_theta, const LocalRows& sample, int threads) {
  const KernelProgram program = kernel_at(problem, log_theta).lower();
  const double noise = noise_at(problem, log_theta);
  // The sum of each part is added in the order of the parts, so that the number of threads changes no bit.
  constexpr int parts = 32;
  std::vector<LocalScore> sums(parts, LocalScore{0, Vector::Zero(log_theta.size())});
  const auto count = static_cast<int>(sample.rows.size());
  try {
    parallel_for(parts, threads, [&](int part) {
      for (int i = count * part / parts; i < count * (part + 1) / parts; ++i) {
        const auto at = static_cast<std::size_t>(i);
        add_row(problem, program, noise, sample.rows[at], sample.neighbours[at], sums[static_cast<std::size_t>(part)]);
      }
    });
  } catch (const NumericalError&) {
    return {std::numeric_limits<double>::infinity(), Vector::Zero(log_theta.size())};
  }
  LocalScore total{0, Vector::Zero(log_theta.size())};
  for (const LocalScore& sum : sums) {
    total.value += sum.value / count;
    total.gradient += sum.gradient / count;
  }
  return total;
}

LocalErrors local_errors(const Problem& problem, const Vector& log_theta, const LocalRows& sample, int threads) {
  const KernelProgram program = kernel_at(problem, log_theta).lower();
  const double noise = noise_at(problem, log_theta);
  const auto count = static_cast<Index>(sample.rows.size());
  LocalErrors errors{Vector::Constant(count, std::nan("")), Vector::Constant(count, std::nan(""))};
  parallel_for(static_cast<int>(count), threads, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    try {
      const Conditioned row = conditioned(problem, program, noise, sample.rows[at], sample.neighbours[at]);
      errors.residuals(i) = row.residual;
      errors.variances(i) = row.variance;
    } catch (const NumericalError&) {
      // The row has no prediction.
    }
  });
  return errors;
}

double local_squares(const Problem& problem, const Vector& log_theta, const TrainOptions& options) {
  const LocalRows sample = local_rows(problem, log_theta, sampled, near_rows, options.seed + 200,
                                      options.compute.threads, question_of(options));
  const Vector residuals = local_errors(problem, log_theta, sample, options.compute.threads).residuals;
  const auto known = residuals.array().isFinite();
  const auto count = static_cast<double>(known.count());
  return count > 0 ? known.select(residuals.array().square(), 0).sum() / count
                   : std::numeric_limits<double>::infinity();
}

Vector local_start(const Problem& problem, const std::vector<Vector>& starts, const TrainOptions& options) {
  Vector best = starts.front();
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(refined, starts.size()); ++i) {
    const Vector u = refined_start(problem, starts[i], options);
    try {
      // Other rows than those that were minimised over decide.
      const LocalRows fresh =
          local_rows(problem, u, sampled, near_rows, options.seed + 100, options.compute.threads, question_of(options));
      const double value = local_score(problem, u, fresh, options.compute.threads).value;
      if (!(value < lowest)) continue;
      lowest = value;
      best = u;
    } catch (const Interrupted&) {
      if (i == 0) best = u;
      break;
    }
  }
  return best;
}

}  // namespace gpcv
