#include "operators/space.hpp"

namespace gpcv {

std::vector<std::pair<Index, Index>> equal_runs(const std::vector<std::vector<char>>& training, Index rows,
                                                Index most) {
  const auto same = [&](Index a, Index b) {
    for (const std::vector<char>& trains : training) {
      if (trains[static_cast<std::size_t>(a)] != trains[static_cast<std::size_t>(b)]) return false;
    }
    return true;
  };
  std::vector<std::pair<Index, Index>> runs;
  for (Index first = 0; first < rows;) {
    Index last = first + 1;
    while (last < rows && last - first < most && same(first, last)) ++last;
    runs.emplace_back(first, last);
    first = last;
  }
  return runs;
}

}  // namespace gpcv
