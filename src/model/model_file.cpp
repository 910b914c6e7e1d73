/// Models as one HDF5 file behind a checksummed user block: one in the root, or several in the group of their targets.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <utility>

#include "gpcv/error.hpp"
#include "gpcv/targets.hpp"
#include "model/checksummed_file.hpp"
#include "model/consistency.hpp"
#include "model/model_content.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;
using hdf5::Need;

constexpr ChecksummedKind model_kind{"GPCVMODL", "gpcv model", model_version, "copy or train it again"};

/// Group of the models of several targets, each in a group with its number.
constexpr std::array<std::string_view, 1> targets_group{"targets"};
constexpr const char* targets_path = "/targets";
/// Layout of this group: each target has a model of its own.
constexpr std::string_view separate = "separate";

std::string folder_of(Index target) { return fmt::format("{}/{}", targets_path, target); }

/// One line about what is wrong with a file: a kernel that does not parse is shown with a caret below it.
InputError unusable(const fs::path& path, const Error& error) {
  const std::string_view what = error.what();
  return InputError(fmt::format("'{}' is not a usable gpcv model: {}", path.string(), what.substr(0, what.find('\n'))),
                    error.remedy(), error.facts());
}

/// Throws InputError unless the models have the same input columns, which a table for predictions has once.
void require_same_inputs(const std::vector<Model>& models) {
  const Columns& first = models.front().columns;
  for (const Model& model : models) {
    const Columns& c = model.columns;
    const bool same = c.features == first.features && c.feature_indices == first.feature_indices &&
                      c.levels == first.levels && c.dates == first.dates && c.noise_index == first.noise_index &&
                      c.noise == first.noise && c.noise_is_weight == first.noise_is_weight && c.id == first.id &&
                      c.table_columns == first.table_columns && c.has_header == first.has_header;
    require(same, fmt::format("the targets '{}' and '{}' have different input columns", first.target, c.target));
  }
}

/// Writes the payload that `write` puts into a file.
template <class Write>
void save_content(const fs::path& path, Write&& write) {
  std::string payload;
  try {
    hdf5::Writer file(checksum_block_size);
    write(file);
    payload = file.image();
  } catch (const Error& error) {
    throw InputError(fmt::format("cannot save the model as '{}': {}", path.string(), error.what()), error.remedy(),
                     error.facts());
  }
  write_checksummed(path, model_kind, std::move(payload));
}

/// The number of targets; 0 for a file with one model.
Index number_of_targets(hdf5::Reader& file) {
  if (!file.group(targets_path, Need::optional) || !file.is_required(targets_path)) return 0;
  require_known_groups(file, targets_group);
  Index count = 0;
  std::string kind;
  file.attribute(targets_path, "kind", kind);
  require(kind == separate, fmt::format("predictions need targets of the kind '{}', which this version of gpcv does "
                                        "not know: upgrade",
                                        kind));
  file.attribute(targets_path, "count", count);
  require(count > 1, "it has no models of its targets");
  return count;
}

/// Enters the folder of a target.
void open_target(hdf5::Reader& file, Index target) {
  const std::string folder = folder_of(target);
  file.enter("");
  require(file.group(folder, Need::optional), fmt::format("'{}' is missing", folder));
  file.enter(folder);
}

std::vector<Model> read_targets_of(hdf5::Reader& file, Index count, std::uint32_t version) {
  std::vector<Model> models;
  std::size_t values = 0;
  for (Index t = 0; t < count; ++t) {
    open_target(file, t);
    models.push_back(read_content(file, version));
    // Only the inputs are stored once for all targets: targets, weights and scales of all have room in the file.
    values += static_cast<std::size_t>(models.back().x.rows() + models.back().x.cols());
    require(2 * sizeof(double) * values <= file.size(), "its targets are larger than the file");
  }
  require_same_inputs(models);
  return models;
}

/// Names of the targets in quotes.
std::string names_of_targets(hdf5::Reader& file, Index count) {
  std::vector<std::string> names;
  for (Index t = 0; t < count; ++t) {
    open_target(file, t);
    file.attribute("/columns", "target", names.emplace_back());
    names.back() = fmt::format("'{}'", names.back());
  }
  constexpr std::size_t most = 10;
  const std::size_t shown = std::min(names.size(), most);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < names.size() ? fmt::format(", … ({} in all)", names.size()) : "");
}

}  // namespace

void save(const Model& model, const fs::path& path) {
  save_content(path, [&](hdf5::Writer& file) { write_content(file, model); });
}

void save(const std::vector<Model>& models, const fs::path& path) {
  if (models.size() == 1) return save(models.front(), path);
  save_content(path, [&](hdf5::Writer& file) {
    require(!models.empty(), "there is none");
    require_same_inputs(models);
    file.group(targets_path, Need::required);
    file.attribute(targets_path, "kind", std::string(separate));
    file.attribute(targets_path, "count", static_cast<Index>(models.size()));
    Index target = 0;
    for (const Model& model : models) {
      file.enter("");
      file.group(folder_of(target));
      file.enter(folder_of(target++));
      write_content(file, model);
    }
  });
}

Model load_model(const fs::path& path) {
  const ChecksummedBytes content = read_checksummed(path, model_kind);
  std::string targets;
  try {
    hdf5::Reader file(content.bytes);
    const Index count = number_of_targets(file);
    if (count == 0) return read_content(file, content.version);
    targets = names_of_targets(file, count);
  } catch (const Error& error) {
    throw unusable(path, error);
  }
  throw InputError(fmt::format("'{}' has the targets {}, and one of them is needed", path.string(), targets));
}

std::vector<Model> load_models(const fs::path& path) {
  const ChecksummedBytes content = read_checksummed(path, model_kind);
  try {
    hdf5::Reader file(content.bytes);
    const Index count = number_of_targets(file);
    if (count > 0) return read_targets_of(file, count, content.version);
    std::vector<Model> models;
    models.push_back(read_content(file, content.version));
    return models;
  } catch (const Error& error) {
    throw unusable(path, error);
  }
}

}  // namespace gpcv
