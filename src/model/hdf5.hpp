/// HDF5 files in memory. Groups, datasets and attributes have exactly the names given here.
///
/// Other code writes the bytes to disk, so that a full disk is an ordinary write error and not an error inside HDF5.
/// HDF5's own error messages are silenced; every failure is an InputError.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpcv/types.hpp"

namespace gpcv::hdf5 {

using Id = std::int64_t;  ///< hid_t, so that hdf5.h stays out of this header
using StringPairs = std::vector<std::pair<std::string, std::string>>;

/// Owner of one HDF5 identifier.
class Handle {
 public:
  /// Throws InputError with `failure` for an invalid identifier.
  Handle(Id id, int (*close)(Id), std::string_view failure);
  ~Handle();
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&&) = delete;

  Id id() const { return id_; }

 private:
  Id id_;
  int (*close_)(Id);
};

/// Exclusive use of HDF5, which keeps process-wide state and is not thread-safe as commonly packaged: only one Writer
/// or Reader exists at a time, and others wait. HDF5 prints no errors meanwhile.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  int (*report_)(Id, void*) = nullptr;
  void* report_data_ = nullptr;
};

/// Stored type of an integer: 64 bits with the same signedness; a bool is stored as 0 or 1.
template <std::integral T>
using Stored = std::conditional_t<std::is_unsigned_v<T> && !std::same_as<T, bool>, std::uint64_t, std::int64_t>;

/// Mark of a group: a reader that does not know a required group must refuse its file, and may ignore an optional one.
enum class Need { optional, required };

/// Group in which a Writer or a Reader finds the paths that it is given; "" for the root.
class Folder {
 public:
  /// Takes "/training/x" to mean "/targets/1/training/x" from now on, for the path "/targets/1".
  void enter(std::string path) { path_ = std::move(path); }

 protected:
  /// Path in the file.
  std::string inside(const std::string& path) const { return path_.empty() ? path : path_ + (path == "/" ? "" : path); }

 private:
  std::string path_;
};

class Writer : public Folder {
 public:
  /// Creates a file that leaves room for `user_block` bytes ahead of it: 0, 512, 1024, …
  explicit Writer(std::size_t user_block);

  void group(const std::string& path);
  /// Creates a group with its mark, the attribute `required`; returns true.
  bool group(const std::string& path, Need need);

  void dataset(const std::string& path, const Matrix& values);  ///< shape (rows, cols)
  void dataset(const std::string& path, const Vector& values);
  void dataset(const std::string& path, const std::vector<Index>& values);
  void dataset(const std::string& path, const std::vector<std::string>& values);
  void dataset(const std::string& path, const StringPairs& values);  ///< shape (size, 2)
  /// Stores values that other folders of the file have at the same path, too, once: equal ones become a hard link. The
  /// values must outlive the writer.
  void common_dataset(const std::string& path, const Matrix& values);

  void attribute(const std::string& object, const std::string& name, double value);
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  /// Returns true; it exists for symmetry with Reader.
  static bool holds(const std::string&, const std::string&) { return true; }
  template <std::integral T>
  void attribute(const std::string& object, const std::string& name, T value) {
    integer(object, name, static_cast<Stored<T>>(value));
  }

  /// Bytes of the file behind a user block of zeros.
  std::string image() const;

 private:
  using Shape = std::vector<std::size_t>;
  void write(const std::string& path, const Shape& shape, Id file_type, Id memory_type, const void* data);
  void write_strings(const std::string& path, const Shape& shape, const std::vector<const std::string*>& values);
  void write_attribute(const std::string& object, const std::string& name, Id file_type, Id memory_type,
                       const void* data);
  void integer(const std::string& object, const std::string& name, std::int64_t value);
  void integer(const std::string& object, const std::string& name, std::uint64_t value);

  Session session_;
  std::size_t user_block_;
  Handle file_;
  std::vector<std::pair<std::string, const Matrix*>> common_;  ///< what common_dataset() has stored, and where
};

/// Reader of what Writer stored. It reads nothing that is larger than the file itself.
class Reader : public Folder {
 public:
  /// Opens the bytes of a file, the user block included.
  explicit Reader(std::string_view file);

  /// The file's size in bytes, the user block included.
  std::size_t size() const { return size_; }

  /// Does nothing; it exists for symmetry with Writer, because groups need no reading.
  void group(const std::string&) {}
  /// Whether the group can be read: it is required, or it is optional and the file has it.
  bool group(const std::string& path, Need need) const;

  /// Whether the folder has an object with this path.
  bool has(const std::string& path) const;

  /// Names of the folder's objects.
  std::vector<std::string> members() const;
  /// Whether the object is marked as required; an object without a mark is not.
  bool is_required(const std::string& object) const;

  void dataset(const std::string& path, Matrix& values);
  void dataset(const std::string& path, Vector& values);
  void dataset(const std::string& path, std::vector<Index>& values);
  void dataset(const std::string& path, std::vector<std::string>& values);
  void dataset(const std::string& path, StringPairs& values);
  void common_dataset(const std::string& path, Matrix& values) { dataset(path, values); }

  void attribute(const std::string& object, const std::string& name, double& value);
  void attribute(const std::string& object, const std::string& name, std::string& value);
  /// Whether the object has this attribute, which an earlier program of the same version may not have written.
  bool holds(const std::string& object, const std::string& name) const;
  template <std::integral T>
  void attribute(const std::string& object, const std::string& name, T& value) {
    Stored<T> stored = 0;
    integer(object, name, stored);
    value = static_cast<T>(stored);
    if (static_cast<Stored<T>>(value) != stored) out_of_range(object, name);
  }

 private:
  struct Dataset;
  Dataset open(const std::string& path, std::size_t rank, int expected_class) const;
  void read(const Dataset& dataset, Id memory_type, void* data) const;
  std::vector<std::string> read_strings(const Dataset& dataset) const;
  void read_attribute(const std::string& object, const std::string& name, int expected_class, Id memory_type,
                      void* data) const;
  void integer(const std::string& object, const std::string& name, std::int64_t& value) const;
  void integer(const std::string& object, const std::string& name, std::uint64_t& value) const;
  [[noreturn]] static void out_of_range(const std::string& object, const std::string& name);

  Session session_;
  std::size_t size_;
  Handle file_;
};

}  // namespace gpcv::hdf5
