/// A Model as one HDF5 file behind a sealed user block; docs/model-file.md is the reader's description.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/atomic_file.hpp"
#include "gpcv/error.hpp"
#include "gpcv/model.hpp"
#include "posterior/hdf5.hpp"

namespace gpcv {
namespace {

namespace fs = std::filesystem;

// The user block: everything ahead of the HDF5 data. Integers are little-endian.
constexpr std::string_view magic = "GPCVMODL";
constexpr std::uint32_t format_version = 1;
constexpr std::size_t block_size = 512;
constexpr std::size_t at_version = 8;          // u32
constexpr std::size_t at_payload_crc = 12;     // u32
constexpr std::size_t at_payload_length = 16;  // u64
constexpr std::size_t at_block_crc = 24;       // u32, of the block with this field zero
constexpr std::size_t at_text = 32;
constexpr std::string_view text_line = "\ngpcv model file; HDF5 data starts at byte 512\n";

template <class Number>
void put(std::string& bytes, std::size_t at, Number value) {
  for (std::size_t i = 0; i < sizeof value; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
}

template <class Number>
Number get(std::string_view bytes, std::size_t at) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value |= static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return value;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t block_checksum(std::string block) {
  put(block, at_block_crc, std::uint32_t{0});
  return checksum(block);
}

std::string seal(std::string_view payload) {
  std::string block(block_size, '\0');
  block.replace(0, magic.size(), magic);
  put(block, at_version, format_version);
  put(block, at_payload_crc, checksum(payload));
  put(block, at_payload_length, static_cast<std::uint64_t>(payload.size()));
  block.replace(at_text, text_line.size(), text_line);
  put(block, at_block_crc, block_checksum(block));
  return block;
}

[[noreturn]] void refuse(const fs::path& path, std::string_view reason) {
  throw InputError(fmt::format("'{}' {}", path.string(), reason));
}

/// All bytes of the file once its seal has been found whole. Only the user block is read before that is plausible.
std::string read_sealed(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw InputError(fmt::format("cannot open model '{}': {}", path.string(), error.message()));
  }
  if (fs::is_directory(status)) refuse(path, "is a directory, not a gpcv model");
  if (!fs::is_regular_file(status)) refuse(path, "is not a regular file, so not a gpcv model");

  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(fmt::format("cannot open model '{}': {}", path.string(), std::strerror(errno)));
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw InputError(fmt::format("cannot open model '{}': {}", path.string(), error.message()));
  if (size == 0) refuse(path, "is empty, so not a gpcv model");

  std::string bytes(static_cast<std::size_t>(std::min<std::uintmax_t>(size, block_size)), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::size_t known = std::min(bytes.size(), magic.size());
  if (!file || bytes.compare(0, known, magic, 0, known) != 0) refuse(path, "is not a gpcv model");
  const std::string truncated = "is truncated: the end of the file is missing; copy or train it again";
  if (bytes.size() >= at_version + 4 && get<std::uint32_t>(bytes, at_version) > format_version) {
    refuse(path, fmt::format("was written by a newer gpcv (format {}; this program reads up to {}): upgrade",
                             get<std::uint32_t>(bytes, at_version), format_version));
  }
  if (size < block_size) refuse(path, truncated);
  const std::string corrupted = "is corrupted: its checksum does not match; copy or train it again";
  if (get<std::uint32_t>(bytes, at_block_crc) != block_checksum(bytes)) refuse(path, corrupted);

  const auto payload = get<std::uint64_t>(bytes, at_payload_length);
  if (size - block_size < payload) refuse(path, truncated);
  if (size - block_size > payload) refuse(path, "is corrupted: bytes follow its end; copy or train it again");
  bytes.resize(static_cast<std::size_t>(size));
  file.read(bytes.data() + block_size, static_cast<std::streamsize>(payload));
  if (!file) refuse(path, truncated);
  if (checksum(std::string_view(bytes).substr(block_size)) != get<std::uint32_t>(bytes, at_payload_crc)) {
    refuse(path, corrupted);
  }
  return bytes;
}

/// The one list of what a file holds: written with a hdf5::Writer and a const Model, read with a hdf5::Reader.
template <class Archive, class AnyModel, class Text>
void transfer(Archive& file, AnyModel& model, Text& kernel, Text& status) {
  file.group("/training");
  file.dataset("/training/x", model.x);
  file.dataset("/training/y", model.y);
  file.dataset("/training/weights", model.weights);

  file.group("/scaling");
  file.dataset("/scaling/x_mean", model.scaling.x_mean);
  file.dataset("/scaling/x_scale", model.scaling.x_scale);
  file.attribute("/scaling", "y_mean", model.scaling.y_mean);
  file.attribute("/scaling", "y_scale", model.scaling.y_scale);

  file.group("/columns");
  file.dataset("/columns/features", model.columns.features);
  file.dataset("/columns/feature_indices", model.columns.feature_indices);
  file.attribute("/columns", "target", model.columns.target);
  file.attribute("/columns", "target_index", model.columns.target_index);
  file.attribute("/columns", "table_columns", model.columns.table_columns);
  file.attribute("/columns", "has_header", model.columns.has_header);

  file.attribute("/", "kernel", kernel);
  file.attribute("/", "noise", model.noise);
  file.attribute("/", "trainer", model.trainer);
  file.attribute("/", "status", status);
  file.attribute("/", "message", model.message);
  file.attribute("/", "objective", model.objective);
  file.attribute("/", "cv_rmse", model.cv_rmse);
  file.attribute("/", "folds", model.folds);
  file.attribute("/", "iterations", model.iterations);
  file.attribute("/", "seed", model.seed);
  file.attribute("/", "version", model.version);

  file.dataset("/settings", model.settings);
  file.group("/trace");
  file.dataset("/trace/columns", model.trace_names);
  file.dataset("/trace/values", model.trace);
}

void require(bool holds, std::string_view otherwise) {
  if (!holds) throw InputError(std::string(otherwise));
}

/// What predictions rely on. Asked of a model before it is written and after it was read.
void require_consistent(const Model& model) {
  const Index n = model.x.rows(), d = model.x.cols();
  const auto names = static_cast<std::size_t>(d);
  const auto is_place = [](Index i) { return i >= 0; };
  const Columns& columns = model.columns;
  const Standardization& scaling = model.scaling;

  require(n > 0 && d > 0, "there are no training inputs");
  require(model.y.size() == n, fmt::format("there are {} training targets for {} rows", model.y.size(), n));
  require(model.weights.size() == n, fmt::format("there are {} weights for {} rows", model.weights.size(), n));
  require(model.x.allFinite() && model.y.allFinite(), "the training data are not all finite");
  require(model.weights.allFinite(), "the weights are not all finite");

  require(scaling.x_mean.size() == d && scaling.x_scale.size() == d,
          fmt::format("the scaling does not fit {} input columns", d));
  require(scaling.x_mean.allFinite() && std::isfinite(scaling.y_mean), "the scaling's means are not all finite");
  require(scaling.x_scale.allFinite() && scaling.x_scale.minCoeff() > 0, "the scales are not all positive");
  require(std::isfinite(scaling.y_scale) && scaling.y_scale > 0, "the target's scale is not positive");
  require(std::isfinite(model.noise) && model.noise >= 0, "the noise variance is negative or not finite");

  require(columns.features.size() == names && columns.feature_indices.size() == names,
          fmt::format("there are {} column names and {} column positions for {} input columns", columns.features.size(),
                      columns.feature_indices.size(), d));
  require(std::all_of(columns.feature_indices.begin(), columns.feature_indices.end(), is_place) &&
              columns.target_index >= -1 && columns.table_columns >= 0,
          "a column position is negative");
  require(model.iterations >= 0, "the number of iterations is negative");
  require(model.trace.rows() == 0 || model.trace.cols() == static_cast<Index>(model.trace_names.size()),
          "the trace does not have one name per column");
}

Kernel bound_kernel(const std::string& text, Index d) { return Kernel::parse(text).bind(d); }

/// The kernel's text, once it is certain that reading it gives every value back.
std::string exact_text(const Kernel& kernel, Index d) {
  require(kernel.inputs() == d, fmt::format("the kernel is bound to {} input columns, not to {}", kernel.inputs(), d));
  std::string text = kernel.to_string();
  const Kernel read = bound_kernel(text, d);
  const auto same = [](const Parameter& a, const Parameter& b) { return a.value == b.value && a.fixed == b.fixed; };
  require(std::equal(kernel.parameters().begin(), kernel.parameters().end(), read.parameters().begin(),
                     read.parameters().end(), same),
          fmt::format("the kernel's text '{}' does not give its parameters back", text));
  return text;
}

Status status_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(Status::numerical_failure); ++i) {
    if (name_of(static_cast<Status>(i)) == name) return static_cast<Status>(i);
  }
  throw InputError(fmt::format("its status '{}' is unknown", name));
}

}  // namespace

void save(const Model& model, const fs::path& path) {
  std::string payload;
  try {
    require_consistent(model);
    const std::string kernel = exact_text(model.kernel, model.x.cols());
    const std::string status(name_of(model.status));
    hdf5::Writer file(block_size);
    transfer(file, model, kernel, status);
    payload = file.image();
  } catch (const Error& error) {
    throw InputError(fmt::format("cannot save the model as '{}': {}", path.string(), error.what()));
  }
  payload.insert(0, seal(payload));
  write_text_atomically(path, payload);
}

Model load_model(const fs::path& path) {
  const std::string bytes = read_sealed(path);
  try {
    Model model;
    std::string kernel, status;
    hdf5::Reader file(bytes);
    transfer(file, model, kernel, status);
    require_consistent(model);
    model.kernel = bound_kernel(kernel, model.x.cols());
    model.status = status_named(status);
    return model;
  } catch (const Error& error) {
    throw InputError(fmt::format("'{}' is not a usable gpcv model: {}", path.string(), error.what()));
  }
}

}  // namespace gpcv
