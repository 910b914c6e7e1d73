// Everything a user of the library does, through its public headers alone.
#include <cmath>
#include <cstdio>
#include <utility>

#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"
#include "gpcv/synthetic.hpp"

int main() {
  const gpcv::Synthetic drawn = gpcv::draw(gpcv::Kernel::parse("se(l=1)"), {.n = 60, .noise = 0.01});
  gpcv::Dataset data;
  data.x = drawn.x;
  data.y = drawn.y;
  data.columns.features = {"x"};
  data.columns.feature_indices = {0};
  data.columns.target = "y";
  gpcv::FitResult result = gpcv::fit(data, {});
  const gpcv::Posterior posterior(std::move(result.model), {});
  const gpcv::Metrics metrics = gpcv::evaluate(posterior.predict(data.x), data.y);
  std::printf("%s, rmse %.3f\n", posterior.model().kernel.to_string(4).c_str(), metrics.rmse);
  return metrics.rmse < 0.2 ? 0 : 1;
}
