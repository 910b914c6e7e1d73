#include "model/hdf5.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstring>

#include "core/utf8.hpp"
#include "gpcv/error.hpp"

namespace gpcv::hdf5 {
namespace {

static_assert(std::is_same_v<Id, hid_t> && std::is_same_v<int, herr_t>);
static_assert(std::is_same_v<Index, std::int64_t>);

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Bytes by which HDF5 enlarges an in-memory file.
constexpr std::size_t step = 1 << 20;

constexpr const char* required_mark = "required";

std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

void require(bool succeeded, std::string_view failure) {
  if (!succeeded) throw InputError(std::string(failure));
}

std::string attribute_name(const std::string& object, const std::string& name) {
  return fmt::format("attribute '{}' of '{}'", name, object);
}

/// HDF5 type of UTF-8 strings of any length.
Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "HDF5 has no string type");
  require(H5Tset_size(type.id(), H5T_VARIABLE) >= 0 && H5Tset_cset(type.id(), H5T_CSET_UTF8) >= 0,
          "HDF5 has no UTF-8 string type");
  return type;
}

/// The text as UTF-8, in which HDF5 declares it. A byte that is none becomes U+FFFD.
std::string storable(const std::string& text, std::string_view owner) {
  if (text.find('\0') != std::string::npos) {
    throw InputError(fmt::format("{} contains a NUL character, which HDF5 text cannot hold", owner));
  }
  return valid_utf8(text);
}

Handle create(std::size_t user_block) {
  Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "HDF5 cannot create a property list");
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 cannot create a property list");
  require(H5Pset_userblock(creation.id(), user_block) >= 0, "HDF5 refuses the size of the user block");
  // Without time stamps, equal contents give equal bytes.
  require(H5Pset_obj_track_times(creation.id(), false) >= 0, "HDF5 cannot leave out time stamps");
  require(H5Pset_fapl_core(access.id(), step, false) >= 0, "HDF5 lacks its in-memory driver");
  return {H5Fcreate("memory", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, "HDF5 cannot create a file"};
}

Handle open_image(std::string_view file) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 cannot create a property list");
  require(H5Pset_fapl_core(access.id(), step, false) >= 0, "HDF5 lacks its in-memory driver");
  // HDF5 declares the image as writable but copies it.
  require(H5Pset_file_image(access.id(), const_cast<char*>(file.data()), file.size()) >= 0,
          "HDF5 cannot hold the file in memory");
  return {H5Fopen("memory", H5F_ACC_RDONLY, access.id()), H5Fclose, "HDF5 finds no file of its own in it"};
}

Handle simple_space(const std::vector<std::size_t>& shape) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
          "HDF5 refuses the shape of a dataset"};
}

Handle without_time_stamps(hid_t kind) {
  Handle list(H5Pcreate(kind), H5Pclose, "HDF5 cannot create a property list");
  require(H5Pset_obj_track_times(list.id(), false) >= 0, "HDF5 cannot leave out time stamps");
  return list;
}

std::size_t unsigned_size(Index size) { return static_cast<std::size_t>(size); }

}  // namespace

