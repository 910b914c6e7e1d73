#include "planning/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/bytes.hpp"
#include "core/memory.hpp"
#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"
#include "planning/rates.hpp"

namespace gpcv {
namespace {

constexpr double real = sizeof(double);

/// Of one core, rounded, from benchmarks/solve on a 2.6 GHz AVX-512 machine: only its ratio to other rates decides.
constexpr double factor_flops = 4e10;

std::size_t as_bytes(double count) { return static_cast<std::size_t>(count); }

/// Below a few thousand rows a small factor is enough; it grows with √n: 950 at 36 000 rows.
Index wanted_rank(Index n) {
  const auto root = static_cast<Index>(5 * std::sqrt(static_cast<double>(n)));
  return std::min(2 * n / 3, std::clamp<Index>(root, 500, 2000));
}

/// The usual √κ of conjugate gradients, where the preconditioner takes care of the `rank` largest directions.
double expected_iterations(Index n, Index rank, double noise_ratio) {
  const double left = static_cast<double>(n) / (1 + static_cast<double>(rank * rank) / 1000);
  return 10 + std::sqrt(left / std::max(noise_ratio, 1e-8));
}

/// In whole MiB, rounded up: a budget that can be typed back.
std::string at_least(std::size_t count) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  return fmt::format("{}M", (count + mebibyte - 1) / mebibyte);
}

std::vector<MemoryItem> common_items(const MemoryRequest& r) {
  const auto n = static_cast<double>(r.n), d = static_cast<double>(r.d);
  // As read, standardised, sorted, and as the backend keeps it; a time column as read.
  return {{"inputs and target", as_bytes(real * n * (4 * d + 5))}};
}

std::vector<MemoryItem> factor_items(const MemoryRequest& r) {
  std::vector<MemoryItem> items = common_items(r);
  const auto n = static_cast<double>(r.n);
  items.push_back({fmt::format("covariance matrix, stored"), as_bytes(real * n * n)});
  const auto block = static_cast<double>(r.largest_fold);
  items.push_back({fmt::format("block of one fold"), as_bytes(real * block * block)});
  return items;
}

/// Rows of the preconditioner are shared.
int ranks_of(const ComputeOptions& compute) { return compute.communicator ? compute.communicator->size() : 1; }

/// The factor, the blocks it grows by, and a small matrix per fold.
double preconditioner_bytes(const MemoryRequest& r, Index rank) {
  const auto n = static_cast<double>(r.n), k = static_cast<double>(rank);
  return rank == 0 ? 0 : real * (n * (k + 2 * 64) / ranks_of(r.compute) + static_cast<double>(r.folds + 1) * k * k);
}

std::vector<MemoryItem> iterative_items(const MemoryRequest& r, Index rank, Index columns, bool on_device) {
  std::vector<MemoryItem> items = common_items(r);
  const auto n = static_cast<double>(r.n), c = static_cast<double>(columns);
  // b, x, residual, z, p, Ap, the preconditioner's correction, and the backend's converted copy.
  items.push_back(
      {fmt::format("vectors, {} column{} at a time", columns, columns == 1 ? "" : "s"), as_bytes(real * n * c * 8.5)});
  if (rank > 0 && !on_device) {
    items.push_back({fmt::format("preconditioner of rank {}", rank), as_bytes(preconditioner_bytes(r, rank))});
  }
  return items;
}

std::size_t sum(const std::vector<MemoryItem>& items) {
  return std::accumulate(items.begin(), items.end(), std::size_t{0},
                         [](std::size_t total, const MemoryItem& item) { return total + item.bytes; });
}

}  // namespace

std::size_t parse_memory(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  std::string unit(rest, end);
  if (unit.ends_with("iB")) unit.resize(unit.size() - 2);
  if (unit.ends_with("B")) unit.resize(unit.size() - 1);
  const std::string units = "KMGT";
  const std::size_t power = unit.empty() ? 0 : units.find(unit) + 1;
  const double size = value * std::pow(1024.0, static_cast<double>(power));
  if (error != std::errc() || unit.size() > 1 || (!unit.empty() && power == 0) || !(size >= 1) || size > 1e18) {
    throw InputError(fmt::format("memory '{}': expected a size, as 2G, 512M or 1.5GiB", text));
  }
  return as_bytes(size);
}

std::size_t default_memory_budget() { return available_memory() / 10 * 8; }

std::size_t MemoryPlan::total() const {
  std::size_t before = items.empty() ? 0 : items.front().bytes, after = 0;
  for (const MemoryItem& item : items) (item.before ? before : after) += item.bytes;
  return std::max(before, after);
}

