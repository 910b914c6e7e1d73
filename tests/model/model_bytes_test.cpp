#include "gpcv/model_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"
#include "support/message_of.hpp"

namespace gpcv {
namespace {

TEST(ModelBytes, GiveTheModelBack) {
  Dataset data;
  data.x = Vector::LinSpaced(20, 0, 3);
  data.y = data.x.col(0).array().sin();
  data.columns.features = {"x"};
  data.columns.feature_indices = {0};
  data.columns.target = "y";
  data.columns.target_index = 1;
  data.columns.table_columns = 2;
  FitOptions options;
  options.train.restarts = 1;
  const Model model = fit(data, options).model;
  const std::string bytes = bytes_of(model);
  const Model again = model_of(bytes);
  EXPECT_EQ(again.kernel, model.kernel);
  EXPECT_EQ(again.x, model.x);
  EXPECT_EQ(again.weights, model.weights);
  EXPECT_EQ(bytes_of(again), bytes);
}

TEST(ModelBytes, RefuseWhatIsNoModel) {
  EXPECT_THROW(model_of("no model"), InputError);
  EXPECT_THROW(model_of(""), InputError);
}

}  // namespace
}  // namespace gpcv