Handle::Handle(Id id, int (*close)(Id), std::string_view failure) : id_(id), close_(close) {
  require(id >= 0, failure);
}
Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}
Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Session::Session() : lock_(library()) {
  H5Eget_auto2(H5E_DEFAULT, &report_, &report_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Session::~Session() { H5Eset_auto2(H5E_DEFAULT, report_, report_data_); }

Writer::Writer(std::size_t user_block) : user_block_(user_block), file_(create(user_block)) {}

void Writer::group(const std::string& path) {
  const Handle properties = without_time_stamps(H5P_GROUP_CREATE);
  Handle(H5Gcreate2(file_.id(), inside(path).c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose,
         fmt::format("HDF5 cannot create group '{}'", inside(path)));
}

bool Writer::group(const std::string& path, Need need) {
  group(path);
  attribute(path, required_mark, need == Need::required);
  return true;
}

void Writer::write(const std::string& path, const Shape& shape, Id file_type, Id memory_type, const void* data) {
  const std::string place = inside(path), failure = fmt::format("HDF5 cannot write '{}'", place);
  const Handle space = simple_space(shape);
  const Handle properties = without_time_stamps(H5P_DATASET_CREATE);
  const Handle dataset(
      H5Dcreate2(file_.id(), place.c_str(), file_type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose,
      failure);
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return;
  require(H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, failure);
}

void Writer::dataset(const std::string& path, const Matrix& values) {
  const RowMajor rows = values;
  write(path, {unsigned_size(rows.rows()), unsigned_size(rows.cols())}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, rows.data());
}
void Writer::dataset(const std::string& path, const Vector& values) {
  write(path, {unsigned_size(values.size())}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
}
void Writer::dataset(const std::string& path, const std::vector<Index>& values) {
  write(path, {values.size()}, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data());
}
void Writer::dataset(const std::string& path, const std::vector<std::string>& values) {
  std::vector<const std::string*> all;
  all.reserve(values.size());
  for (const std::string& value : values) all.push_back(&value);
  write_strings(path, {values.size()}, all);
}
void Writer::dataset(const std::string& path, const StringPairs& values) {
  std::vector<const std::string*> all;
  for (const auto& [first, second] : values) {
    all.push_back(&first);
    all.push_back(&second);
  }
  write_strings(path, {values.size(), 2}, all);
}

void Writer::common_dataset(const std::string& path, const Matrix& values) {
  const auto same_bits = [&](const Matrix& other) {
    const std::size_t size = static_cast<std::size_t>(values.size()) * sizeof(double);
    return other.rows() == values.rows() && other.cols() == values.cols() &&
           (size == 0 || std::memcmp(other.data(), values.data(), size) == 0);
  };
  for (const auto& [place, known] : common_) {
    if (!place.ends_with(path) || !same_bits(*known)) continue;
    require(H5Lcreate_hard(file_.id(), place.c_str(), file_.id(), inside(path).c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0,
            fmt::format("HDF5 cannot write '{}'", inside(path)));
    return;
  }
  dataset(path, values);
  common_.emplace_back(inside(path), &values);
}

void Writer::write_strings(const std::string& path, const Shape& shape, const std::vector<const std::string*>& values) {
  std::vector<std::string> texts;
  for (const std::string* value : values) texts.push_back(storable(*value, path));
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const Handle type = string_type();
  write(path, shape, type.id(), type.id(), pointers.data());
}

void Writer::write_attribute(const std::string& object, const std::string& name, Id file_type, Id memory_type,
                             const void* data) {
  const std::string place = inside(object), failure = "HDF5 cannot write " + attribute_name(place, name);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, failure);
  const Handle owner(H5Oopen(file_.id(), place.c_str(), H5P_DEFAULT), H5Oclose, failure);
  const Handle attribute(H5Acreate2(owner.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, failure);
  require(H5Awrite(attribute.id(), memory_type, data) >= 0, failure);
}

void Writer::attribute(const std::string& object, const std::string& name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}
void Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
  const std::string stored = storable(value, attribute_name(object, name));
  const char* text = stored.c_str();
  const Handle type = string_type();
  write_attribute(object, name, type.id(), type.id(), &text);
}
void Writer::integer(const std::string& object, const std::string& name, std::int64_t value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}
void Writer::integer(const std::string& object, const std::string& name, std::uint64_t value) {
  write_attribute(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
}

std::string Writer::image() const {
  const std::string_view failure = "HDF5 cannot give the bytes of its file";
  require(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) >= 0, failure);
  const ssize_t size = H5Fget_file_image(file_.id(), nullptr, 0);
  require(size > 0, failure);
  const auto length = static_cast<std::size_t>(size);
  std::string bytes(user_block_ + length, '\0');
  require(H5Fget_file_image(file_.id(), bytes.data() + user_block_, length) == size, failure);
  return bytes;
}

/// Open dataset whose shape is known and not larger than its file.
struct Reader::Dataset {
  std::string path;
  Handle handle;
  Handle type;
  std::vector<std::size_t> shape;
  std::size_t count;
};

Reader::Reader(std::string_view file) : size_(file.size()), file_(open_image(file)) {}

bool Reader::group(const std::string& path, Need need) const { return need == Need::required || has(path); }

bool Reader::has(const std::string& path) const { return H5Lexists(file_.id(), inside(path).c_str(), H5P_DEFAULT) > 0; }

std::vector<std::string> Reader::members() const {
  const std::string_view failure = "HDF5 cannot list what the file holds";
  const std::string folder = inside("/");
  H5G_info_t found;
  require(H5Gget_info_by_name(file_.id(), folder.c_str(), &found, H5P_DEFAULT) >= 0, failure);
  std::vector<std::string> names;
  for (hsize_t i = 0; i < found.nlinks; ++i) {
    const auto name = [&](char* text, std::size_t size) {
      return H5Lget_name_by_idx(file_.id(), folder.c_str(), H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT);
    };
    const ssize_t length = name(nullptr, 0);
    require(length >= 0, failure);
    names.emplace_back(static_cast<std::size_t>(length), '\0');
    require(name(names.back().data(), names.back().size() + 1) >= 0, failure);
  }
  return names;
}

bool Reader::is_required(const std::string& object) const {
  if (!holds(object, required_mark)) return false;
  std::int64_t mark = 0;
  integer(object, required_mark, mark);
  return mark != 0;
}

Reader::Dataset Reader::open(const std::string& given, std::size_t rank, int expected_class) const {
  const std::string path = inside(given);
  Handle handle(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose, fmt::format("'{}' is missing", path));
  Handle type(H5Dget_type(handle.id()), H5Tclose, fmt::format("'{}' has no type", path));
  require(H5Tget_class(type.id()) == expected_class, fmt::format("'{}' has an unexpected type", path));
  const Handle space(H5Dget_space(handle.id()), H5Sclose, fmt::format("'{}' has no shape", path));
  require(H5Sget_simple_extent_ndims(space.id()) == static_cast<int>(rank),
          fmt::format("'{}' does not have {} dimension{}", path, rank, rank == 1 ? "" : "s"));
  std::vector<hsize_t> extent(rank);
  H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);

  const std::size_t most = size_ / std::max<std::size_t>(H5Tget_size(type.id()), 1);
  std::size_t count = 1;
  for (hsize_t length : extent) {
    require(length <= most && (length == 0 || count <= most / length),
            fmt::format("'{}' is larger than its file", path));
    count *= length;
  }
  return {path, std::move(handle), std::move(type), {extent.begin(), extent.end()}, count};
}

void Reader::read(const Dataset& dataset, Id memory_type, void* data) const {
  if (dataset.count == 0) return;
  require(H5Dread(dataset.handle.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0,
          fmt::format("HDF5 cannot read '{}'", dataset.path));
}

void Reader::dataset(const std::string& path, Matrix& values) {
  const Dataset dataset = open(path, 2, H5T_FLOAT);
  RowMajor rows(dataset.shape[0], dataset.shape[1]);
  read(dataset, H5T_NATIVE_DOUBLE, rows.data());
  values = rows;
}
void Reader::dataset(const std::string& path, Vector& values) {
  const Dataset dataset = open(path, 1, H5T_FLOAT);
  values.resize(static_cast<Index>(dataset.count));
  read(dataset, H5T_NATIVE_DOUBLE, values.data());
}
void Reader::dataset(const std::string& path, std::vector<Index>& values) {
  const Dataset dataset = open(path, 1, H5T_INTEGER);
  values.resize(dataset.count);
  read(dataset, H5T_NATIVE_INT64, values.data());
}
void Reader::dataset(const std::string& path, std::vector<std::string>& values) {
  values = read_strings(open(path, 1, H5T_STRING));
}
void Reader::dataset(const std::string& path, StringPairs& values) {
  const Dataset dataset = open(path, 2, H5T_STRING);
  require(dataset.shape[1] == 2, fmt::format("'{}' does not have 2 columns", path));
  const std::vector<std::string> all = read_strings(dataset);
  values.clear();
  for (std::size_t i = 0; i < all.size(); i += 2) values.emplace_back(all[i], all[i + 1]);
}

std::vector<std::string> Reader::read_strings(const Dataset& dataset) const {
  require(H5Tis_variable_str(dataset.type.id()) > 0,
          fmt::format("'{}' does not hold text of variable length", dataset.path));
  std::vector<char*> pointers(dataset.count, nullptr);
  read(dataset, dataset.type.id(), pointers.data());
  std::vector<std::string> values;
  for (char* pointer : pointers) {
    values.emplace_back(pointer != nullptr ? pointer : "");
    H5free_memory(pointer);
  }
  return values;
}

void Reader::read_attribute(const std::string& object, const std::string& name, int expected_class, Id memory_type,
                            void* data) const {
  const std::string place = inside(object), what = attribute_name(place, name);
  const Handle attribute(H5Aopen_by_name(file_.id(), place.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         what + " is missing");
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, what + " has no type");
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, what + " has no shape");
  require(H5Sget_simple_extent_npoints(space.id()) == 1, what + " is not a single value");
  const bool fits =
      H5Tget_class(type.id()) == expected_class && (expected_class != H5T_STRING || H5Tis_variable_str(type.id()) > 0);
  require(fits, what + " has an unexpected type");
  require(H5Aread(attribute.id(), expected_class == H5T_STRING ? type.id() : memory_type, data) >= 0,
          "HDF5 cannot read " + what);
}

bool Reader::holds(const std::string& object, const std::string& name) const {
  return H5Aexists_by_name(file_.id(), inside(object).c_str(), name.c_str(), H5P_DEFAULT) > 0;
}
void Reader::attribute(const std::string& object, const std::string& name, double& value) {
  read_attribute(object, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, &value);
}
void Reader::attribute(const std::string& object, const std::string& name, std::string& value) {
  char* text = nullptr;
  read_attribute(object, name, H5T_STRING, H5I_INVALID_HID, &text);
  value = text != nullptr ? text : "";
  H5free_memory(text);
}
void Reader::integer(const std::string& object, const std::string& name, std::int64_t& value) const {
  read_attribute(object, name, H5T_INTEGER, H5T_NATIVE_INT64, &value);
}
void Reader::integer(const std::string& object, const std::string& name, std::uint64_t& value) const {
  read_attribute(object, name, H5T_INTEGER, H5T_NATIVE_UINT64, &value);
}
void Reader::out_of_range(const std::string& object, const std::string& name) {
  throw InputError(attribute_name(object, name) + " is out of range");
}

}  // namespace gpcv::hdf5
