#include "backends/simd/program/schedule.hpp"

#include <algorithm>

namespace gpcv::simd {
namespace {

constexpr std::size_t granule = 64;
/// The largest side of a block. Blocks of this size fit the cache with 48 columns in single precision. They are also
/// used for fewer columns, 1 % slower than blocks of 1024, so that the bits of a column do not depend on the number of
/// columns.
constexpr std::size_t largest_block = 640;
/// The bytes of right-hand sides and sums of the rows and columns of a block: half of a 1 MiB second-level cache.
constexpr std::size_t cache_bytes = 512 * 1024;

/// The number of blocks into which n points are divided: blocks of about 256 points, but at least `least` and at most
/// eight blocks per thread.
std::size_t wanted_parts(std::size_t n, std::size_t least, int threads) {
  if (threads <= 1) return 1;
  const auto count = static_cast<std::size_t>(threads);
  return std::clamp(n / 256, least * count, 8 * count);
}

std::size_t block_size(std::size_t n, std::size_t bytes_per_row, std::size_t parts) {
  std::size_t size = cache_bytes / (2 * std::max<std::size_t>(bytes_per_row, 1));
  size = std::min({size, largest_block, (n + parts - 1) / parts + granule - 1});
  return std::max(size / granule * granule, granule);
}

std::vector<std::size_t> starts(std::size_t n, std::size_t size) {
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at < n; at += size) out.push_back(at);
  return out;
}

}  // namespace

Schedule schedule_rectangle(std::size_t rows, std::size_t cols, std::size_t bytes_per_row, int threads) {
  Schedule schedule;
  const std::size_t height = block_size(rows, bytes_per_row, wanted_parts(rows, 1, threads));
  const std::size_t width = block_size(cols, bytes_per_row, 1);
  schedule.block_size = std::max(height, width);
  Round round;
  for (std::size_t row : starts(rows, height)) {
    Task task;
    for (std::size_t col : starts(cols, width)) {
      task.push_back({row, std::min(height, rows - row), col, std::min(width, cols - col), Block::Part::rectangle});
    }
    round.push_back(std::move(task));
  }
  schedule.rounds.push_back(std::move(round));
  return schedule;
}

Schedule schedule_symmetric(std::size_t n, std::size_t bytes_per_row, int threads) {
  Schedule schedule;
  // A round of b blocks has b/2 tasks.
  const std::size_t size = block_size(n, bytes_per_row, wanted_parts(n, 2, threads));
  schedule.block_size = size;
  const std::vector<std::size_t> start = starts(n, size);
  const auto length = [&](std::size_t b) { return std::min(size, n - start[b]); };

  Round diagonal;
  for (std::size_t b = 0; b < start.size(); ++b) {
    diagonal.push_back({{start[b], length(b), start[b], length(b), Block::Part::diagonal}});
  }
  schedule.rounds.push_back(std::move(diagonal));

  // The rounds are those of a round-robin tournament: with b even, block i meets block j in round (i + j) mod (b − 1),
  // and the last block meets the one that would meet itself. Each pair meets once, and no block occurs in two pairs of
  // a round.
  const std::size_t even = start.size() + start.size() % 2;
  for (std::size_t k = 0; k + 1 < even; ++k) {
    Round round;
    for (std::size_t i = 0; i + 1 < even; ++i) {
      std::size_t j = (k + even - 1 - i) % (even - 1);
      if (j == i) j = even - 1;
      if (j <= i || j >= start.size()) continue;
      round.push_back({{start[i], length(i), start[j], length(j), Block::Part::mirrored}});
    }
    schedule.rounds.push_back(std::move(round));
  }
  return schedule;
}

Schedule part_of(const Schedule& schedule, int rank, int size) {
  const auto pairs = [](const Block& block) {
    const double all = static_cast<double>(block.rows) * static_cast<double>(block.cols);
    return block.part == Block::Part::diagonal ? 0.5 * all : all;
  };
  double total = 0;
  for (const Round& round : schedule.rounds) {
    for (const Task& task : round) {
      for (const Block& block : task) total += pairs(block);
    }
  }
  Schedule own;
  own.block_size = schedule.block_size;
  double before = 0;
  for (const Round& round : schedule.rounds) {
    Round own_round;
    for (const Task& task : round) {
      Task own_task;
      for (const Block& block : task) {
        // A block belongs to the rank whose share contains its middle.
        const double middle = before + 0.5 * pairs(block);
        before += pairs(block);
        if (static_cast<int>(middle / total * size) == rank) own_task.push_back(block);
      }
      if (!own_task.empty()) own_round.push_back(std::move(own_task));
    }
    if (!own_round.empty()) own.rounds.push_back(std::move(own_round));
  }
  return own;
}

std::vector<Phase> in_phases(const Schedule& schedule, std::size_t rows) {
  // With four phases, the sums of the last quarter of the rows are communicated after all others, which are complete
  // when 1/16 of the work is left.
  constexpr std::size_t count = 4;
  std::vector<Phase> phases(count);
  for (std::size_t k = 0; k < count; ++k) {
    phases[k].begin = k == 0 ? 0 : phases[k - 1].end;
    phases[k].end = k + 1 == count ? rows : (rows * (k + 1) / count + granule - 1) / granule * granule;
    phases[k].end = std::min(phases[k].end, rows);
    phases[k].schedule.block_size = schedule.block_size;
  }
  const auto phase_of = [&](const Block& block) {
    // The first row to which a block adds determines its phase.
    const std::size_t first = block.part == Block::Part::rectangle ? block.row : std::min(block.row, block.col);
    std::size_t k = 0;
    while (first >= phases[k].end) ++k;
    return k;
  };
  for (const Round& round : schedule.rounds) {
    std::vector<Round> parts(count);
    for (const Task& task : round) {
      std::vector<Task> pieces(count);
      for (const Block& block : task) pieces[phase_of(block)].push_back(block);
      for (std::size_t k = 0; k < count; ++k) {
        if (!pieces[k].empty()) parts[k].push_back(std::move(pieces[k]));
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (!parts[k].empty()) phases[k].schedule.rounds.push_back(std::move(parts[k]));
    }
  }
  return phases;
}

Schedule without_rounds(const Schedule& schedule) {
  Round all;
  for (const Round& round : schedule.rounds) {
    for (const Task& task : round) {
      for (const Block& block : task) all.push_back({block});
    }
  }
  return {{std::move(all)}, schedule.block_size};
}

}  // namespace gpcv::simd
