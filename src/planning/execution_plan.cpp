#include "planning/execution_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv {
namespace {

std::size_t whole(double count) { return static_cast<std::size_t>(count); }

/// A number of bytes in whole MiB, rounded up, so that it can be given as a budget.
std::string at_least(std::size_t count) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  return fmt::format("{}M", (count + mebibyte - 1) / mebibyte);
}

/// Below a few thousand rows a small factor is enough; it grows with √n: 950 at 36 000 rows.
Index usual_rank(Index n) {
  const auto root = static_cast<Index>(5 * std::sqrt(static_cast<double>(n)));
  return std::min(2 * n / 3, std::clamp<Index>(root, 500, 2000));
}

ExecutionPlan factorised(const CostModel& cost, std::size_t budget) {
  ExecutionPlan plan;
  plan.budget = budget;
  plan.seconds = cost.factor_seconds();
  plan.items = {
      {"inputs and target", whole(cost.input_bytes())},
      {cost.stored_on_device() ? "vectors: the covariance matrix is stored on the device" : "covariance matrix, stored",
       whole(cost.factor_bytes()), Phase::afterwards}};
  return plan;
}

const char* place(const CostModel& cost) { return cost.stored_on_device() ? " on the device" : ""; }

ExecutionPlan iterated(const CostModel& cost, std::size_t budget, const Preconditioning& size, Index columns) {
  ExecutionPlan plan;
  plan.solver = Solver::cg;
  const Index rank = size.rank;
  plan.iterative = {size.rank, columns, size.neighbours};
  plan.budget = budget;
  plan.seconds = cost.preconditioner_seconds(size) + cost.solve_seconds(size, columns, Accuracy::final);
  plan.preconditioner_on_host = !cost.has_device() || !cost.fits_device(rank);
  plan.items = {{"inputs and target", whole(cost.input_bytes())},
                {fmt::format("vectors, {} column{} at a time", columns, columns == 1 ? "" : "s"),
                 whole(cost.vector_bytes(columns, size)), Phase::afterwards}};
  if (rank > 0) {
    plan.items.push_back({fmt::format("preconditioner of rank {}{}", rank,
                                      plan.preconditioner_on_host ? "" : ": here if the device has no room for it"),
                          whole(cost.preconditioner_bytes(size) + cost.building_bytes(size)), Phase::afterwards});
  }
  return plan;
}

/// The plan with the number of neighbours that costs least, of those that fit; the smallest where none fits.
ExecutionPlan iterated(const CostModel& cost, std::size_t budget, Index rank, Index columns) {
  const std::vector<Preconditioning> sizes = cost.preconditioners(rank);
  ExecutionPlan best = iterated(cost, budget, sizes.front(), columns);
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    ExecutionPlan plan = iterated(cost, budget, sizes[i], columns);
    if (plan.total() <= budget && plan.seconds < best.seconds) best = std::move(plan);
  }
  return best;
}

/// The largest rank and batch that fit; the batch shrinks first, because a smaller one costs no iterations.
ExecutionPlan largest_iterated(const Shape& shape, const CostModel& cost, const ComputeOptions& compute) {
  const bool asked = compute.rank >= 0;
  Index rank = asked ? std::min<Index>(shape.n, compute.rank) : usual_rank(shape.n),
        columns = std::max<Index>(1, shape.columns);
  const auto smaller = [&] { rank = rank > 16 ? rank / 2 : 0; };
  while (!asked && cost.has_device() && !cost.fits_device(rank)) smaller();
  ExecutionPlan plan = iterated(cost, compute.memory, rank, columns);
  while (plan.total() > compute.memory && (columns > 1 || rank > 0)) {
    if (columns > 1) {
      columns = (columns + 1) / 2;
    } else {
      smaller();
    }
    plan = iterated(cost, compute.memory, rank, columns);
  }
  return plan;
}

}  // namespace

std::size_t ExecutionPlan::total() const {
  std::size_t always = 0, training = 0, afterwards = 0;
  for (const PlanItem& item : items) {
    (item.phase == Phase::always ? always : item.phase == Phase::training ? training : afterwards) += item.bytes;
  }
  return always + std::max(training, afterwards);
}

std::string ExecutionPlan::to_string() const {
  std::string text;
  for (const PlanItem& item : items) {
    const std::size_t colon = item.purpose.find(": ");  // what follows explains and goes on a line of its own
    text += fmt::format("         {:<34} {:>9}\n", item.purpose.substr(0, colon), bytes(item.bytes));
    if (colon != std::string::npos) text += fmt::format("           {}\n", item.purpose.substr(colon + 2));
  }
  return fmt::format("memory   {} of {}: {}\n{}", bytes(total()), bytes(budget), reason, text);
}

