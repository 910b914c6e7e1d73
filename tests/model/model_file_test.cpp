#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <zlib.h>

#include <bit>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>
#include <tuple>

#include "core/random.hpp"
#include "gpcv/error.hpp"
#include "gpcv/model.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr double inf = std::numeric_limits<double>::infinity();

Matrix random_matrix(Index rows, Index cols, Random& random) {
  return Matrix::NullaryExpr(rows, cols, [&] { return random.normal(); });
}

/// A model in which every field differs from its default.
Model rich_model() {
  Random random(11);
  Model model;
  model.columns = {{"Größe", "температура", ""}, {4, 0, 2}, "y, in \"kg\"", 3, 7, true};
  model.columns.dates = {{0, 2}};
  model.columns.id = "Nº";
  model.scaling = {random_matrix(3, 1, random), Vector::Constant(3, 0.1), -1.0 / 3, 1e-200};
  model.x = random_matrix(17, 3, random);
  model.y = random_matrix(17, 1, random);
  model.weights = random_matrix(17, 1, random) * 1e250;
  model.x(5, 1) = -0.0;
  model.x(6, 2) = std::numeric_limits<double>::denorm_min();
  model.kernel = Kernel::parse("se(ard) * lp(on=[1], p=1:fixed) + matern32(on=[0,2]) + const").bind(3);
  std::vector<double> theta(static_cast<std::size_t>(model.kernel.theta().size()));
  for (double& value : theta) value = std::exp(3 * random.normal());
  model.kernel = model.kernel.with(theta);
  model.noise = 0.1 + 0.2;
  Provenance& p = model.provenance;
  p.trainer = "likelihood";
  p.status = Status::time_limit;
  p.message = "stopped after 3 s\nsecond line";
  p.objective = -12.345678901234567;
  p.cv_rmse = std::bit_cast<double>(0x7ff8'0000'0000'1234);
  p.folds = "10 random folds, seed 3";
  p.iterations = std::numeric_limits<int>::max();
  p.seed = std::numeric_limits<std::uint64_t>::max();
  p.version = "9.9.9-β";
  p.settings = {{"restarts", "5"}, {"empty", ""}, {"restarts", "again"}, {"", "nameless"}};
  p.trace_names = {"iteration", "objective", "θ₁"};
  p.trace = random_matrix(4, 3, random);
  p.trace(1, 1) = inf;
  p.trace(2, 2) = std::numeric_limits<double>::quiet_NaN();
  p.held_out = {random_matrix(17, 1, random), random_matrix(17, 1, random), "exact"};
  p.fold_of_row.assign(17, 4);
  p.fold_of_row[3] = -1;
  p.optima = {{2, Status::converged, 0.1, model.kernel.theta().array().log()}, {0, Status::numerical_failure, inf, {}}};
  p.standard_errors = {{"se.l[0]", 0.3}, {"noise", inf}};
  p.command = "gpcv fit 'a b.csv'";
  model.error_scale = {1.1, 0.01, 5, 0.7, 0.5, 0.9, 7};
  model.conformal = {Vector::LinSpaced(4, 0.5, 2), "neighbours:64"};
  model.transform = {TargetTransform::Kind::yeo_johnson, 0.1, -2, 1.0 / 3, 0.7, -4.5, 1e-3};
  p.transforms = {{"yeo-johnson:0.7", 2, 0.1, 0, 0, true}, {"log:-0.3", 1, inf, 0.3, 0.1, false}};
  return model;
}

Model small_model() {
  Model model;
  model.columns = {{"t"}, {0}, "y", 1, 2, true};
  model.scaling = {Vector::Constant(1, 0.25), Vector::Ones(1), 0.5, 7.75};
  model.x = Vector::LinSpaced(5, -1, 1);
  model.y = Vector::LinSpaced(5, 2, 3);
  model.weights = Vector::LinSpaced(5, 0, 1);
  model.kernel = Kernel::parse("se(l=0.375, s2=2)").bind(1);
  model.noise = 0.0625;
  return model;
}

auto exact_fields(const Model& m) {
  const Columns& c = m.columns;
  const Provenance& p = m.provenance;
  return std::tie(c.features, c.feature_indices, c.target, c.target_index, c.table_columns, c.has_header, m.kernel,
                  p.trainer, p.status, p.message, p.folds, p.fold_of_row, p.iterations, p.seed, p.version, p.settings,
                  p.trace_names, p.command, p.standard_errors, p.held_out.method, m.conformal.method, m.transform);
}

std::vector<Matrix> real_fields(const Model& m) {
  const Vector scalars{{m.scaling.y_mean, m.scaling.y_scale, m.noise, m.provenance.objective, m.provenance.cv_rmse}};
  std::vector<Matrix> fields{m.x, m.y, m.weights, m.scaling.x_mean, m.scaling.x_scale, m.kernel.theta(), scalars};
  const PredictiveScale& scale = m.error_scale;
  for (const double v :
       {scale.factor, scale.added, scale.degrees, scale.usual, scale.rare, scale.largest, scale.observed_degrees})
    fields.push_back(Vector::Constant(1, v));
  fields.insert(fields.end(),
                {m.conformal.scores, m.provenance.trace, m.provenance.held_out.mean, m.provenance.held_out.variance});
  for (const RankedTransform& t : m.provenance.transforms) {
    const Vector row{{static_cast<double>(t.rounds), t.loss, t.behind, t.behind_error, t.chosen ? 1.0 : 0.0}};
    fields.push_back(row);
  }
  for (const Optimum& o : m.provenance.optima) {
    const Vector head{{static_cast<double>(o.restart), static_cast<double>(o.status), o.objective}};
    fields.insert(fields.end(), {head, o.log_theta});
  }
  return fields;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0);
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_TRUE(exact_fields(a) == exact_fields(b));
  EXPECT_EQ(a.kernel.inputs(), b.kernel.inputs());
  ASSERT_EQ(real_fields(a).size(), real_fields(b).size());
  for (std::size_t i = 0; i < real_fields(a).size(); ++i) {
    EXPECT_TRUE(same_bits(real_fields(a)[i], real_fields(b)[i])) << i;
  }
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Message with which load_model rejects the file; the test fails if the file is accepted.
std::string refusal(const fs::path& path) {
  std::string message = message_of([&] { load_model(path); });
  EXPECT_THAT(message, HasSubstr(path.string()));
  return message;
}

/// Changes the HDF5 part with HDF5 itself and updates the checksum, as another program might write the file.
void edit(const fs::path& path, const std::function<void(hid_t file)>& change) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  change(file);
  ASSERT_GE(H5Fclose(file), 0);

  std::string bytes = bytes_of(path);
  auto put = [&](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  auto crc = [&](std::size_t from, std::size_t to) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + from), static_cast<uInt>(to - from)));
  };
  put(12, crc(512, bytes.size()));
  put(16, static_cast<std::uint64_t>(bytes.size() - 512));
  put(24, std::uint32_t{0});
  put(24, crc(0, 512));
  write_bytes(path, bytes);
}

