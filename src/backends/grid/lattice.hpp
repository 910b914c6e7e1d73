/// Regular grids: the spacing that the points of one input share.
#pragma once

#include <optional>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv {

/// Two sets of points on grids of the same spacing δ: x1_i = origin1 + δ · place1_i and x2_j = origin2 + δ · place2_j.
struct Lattice {
  double spacing = 1;
  double offset = 0;                    ///< origin1 − origin2
  std::vector<Index> places1, places2;  ///< places from 0 on; points may share a place, and places may be empty
  Index length1 = 0, length2 = 0;       ///< the last place of each set plus one
};

/// The coarsest lattice on which all points lie, up to the rounding of their coordinates. The result is empty if there
/// is none, or if it has so many empty places that a product over all places costs more than it saves.
std::optional<Lattice> find_lattice(ConstVectorView x1, ConstVectorView x2);

}  // namespace gpcv