ExecutionPlan plan_solves(const Shape& shape, const ComputeOptions& given) {
  const ComputeOptions compute = with_budget(given);
  const CostModel cost(shape, compute);
  ExecutionPlan dense = factorised(cost, compute.memory);
  const bool dense_fits = dense.total() <= compute.memory;
  if (compute.solver == Solver::cholesky) {
    if (!dense_fits) {
      throw InputError(fmt::format("a factorisation of {} rows needs {}, the memory budget is {}", shape.n,
                                   at_least(dense.total()), bytes(compute.memory)),
                       Remedy::raise_memory_or_use_fewer_rows);
    }
    dense.reason = fmt::format("the covariance matrix is stored and factorised{}", place(cost));
    return dense;
  }

  ExecutionPlan plan = largest_iterated(shape, cost, compute);
  const bool fits = plan.total() <= compute.memory;
  const std::string estimate =
      fmt::format("factorising would take about {:.1g} s, conjugate gradients {:.1g} s (some {:.0f} iterations)",
                  dense.seconds, plan.seconds, cost.iterations(plan.iterative.preconditioning(), Accuracy::final));
  if (compute.solver == Solver::automatic && dense_fits && (dense.seconds <= plan.seconds || !fits)) {
    dense.reason = fmt::format("stored and factorised{}; {}", place(cost), estimate);
    return dense;
  }
  if (!fits) {
    throw InputError(
        fmt::format("{}{} rows need at least {}, the memory budget is {}", dense_fits ? "conjugate gradients on " : "",
                    shape.n, at_least(plan.total()), bytes(compute.memory)),
        Remedy::raise_memory);
  }
  plan.reason = cost.ranks() > 1 ? fmt::format("each of {} ranks; ", cost.ranks()) : "";
  plan.reason += cost.has_device() && !plan.preconditioner_on_host
                     ? fmt::format("recomputed, never stored, with at most {} of the device for a preconditioner; ",
                                   bytes(whole(cost.preconditioner_bytes(plan.iterative.preconditioning()))))
                     : "recomputed in tiles of 64 KiB, never stored; ";
  plan.reason += estimate;
  return plan;
}

bool factor_fits(Index n, Index d, const ComputeOptions& given) {
  const ComputeOptions compute = with_budget(given);
  return factorised(CostModel({.n = n, .d = d}, compute), compute.memory).total() <= compute.memory;
}

ExecutionPlan plan_fold_training(const Problem& problem, Index folds_alive, const TrainOptions& options) {
  Shape shape{.d = problem.x.cols(),
              .parameters = static_cast<Index>(theta_names(problem.kernel, problem.noise).size())};
  for (const Fold& fold : problem.folds.folds) shape.n = std::max(shape.n, static_cast<Index>(fold.training.size()));
  ComputeOptions compute = options.compute;
  compute.solver = Solver::cg;
  ExecutionPlan plan = plan_solves(shape, compute);
  plan.items = {{"training, matrix-free",
                 whole(CostModel(shape, compute).fold_training_bytes(plan.iterative.rank, folds_alive)),
                 Phase::training}};
  return plan;
}

VariancePlan plan_variance(const VarianceMethod& asked, Index n, Index d, Index points, const ComputeOptions& compute) {
  using Kind = VarianceMethod::Kind;
  const bool fits = factor_fits(n, d, compute);
  // A factor costs n³/3 once and n² per point; conjugate gradients some hundred times n² per point. A device factorises
  // in a few seconds at most.
  const bool worth_a_factor = n <= 300 * points || (fits && CostModel({.n = n, .d = d}, compute).stored_on_device());
  const bool iterate =
      compute.solver == Solver::cg || !fits || (compute.solver == Solver::automatic && !worth_a_factor);
  const Solver solver = iterate ? Solver::cg : Solver::cholesky;
  if (asked.kind != Kind::automatic) return {asked, solver};
  const VarianceMethod near{.kind = Kind::neighbours};
  // Exact is worth up to three times the work of neighbours that cells of k/32 rows share:
  // n³/3 + n²m/2 of m points, against c k³/3 + k²m/2 of c cells.
  const auto rows = static_cast<double>(n), m = static_cast<double>(points);
  const auto k = static_cast<double>(std::min(n, near.neighbours));
  const double cells = std::min(m, 32 * rows / k);
  const bool affordable =
      n <= exact_variance_rows || rows * rows * (rows / 3 + m / 2) <= 3 * k * k * (cells * k / 3 + m / 2);
  return {fits && affordable ? VarianceMethod{.kind = Kind::exact} : near, solver};
}

}  // namespace gpcv
