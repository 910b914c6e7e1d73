/// The UCI regression sets with their fixed test masks, when the machine has them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "gpcv/dataset.hpp"

namespace gpcv {

struct Split {
  Dataset train, test;
};

/// The folder in GPCV_DATA, or shared/data beside the source tree.
inline std::filesystem::path data_folder() {
  if (const char* folder = std::getenv("GPCV_DATA")) return folder;
  return std::filesystem::path(GPCV_SOURCE_DIR) / ".." / "shared" / "data";
}

/// One of the ten 90/10 splits; nothing when the set is not there.
inline std::optional<Split> uci_split(const std::string& name, int split) {
  const std::filesystem::path folder = data_folder() / "uci" / name;
  if (!std::filesystem::exists(folder / "data.csv.gz")) return std::nullopt;
  const Dataset all = read_dataset(folder / "data.csv.gz", {.target = "-1", .features = {}, .header = Header::no});
  const Dataset mask = read_dataset(folder / "test_mask.csv.gz",
                                    {.target = "", .features = {std::to_string(split)}, .header = Header::no});
  std::vector<Index> train, test;
  for (Index i = 0; i < all.rows(); ++i) (mask.x(i, 0) == 1 ? test : train).push_back(i);
  auto part = [&](const std::vector<Index>& rows) {
    return Dataset{all.x(rows, Eigen::all), all.y(rows), all.columns};
  };
  return Split{part(train), part(test)};
}

}  // namespace gpcv
