#include "fuzz/hdf5_edits.hpp"

#include <hdf5.h>
#include <zlib.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

namespace gpcv::fuzz {
namespace {

constexpr std::size_t block_size = 512;
constexpr int most_edits = 32;
constexpr hssize_t most_filled = 4096;

/// Closes what HDF5 opened; one that could not be opened is negative.
struct Opened {
  hid_t id;
  herr_t (*close)(hid_t);
  Opened(hid_t opened, herr_t (*closes)(hid_t)) : id(opened), close(closes) {}
  ~Opened() {
    if (id >= 0) close(id);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
};

hid_t type_named(const std::string& name) {
  if (name == "f64") return H5Tcopy(H5T_IEEE_F64LE);
  if (name == "f32") return H5Tcopy(H5T_IEEE_F32BE);
  if (name == "i64") return H5Tcopy(H5T_STD_I64LE);
  if (name == "u64") return H5Tcopy(H5T_STD_U64LE);
  if (name == "u8") return H5Tcopy(H5T_STD_U8LE);
  if (name == "text" || name == "fixed") {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, name == "text" ? H5T_VARIABLE : 8);
    return type;
  }
  if (name != "pair") return -1;
  const hid_t type = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(type, "first", 0, H5T_IEEE_F64LE);
  H5Tinsert(type, "second", 8, H5T_STD_I64LE);
  return type;
}

std::vector<hsize_t> lengths_in(std::istringstream& words) {
  std::vector<hsize_t> lengths;
  for (hsize_t length = 0; lengths.size() < 4 && words >> length;) lengths.push_back(length);
  return lengths;
}

void remove_object(hid_t file, const std::string& path) {
  if (path != "/" && H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) H5Ldelete(file, path.c_str(), H5P_DEFAULT);
}

void make_dataset(hid_t file, const std::string& path, const std::string& type_name,
                  const std::vector<hsize_t>& lengths, bool chunked, const void* data = nullptr) {
  const Opened type(type_named(type_name), H5Tclose);
  if (type.id < 0) return;
  const Opened space(lengths.empty() ? H5Screate(H5S_SCALAR)
                                     : H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr),
                     H5Sclose);
  const Opened properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (chunked && !lengths.empty()) {
    H5Pset_chunk(properties.id, static_cast<int>(lengths.size()), std::vector<hsize_t>(lengths.size(), 2).data());
    H5Pset_deflate(properties.id, 6);
  }
  remove_object(file, path);
  const Opened set(H5Dcreate2(file, path.c_str(), type.id, space.id, H5P_DEFAULT, properties.id, H5P_DEFAULT),
                   H5Dclose);
  if (set.id >= 0 && data != nullptr) H5Dwrite(set.id, type.id, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
}

void fill(hid_t file, const std::string& path, const std::string& number) {
  const Opened set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (set.id < 0) return;
  const Opened type(H5Dget_type(set.id), H5Tclose);
  const Opened space(H5Dget_space(set.id), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id);
  const H5T_class_t kind = H5Tget_class(type.id);
  if (count < 1 || count > most_filled || (kind != H5T_FLOAT && kind != H5T_INTEGER)) return;
  const std::vector<double> values(static_cast<std::size_t>(count), std::strtod(number.c_str(), nullptr));
  H5Dwrite(set.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void set_attribute(hid_t file, const std::string& object, const std::string& name, const std::string& type_name,
                   const Opened& space, const std::string* value) {
  const Opened owner(H5Oopen(file, object.c_str(), H5P_DEFAULT), H5Oclose);
  const Opened type(type_named(type_name), H5Tclose);
  if (owner.id < 0 || type.id < 0) return;
  if (H5Aexists(owner.id, name.c_str()) > 0) H5Adelete(owner.id, name.c_str());
  const Opened attribute(H5Acreate2(owner.id, name.c_str(), type.id, space.id, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (attribute.id < 0 || value == nullptr) return;
  if (type_name == "text") {
    const char* text = value->c_str();
    H5Awrite(attribute.id, type.id, &text);
  } else if (type_name == "i64" || type_name == "u64") {
    const std::uint64_t number = std::strtoull(value->c_str(), nullptr, 0);
    H5Awrite(attribute.id, type.id, &number);
  } else if (type_name == "f64" || type_name == "f32" || type_name == "u8") {
    const double number = std::strtod(value->c_str(), nullptr);
    H5Awrite(attribute.id, H5T_NATIVE_DOUBLE, &number);
  }
}

void carry_out(hid_t file, const std::string& line) {
  std::istringstream words(line);
  std::string what, path, name, type;
  words >> what >> path;
  if (path.empty()) return;
  if (what == "remove") {
    if (words >> name) {
      H5Adelete_by_name(file, path.c_str(), name.c_str(), H5P_DEFAULT);
    } else {
      remove_object(file, path);
    }
  } else if (what == "dataset" || what == "chunked") {
    words >> type;
    make_dataset(file, path, type, lengths_in(words), what == "chunked");
  } else if (what == "fill") {
    words >> name;
    fill(file, path, name);
  } else if (what == "texts") {
    std::vector<std::string> texts;
    while (words >> name) texts.push_back(name);
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    if (!texts.empty()) make_dataset(file, path, "text", {texts.size()}, false, pointers.data());
  } else if (what == "link") {
    words >> name;
    remove_object(file, path);
    if (!name.empty()) H5Lcreate_soft(name.c_str(), file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  } else if (what == "attribute") {
    std::string value;
    words >> name >> type;
    words.get();
    std::getline(words, value);
    set_attribute(file, path, name, type, Opened(H5Screate(H5S_SCALAR), H5Sclose), &value);
  } else if (what == "attributes") {
    words >> name >> type;
    const std::vector<hsize_t> lengths = lengths_in(words);
    // Attributes hold their values in the file: a large one would be large here.
    for (hsize_t length : lengths) {
      if (length > 64) return;
    }
    const Opened space(lengths.empty() ? H5Screate(H5S_NULL)
                                       : H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr),
                       H5Sclose);
    set_attribute(file, path, name, type, space, nullptr);
  }
}

std::uint32_t checksum(const std::string& bytes, std::size_t from, std::size_t size) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + from), size));
}

}  // namespace

std::string edited(const std::string& file, std::string_view edits) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Opened access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.id, 1 << 16, false);
  H5Pset_file_image(access.id, const_cast<char*>(file.data()), file.size());
  std::string bytes = file.substr(0, block_size);
  {
    const Opened opened(H5Fopen("edited", H5F_ACC_RDWR, access.id), H5Fclose);
    if (opened.id < 0) return file;
    std::istringstream lines{std::string(edits)};
    int count = 0;
    for (std::string line; count < most_edits && std::getline(lines, line); ++count) carry_out(opened.id, line);
    H5Fflush(opened.id, H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(opened.id, nullptr, 0);
    if (size <= 0) return file;
    bytes.resize(block_size + static_cast<std::size_t>(size));
    H5Fget_file_image(opened.id, bytes.data() + block_size, static_cast<std::size_t>(size));
  }
  return with_checksums(std::move(bytes));
}

std::string with_checksums(std::string file) {
  if (file.size() < block_size) return file;
  const auto put = [&](std::size_t at, auto value) { std::memcpy(file.data() + at, &value, sizeof value); };
  put(12, checksum(file, block_size, file.size() - block_size));
  put(16, static_cast<std::uint64_t>(file.size() - block_size));
  put(24, std::uint32_t{0});
  put(24, checksum(file, 0, block_size));
  return file;
}

}  // namespace gpcv::fuzz
