/// Content of a model in a folder of an HDF5 file; docs/reference/model-file.md describes it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gpcv/model.hpp"
#include "model/hdf5.hpp"

namespace gpcv {

/// Version of the format that this program writes.
constexpr std::uint32_t model_version = 5;

/// Writes a model into the folder of the writer. Throws InputError for a model that is not consistent.
void write_content(hdf5::Writer& file, const Model& model);

/// Reads a model from the folder of the reader. Throws InputError where that holds none.
Model read_content(hdf5::Reader& file, std::uint32_t version);

/// Throws InputError for a group of the folder that its writer has marked as required, and that is neither a part of a
/// model nor one of the others. A group without this mark may be ignored.
void require_known_groups(const hdf5::Reader& file, std::span<const std::string_view> also = {});

}  // namespace gpcv