std::string MemoryPlan::to_string() const {
  std::string text;
  for (const MemoryItem& item : items) {
    const std::size_t colon = item.purpose.find(": ");  // what follows explains and goes on a line of its own
    text += fmt::format("         {:<34} {:>9}\n", item.purpose.substr(0, colon), bytes(item.bytes));
    if (colon != std::string::npos) text += fmt::format("           {}\n", item.purpose.substr(colon + 2));
  }
  return fmt::format("memory   {} of {}: {}\n{}", bytes(total()), bytes(budget), reason, text);
}

MemoryPlan plan_memory(const MemoryRequest& r) {
  MemoryPlan plan;
  plan.budget = r.compute.memory > 0 ? r.compute.memory : default_memory_budget();
  const auto n = static_cast<double>(r.n);
  const int threads = std::max(1, r.compute.threads);

  const std::vector<MemoryItem> dense = factor_items(r);
  const bool dense_fits = sum(dense) <= plan.budget;
  const double dense_seconds = n * n * n / 3 / (factor_flops * threads);
  auto use_factor = [&](const std::string& reason) {
    plan.solver = Solver::cholesky;
    plan.items = dense;
    plan.reason = reason;
    return plan;
  };
  if (r.needs_factor || r.compute.solver == Solver::cholesky) {
    if (!dense_fits) {
      throw InputError(fmt::format("a factorisation of {} rows needs {}, the memory budget is {}", r.n,
                                   at_least(sum(dense)), bytes(plan.budget)),
                       Remedy::raise_memory_or_use_fewer_rows);
    }
    return use_factor("the covariance matrix is stored and factorised");
  }

  const Rates rates = rates_of(r.compute, r.n);
  const bool on_device = rates.factor_bytes > 0;
  // The largest rank and batch that fit; the batch shrinks first, because a smaller one costs no iterations.
  Index rank = r.compute.rank >= 0 ? std::min<Index>(r.n, r.compute.rank) : wanted_rank(r.n),
        columns = std::max<Index>(1, r.columns);
  const auto smaller = [&] { rank = rank > 16 ? rank / 2 : 0; };
  while (on_device && preconditioner_bytes(r, rank) > static_cast<double>(rates.factor_bytes)) smaller();
  while (sum(iterative_items(r, rank, columns, on_device)) > plan.budget && (columns > 1 || (rank > 0 && !on_device))) {
    if (columns > 1) {
      columns = (columns + 1) / 2;
    } else {
      smaller();
    }
  }
  const std::vector<MemoryItem> iterative = iterative_items(r, rank, columns, on_device);
  const bool iterative_fits = sum(iterative) <= plan.budget;
  const double iterations = expected_iterations(r.n, rank, r.noise_ratio);
  const double setup = n * static_cast<double>(rank) * static_cast<double>(rank) * 3 / rates.preconditioner_flops;
  const double iterative_seconds = setup + iterations * (n * n / rates.pairs + rates.iteration_overhead);
  if (!iterative_fits && !dense_fits) {
    throw InputError(fmt::format("{} rows need at least {}, the memory budget is {}", r.n, at_least(sum(iterative)),
                                 bytes(plan.budget)));
  }
  const std::string estimate =
      fmt::format("factorising would take about {:.1g} s, conjugate gradients {:.1g} s (some {:.0f} iterations)",
                  dense_seconds, iterative_seconds, iterations);
  if (r.compute.solver == Solver::automatic && dense_fits && (dense_seconds <= iterative_seconds || !iterative_fits)) {
    return use_factor("stored and factorised; " + estimate);
  }
  if (!iterative_fits) {
    throw InputError(fmt::format("conjugate gradients on {} rows need at least {}, the memory budget is {}", r.n,
                                 at_least(sum(iterative)), bytes(plan.budget)));
  }
  plan.solver = Solver::cg;
  plan.rank = rank;
  plan.columns = columns;
  plan.items = iterative;
  plan.reason = ranks_of(r.compute) > 1 ? fmt::format("each of {} ranks; ", ranks_of(r.compute)) : "";
  plan.reason += on_device
                     ? fmt::format("recomputed, never stored, with at most {} of the device for a preconditioner; ",
                                   bytes(as_bytes(preconditioner_bytes(r, rank))))
                     : "recomputed in tiles of 64 KiB, never stored; ";
  plan.reason += estimate;
  return plan;
}

}  // namespace gpcv
