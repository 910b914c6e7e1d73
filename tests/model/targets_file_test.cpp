/// Files with the models of several targets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>

#include "core/random.hpp"
#include "fuzz/hdf5_edits.hpp"
#include "gpcv/error.hpp"
#include "gpcv/targets.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace gpcv {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Model model_of(const std::string& target, Index place) {
  Random random(static_cast<std::uint64_t>(place));
  Model model;
  model.columns = {{"t", "u"}, {0, 1}, target, place, 5, true};
  model.scaling = {Vector::Constant(2, 0.25), Vector::Ones(2), 0.5, 7.75};
  model.x = Matrix::Ones(50, 2) * Matrix{{1, 3}, {2, 5}};
  model.x.col(0) = Vector::LinSpaced(50, -1, 1);
  model.y = Vector::NullaryExpr(50, [&] { return random.normal(); });
  model.weights = 2 * model.y;
  model.kernel = Kernel::parse("se(l=[0.375,0.5], s2=2)").bind(2);
  model.noise = 0.01 * static_cast<double>(place);
  model.provenance.message = "of " + target;
  return model;
}

std::vector<Model> three_models() { return {model_of("a", 2), model_of("b, in kg", 3), model_of("größe/2", 4)}; }

class TargetsFile : public testing::Test {
 protected:
  std::string refusal() const {
    return message_of([&] { load_models(path); });
  }
  /// The refusal of a file of three models after edits.
  std::string refusal_after(const std::string& edits) const {
    save(three_models(), path);
    const std::string bytes = fuzz::edited(bytes_of(path), edits);
    std::ofstream(path, std::ios::binary) << bytes;
    return refusal();
  }

  TemporaryFolder folder;
  fs::path path = folder / "model.h5";
};

TEST_F(TargetsFile, ModelsComeBackInTheirOrder) {
  const std::vector<Model> models = three_models();
  save(models, path);
  const std::vector<Model> found = load_models(path);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_EQ(found[t].columns.target, models[t].columns.target);
    EXPECT_EQ(found[t].x, models[t].x);
    EXPECT_EQ(found[t].y, models[t].y);
    EXPECT_EQ(found[t].weights, models[t].weights);
    EXPECT_EQ(found[t].noise, models[t].noise);
    EXPECT_EQ(found[t].kernel, models[t].kernel);
    EXPECT_EQ(found[t].provenance.message, models[t].provenance.message);
  }
}

TEST_F(TargetsFile, OneModelIsWrittenAsByItself) {
  const Model model = model_of("a", 2);
  save(model, path);
  save(std::vector<Model>{model}, folder / "list.h5");
  EXPECT_EQ(bytes_of(path), bytes_of(folder / "list.h5"));
  EXPECT_EQ(load_models(path).size(), 1U);
  EXPECT_EQ(load_model(folder / "list.h5").columns.target, "a");
}

TEST_F(TargetsFile, EqualInputsAreStoredOnce) {
  std::vector<Model> models = three_models();
  models[2].x(3, 1) = -0.0;
  save(models, path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const auto address = [&](const std::string& name) {
    H5O_info_t info{};
    EXPECT_GE(H5Oget_info_by_name(file, name.c_str(), &info, H5P_DEFAULT), 0);
    return info.addr;
  };
  EXPECT_EQ(address("/targets/0/training/x"), address("/targets/1/training/x"));
  EXPECT_NE(address("/targets/0/training/x"), address("/targets/2/training/x"));
  EXPECT_NE(address("/targets/0/training/y"), address("/targets/1/training/y"));
  H5Fclose(file);
  EXPECT_TRUE(std::signbit(load_models(path)[2].x(3, 1)));
}

TEST_F(TargetsFile, AReaderOfOneModelNamesTheTargets) {
  save(three_models(), path);
  EXPECT_THAT(message_of([&] { load_model(path); }),
              HasSubstr("has the targets 'a', 'b, in kg', 'größe/2', and one of them is needed"));
}

TEST_F(TargetsFile, AreRefusedByVersionsThatDoNotKnowThem) {
  save(three_models(), path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t mark = H5Aopen_by_name(file, "/targets", "required", H5P_DEFAULT, H5P_DEFAULT);
  std::int64_t required = 0;
  EXPECT_GE(H5Aread(mark, H5T_NATIVE_INT64, &required), 0);
  EXPECT_EQ(required, 1);
  H5Aclose(mark);
  H5Fclose(file);
}

TEST_F(TargetsFile, HaveTheSameInputs) {
  std::vector<Model> models = three_models();
  models[1].columns.features[0] = "other";
  EXPECT_THAT(message_of([&] { save(models, path); }),
              HasSubstr("the targets 'a' and 'b, in kg' have different input columns"));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_THAT(message_of([&] { save(std::vector<Model>{}, path); }), HasSubstr("there is none"));
  EXPECT_THAT(refusal_after("remove /targets/1/columns/features\ntexts /targets/1/columns/features t w\n"),
              HasSubstr("have different input columns"));
}

TEST_F(TargetsFile, DamageIsNamed) {
  EXPECT_THAT(refusal_after("remove /targets/1\n"), HasSubstr("/targets/1"));
  EXPECT_THAT(refusal_after("remove /targets count\n"), HasSubstr("attribute 'count' of '/targets' is missing"));
  EXPECT_THAT(refusal_after("attribute /targets count i64 5000000000000\n"), HasSubstr("/targets/3"));
  EXPECT_THAT(refusal_after("attribute /targets count i64 -1\n"), HasSubstr("it has no models of its targets"));
  EXPECT_THAT(refusal_after("attribute /targets kind text joint\n"),
              HasSubstr("predictions need targets of the kind 'joint', which this version of gpcv does not know"));
  EXPECT_THAT(refusal_after("remove /targets/2/training/y\n"), HasSubstr("'/targets/2/training/y' is missing"));
  EXPECT_THAT(refusal_after("fill /targets/2/training/weights nan\n"), HasSubstr("the weights are not all finite"));
  EXPECT_THAT(refusal_after("remove /targets/2/training/x\ndataset /targets/2/training/x f64 100000 100000\n"),
              HasSubstr("is larger than its file"));
}

TEST_F(TargetsFile, ManyLinksToOneTargetAreRefused) {
  save(three_models(), path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  for (int i = 3; i < 400; ++i) {
    const std::string link = "/targets/" + std::to_string(i);
    EXPECT_GE(H5Lcreate_hard(file, "/targets/0", file, link.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  H5Fclose(file);
  const std::string bytes = fuzz::edited(bytes_of(path), "attribute /targets count i64 400\n");
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_THAT(refusal(), HasSubstr("its targets are larger than the file"));
}

TEST_F(TargetsFile, AFlippedByteIsNoticed) {
  save(three_models(), path);
  const std::string bytes = bytes_of(path);
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = bytes;
    const std::size_t at = 12 + random.below(bytes.size() - 12);
    damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random.below(255)));
    std::ofstream(path, std::ios::binary) << damaged;
    ASSERT_THAT(refusal(), HasSubstr("corrupted")) << at;
  }
}

}  // namespace
}  // namespace gpcv
