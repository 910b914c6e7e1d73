/// What was compared in a training, as tables of a model file: kernels, transforms and inputs, and rows of little
/// weight.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gpcv/provenance.hpp"

namespace gpcv {

/// Texts and numbers of each, one row per kernel, transform and input, the best first.
struct RankingTables {
  std::vector<std::pair<std::string, std::string>> kernel_texts;  ///< name and text of each kernel of the choice
  std::vector<std::string> transform_texts, important_names, distrusted_ids;
  Matrix kernel_numbers, transform_numbers, important_numbers, distrusted_numbers;
};

/// The tables of a provenance.
RankingTables ranking_tables(const Provenance& provenance);
/// Gives a provenance what the tables hold; throws InputError where that makes no sense.
void take_rankings(const RankingTables& tables, Provenance& provenance);

}  // namespace gpcv