void replace_dataset(hid_t file, const char* path, const std::vector<hsize_t>& shape,
                     const std::vector<double>& values) {
  if (H5Lexists(file, path, H5P_DEFAULT) > 0) H5Ldelete(file, path, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t set = H5Dcreate2(file, path, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (!values.empty()) H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(set);
  H5Sclose(space);
}

void set_number(hid_t file, const char* object, const char* name, double value) {
  const hid_t owner = H5Oopen(file, object, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(owner, name, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
  H5Aclose(attribute);
  H5Oclose(owner);
}

void set_text(hid_t file, const char* name, const char* value) {
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  H5Awrite(attribute, type, &value);
  H5Tclose(type);
  H5Aclose(attribute);
}

/// Adds a group with the mark that tells whether readers must know it.
void add_group(hid_t file, const char* name, std::int64_t required) {
  H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t mark =
      H5Acreate_by_name(file, name, "required", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(mark, H5T_NATIVE_INT64, &required);
  H5Aclose(mark);
  H5Sclose(space);
}

/// Mark of a group; −1 if it has none.
std::int64_t mark_of(hid_t file, const char* group) {
  std::int64_t required = -1;
  const hid_t mark = H5Aopen_by_name(file, group, "required", H5P_DEFAULT, H5P_DEFAULT);
  if (mark < 0) return required;
  H5Aread(mark, H5T_NATIVE_INT64, &required);
  H5Aclose(mark);
  return required;
}

class ModelFile : public testing::Test {
 protected:
  /// Expects that a saved small model is rejected after a change of its file.
  void expect_refused_after(const std::function<void(hid_t file)>& change, const std::string& reason) {
    save(small_model(), path);
    edit(path, change);
    EXPECT_THAT(refusal(path), HasSubstr(reason));
  }

  void expect_refused_with(const char* dataset, std::vector<hsize_t> shape, std::vector<double> values,
                           const std::string& reason) {
    expect_refused_after([&](hid_t file) { replace_dataset(file, dataset, shape, values); }, reason);
  }

  void expect_round_trip(const Model& model) {
    save(model, path);
    expect_same(load_model(path), model);
  }

  TemporaryFolder folder;
  fs::path path = folder / "model.gpcv";
};

TEST_F(ModelFile, EveryFieldComesBackBitForBit) { expect_round_trip(rich_model()); }

TEST_F(ModelFile, EmptyTextsListsAndTracesComeBack) {
  Model model = small_model();
  expect_round_trip(model);
  model.provenance.trace_names = {"iteration", "objective"};
  model.provenance.trace = Matrix(0, 2);
  expect_round_trip(model);
}

TEST_F(ModelFile, EveryStatusComesBack) {
  Model model = small_model();
  for (int i = 0; i <= static_cast<int>(Status::numerical_failure); ++i) {
    model.provenance.status = static_cast<Status>(i);
    expect_round_trip(model);
  }
}

TEST_F(ModelFile, TextsMayBeLong) {
  Model model = small_model();
  model.provenance.message = std::string(1'000'000, 'm');
  model.provenance.trace_names.assign(20'000, "θ");
  expect_round_trip(model);
}

TEST_F(ModelFile, EqualModelsAreEqualBytes) {
  save(rich_model(), path);
  save(rich_model(), folder / "again.gpcv");
  EXPECT_EQ(bytes_of(path), bytes_of(folder / "again.gpcv"));
}

TEST_F(ModelFile, HoldsNoTimes) {
  Model model = rich_model();
  Provenance& p = model.provenance;
  p.trace_names = {"iteration", "seconds", "objective", "seconds_left"};
  p.trace = Matrix{{1, 0.25, 8, 3}, {2, 0.5, 7, 2}};
  save(model, path);
  const Provenance read = load_model(path).provenance;
  EXPECT_EQ(read.trace_names, (std::vector<std::string>{"iteration", "objective"}));
  EXPECT_EQ(read.trace, (Matrix{{1, 8}, {2, 7}}));
  EXPECT_EQ(read.trace_column("objective"), 1);
  EXPECT_EQ(read.trace_column("seconds"), -1);
  p.trace.col(1) *= 3;
  p.trace.col(3).setZero();
  save(model, folder / "later.gpcv");
  EXPECT_EQ(bytes_of(path), bytes_of(folder / "later.gpcv"));
}

TEST_F(ModelFile, Hdf5SeesRowsAsRows) {
  const Model model = rich_model();
  save(model, path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const hid_t set = H5Dopen2(file, "/training/x", H5P_DEFAULT);
  Eigen::Matrix<double, 17, 3, Eigen::RowMajor> x;
  EXPECT_EQ(H5Dget_storage_size(set), sizeof(double) * 17 * 3);
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x.data());
  EXPECT_TRUE(same_bits(Matrix(x), model.x));
  H5Dclose(set);
  H5Fclose(file);
}

TEST_F(ModelFile, BeginsWithALineForPeople) {
  save(small_model(), path);
  const std::string bytes = bytes_of(path);
  EXPECT_EQ(bytes.substr(0, 8), "GPCVMODL");
  EXPECT_THAT(bytes.substr(0, 512), HasSubstr("\ngpcv model file; HDF5 data starts at byte 512\n"));
  EXPECT_EQ(bytes.substr(512, 8), "\x89HDF\r\n\x1a\n");
}

TEST_F(ModelFile, SeveralThreadsMaySaveAndLoad) {
  const Model model = rich_model();
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const fs::path own = folder / fmt::format("{}.gpcv", t);
      for (int i = 0; i < 10; ++i) {
        save(model, own);
        EXPECT_EQ(load_model(own).provenance.settings, model.provenance.settings);
      }
    });
  }
}

TEST_F(ModelFile, EveryOtherLengthIsNoticed) {
  save(rich_model(), path);
  const std::string bytes = bytes_of(path);
  std::vector<std::size_t> lengths;
  for (std::size_t length = 1; length < 600; ++length) lengths.push_back(length);
  for (std::size_t length = 600; length < bytes.size(); length += 97) lengths.push_back(length);
  lengths.push_back(bytes.size() - 1);
  for (std::size_t length : lengths) {
    write_bytes(path, bytes.substr(0, length));
    ASSERT_THAT(refusal(path), HasSubstr("truncated")) << length;
  }
  write_bytes(path, bytes + "x");
  EXPECT_THAT(refusal(path), HasSubstr("bytes follow its end"));
}

TEST_F(ModelFile, AFlippedByteIsNoticedAnywhere) {
  save(rich_model(), path);
  const std::string bytes = bytes_of(path);
  Random random(5);
  for (std::size_t i = 0; i < 2000; ++i) {
    // The damaged bytes are all bytes of the user block, then random bytes behind it.
    const std::size_t at = i < 512 ? i : 512 + random.below(bytes.size() - 512);
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random.below(255)));
    write_bytes(path, damaged);
    // The first 12 bytes hold the kind and the version of the file.
    ASSERT_THAT(refusal(path), HasSubstr(at < 8 ? "not a gpcv model" : at < 12 ? "gpcv" : "corrupted")) << at;
  }
}

TEST_F(ModelFile, ANewerFormatAsksForAnUpgrade) {
  save(small_model(), path);
  std::string bytes = bytes_of(path);
  bytes[8] = 7;
  write_bytes(path, bytes);
  EXPECT_THAT(refusal(path), HasSubstr("was written by a newer gpcv (format 7; this program reads up to 5): upgrade"));
}

TEST_F(ModelFile, OtherFilesAreNotModels) {
  Random random(3);
  for (std::size_t size : {1, 7, 511, 512, 513, 10'000}) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    write_bytes(path, bytes);
    EXPECT_THAT(refusal(path), HasSubstr("is not a gpcv model"));
  }
  write_bytes(path, "t,y\n1,2\n");
  EXPECT_THAT(refusal(path), HasSubstr("is not a gpcv model"));
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_THAT(refusal(path), HasSubstr("is not a gpcv model"));
}

TEST_F(ModelFile, WhatIsNotAFileIsNamed) {
  EXPECT_THAT(refusal(folder / "missing.gpcv"), HasSubstr("No such file"));
  EXPECT_THAT(refusal(folder / "no" / "folder.gpcv"), HasSubstr("No such file"));
  EXPECT_THAT(refusal(folder.path()), HasSubstr("is a directory"));
  EXPECT_THAT(refusal("/dev/null"), HasSubstr("is not a regular file"));
  write_bytes(path, "");
  EXPECT_THAT(refusal(path), HasSubstr("is empty"));
}

TEST_F(ModelFile, UnknownContentsAreIgnored) {
  save(small_model(), path);
  edit(path, [](hid_t file) {
    replace_dataset(file, "/training/later_idea", {2, 2}, {1, 2, 3, 4});
    H5Gclose(H5Gcreate2(file, "/later", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    add_group(file, "/distribution", 0);
  });
  expect_same(load_model(path), small_model());
}

TEST_F(ModelFile, AnUnknownGroupMarkedRequiredIsRefused) {
  expect_refused_after([](hid_t file) { add_group(file, "/distribution", 1); },
                       "predictions need its part '/distribution', which this version of gpcv does not know: upgrade");
  EXPECT_THAT(refusal(path), testing::Not(HasSubstr("\n")));
  // A mark that is not a number counts as neither.
  expect_refused_after(
      [](hid_t file) {
        H5Gclose(H5Gcreate2(file, "/targets", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        const hid_t space = H5Screate(H5S_SCALAR);
        H5Aclose(H5Acreate_by_name(file, "/targets", "required", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                                   H5P_DEFAULT));
        H5Sclose(space);
      },
      "attribute 'required' of '/targets' has an unexpected type");
}

TEST_F(ModelFile, KeepsTheTransformOfTheTargetAndItsChoice) {
  save(rich_model(), path);
  const Model model = load_model(path);
  EXPECT_EQ(model.transform, rich_model().transform);
  ASSERT_EQ(model.provenance.transforms.size(), 2u);
  EXPECT_EQ(model.provenance.transforms[1].transform, "log:-0.3");
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(mark_of(file, "/transform"), 1) << "an older program must not predict without it";
  EXPECT_EQ(mark_of(file, "/transforms"), 0);
  H5Fclose(file);
  save(small_model(), path);
  const hid_t plain = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(H5Lexists(plain, "/transform", H5P_DEFAULT), 0) << "most models have none";
  EXPECT_EQ(H5Lexists(plain, "/transforms", H5P_DEFAULT), 0);
  H5Fclose(plain);
}

TEST_F(ModelFile, RefusesATransformThatIsNotIncreasing) {
  save(rich_model(), path);
  edit(path, [](hid_t file) { set_number(file, "/transform", "scale", 0); });
  EXPECT_THAT(refusal(path), HasSubstr("not increasing"));
  save(rich_model(), path);
  edit(path, [](hid_t file) { set_number(file, "/transform", "lambda", 3); });
  EXPECT_THAT(refusal(path), HasSubstr("not increasing"));
}

TEST_F(ModelFile, GroupsThatPredictAreMarkedRequired) {
  save(rich_model(), path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  for (const char* group : {"/training", "/scaling", "/columns", "/calibration", "/conformal"}) {
    EXPECT_EQ(mark_of(file, group), 1) << group;
  }
  for (const char* group : {"/held_out", "/optima", "/standard_errors", "/trace"}) {
    EXPECT_EQ(mark_of(file, group), 0) << group;
  }
  H5Fclose(file);
}

TEST_F(ModelFile, OptionalGroupsMayBeMissing) {
  save(rich_model(), path);
  edit(path, [](hid_t file) {
    for (const char* group : {"/held_out", "/optima", "/standard_errors", "/trace"}) {
      H5Ldelete(file, group, H5P_DEFAULT);
    }
  });
  Model expected = rich_model();
  Provenance& p = expected.provenance;
  p.trace_names.clear();
  p.trace.resize(0, 0);
  p.held_out = {};
  p.fold_of_row.clear();
  p.optima.clear();
  p.standard_errors.clear();
  expect_same(load_model(path), expected);
}

TEST_F(ModelFile, FoldsOfRowsMayBeMissing) {
  save(rich_model(), path);
  edit(path, [](hid_t file) { H5Ldelete(file, "/held_out/fold", H5P_DEFAULT); });
  Model expected = rich_model();
  expected.provenance.fold_of_row.clear();
  expect_same(load_model(path), expected);
  Model wrong = rich_model();
  wrong.provenance.fold_of_row.pop_back();
  EXPECT_THROW(save(wrong, path), InputError);
}

TEST_F(ModelFile, MissingContentsAreNamed) {
  expect_refused_after([](hid_t file) { H5Ldelete(file, "/training/weights", H5P_DEFAULT); }, "'/training/weights'");
  expect_refused_after([](hid_t file) { H5Adelete(file, "noise"); }, "attribute 'noise'");
}

TEST_F(ModelFile, ShapesMustAgree) {
  expect_refused_with("/training/y", {4}, {1, 2, 3, 4}, "4 training targets for 5 rows");
  expect_refused_with("/training/x", {5}, {1, 2, 3, 4, 5}, "does not have 2 dimensions");
  expect_refused_with("/training/x", {0, 1}, {}, "no training inputs");
  expect_refused_with("/scaling/x_scale", {2}, {1, 2}, "scaling does not fit 1 input column");
  expect_refused_with("/columns/features", {1}, {1}, "unexpected type");
}

TEST_F(ModelFile, ClaimedSizesBeyondTheFileAreNotAllocated) {
  // A dataset that was never written occupies no space, regardless of its shape.
  expect_refused_with("/training/y", {1ULL << 50}, {}, "larger than its file");
  expect_refused_with("/training/x", {1ULL << 33, 1ULL << 33}, {}, "larger than its file");
}

TEST_F(ModelFile, NumbersMustMakeSense) {
  expect_refused_with("/training/y", {5}, {1, 2, inf, 4, 5}, "finite");
  expect_refused_with("/scaling/x_scale", {1}, {0}, "positive");
  expect_refused_after([](hid_t file) { set_number(file, "/scaling", "y_scale", -1); }, "positive");
  expect_refused_after([](hid_t file) { set_number(file, "/", "noise", -0.5); }, "noise");
  expect_refused_after([](hid_t file) { set_number(file, "/", "iterations", 1e12); }, "out of range");
}

TEST_F(ModelFile, OptimaMustBeOfTheKernel) {
  Model model = small_model();
  model.provenance.optima = {{0, Status::converged, 1, Vector::Zero(5)}};
  EXPECT_THAT(message_of([&] { save(model, path); }), HasSubstr("an optimum has 5 values for 2 free parameters"));
  expect_refused_after(
      [](hid_t file) {
        replace_dataset(file, "/optima/numbers", {1, 3}, {0, 1, 0.5});
        replace_dataset(file, "/optima/log_theta", {1, 4}, {1, 2, 3, 4});
      },
      "an optimum has 4 values for 2 free parameters");
}

TEST_F(ModelFile, ColumnsMustLieInTheirTable) {
  for (const char* name : {"target_index", "noise_index"}) {
    expect_refused_after([&](hid_t file) { set_number(file, "/columns", name, 2); }, "outside the table");
  }
  Model model = small_model();
  model.columns.feature_indices = {2};
  EXPECT_THROW(save(model, path), InputError);
  model.columns.table_columns = 0;  // no table
  expect_round_trip(model);
}

TEST_F(ModelFile, TheKernelMustParseAndFitTheInputs) {
  expect_refused_after([](hid_t file) { set_text(file, "kernel", "nonsense("); }, "kernel");
  expect_refused_after([](hid_t file) { set_text(file, "kernel", "se(on=[3])"); }, "3");
  expect_refused_after([](hid_t file) { set_text(file, "status", "delighted"); }, "delighted");
  // A report expects the summands of the mean at the end of the kernel.
  expect_refused_after([](hid_t file) { set_text(file, "mean", "linear"); }, "no part for the linear mean");
  expect_refused_after([](hid_t file) { set_text(file, "mean", "constant"); }, "no part for the constant mean");
}

TEST_F(ModelFile, InconsistentModelsAreNotSaved) {
  Model model = small_model();
  model.weights.resize(3);
  EXPECT_THROW(save(model, path), InputError);
  model = small_model();
  model.provenance.message = std::string("a\0b", 3);
  EXPECT_THROW(save(model, path), InputError);
  model = small_model();
  model.kernel = Kernel::parse("se");
  EXPECT_THROW(save(model, path), InputError);
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(ModelFile, AFailedSaveKeepsTheOldFile) {
  save(small_model(), path);
  // A limit on the size of files makes a write fail half-way, as a full disk does.
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit tight{4096, before.rlim_max};
  auto* handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &tight);
  EXPECT_THROW(save(rich_model(), path), InputError);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  expect_same(load_model(path), small_model());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST_F(ModelFile, UnwritablePlacesAreRefused) {
  EXPECT_THROW(save(small_model(), folder / "no" / "model.gpcv"), InputError);
  EXPECT_THROW(save(small_model(), folder.path()), InputError);
}

TEST(ModelColumns, KeepWhichColumnsWereDates) {
  const TemporaryFolder folder;
  const auto saved = [&](const Model& model) {
    save(model, folder / "model.h5");
    return load_model(folder / "model.h5").columns;
  };
  Model model = rich_model();
  EXPECT_EQ(saved(model).dates.value(), (std::vector<Index>{0, 2}));
  EXPECT_EQ(saved(model).id, "Nº");
  model.columns.dates = std::vector<Index>();
  EXPECT_TRUE(saved(model).dates.value().empty());
  model.columns.dates.reset();
  EXPECT_FALSE(saved(model).dates) << "not known";
  model.columns.target_is_date = true;
  model.columns.missing_texts = {"-999", "off"};
  EXPECT_EQ(saved(model).target_is_date, true);
  EXPECT_EQ(saved(model).missing_texts, (std::vector<std::string>{"-999", "off"}));
  model.columns.target_is_date = false;
  EXPECT_EQ(saved(model).target_is_date, false);
  model.columns.target_is_date.reset();
  EXPECT_FALSE(saved(model).target_is_date) << "not known";
  model.columns.dates = {{3}};
  EXPECT_THAT(message_of([&] { save(model, folder / "model.h5"); }), HasSubstr("a date is no input column"));
}

TEST(ModelColumns, AreNothingButUtf8) {
  const TemporaryFolder folder;
  Model model = rich_model();
  model.columns.features[0] =
      "gr\xF6\xDF"
      "e";
  model.columns.target = "\xE9";
  save(model, folder / "model.h5");
  const Columns columns = load_model(folder / "model.h5").columns;
  EXPECT_EQ(columns.features[0],
            "gr\xEF\xBF\xBD\xEF\xBF\xBD"
            "e");
  EXPECT_EQ(columns.target, "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace gpcv
