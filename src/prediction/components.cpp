/// Contributions of the summands of a kernel to a prediction.
#include <fmt/format.h>

#include <map>

#include "backends/dense_kernel.hpp"
#include "gpcv/error.hpp"
#include "gpcv/posterior.hpp"
#include "model/design.hpp"
#include "prediction/components.hpp"

namespace gpcv {
namespace {

/// Names of the kernel families in a text: "se*lp" for "se(l=1) * lp(p=2)".
std::string families_of(const std::string& text) {
  std::string names;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (depth == 0 && c != ' ') names += c;
    if (c == ')' || c == ']') --depth;
  }
  return names;
}

}  // namespace

std::vector<NamedKernel> named_summands(const Model& model) {
  std::vector<NamedKernel> parts;
  std::map<std::string, int> seen;
  const std::vector<Kernel> kernels = model.kernel.summands();
  const std::size_t of_mean = mean_summands(model.mean);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    std::string name = families_of(kernels[i].to_string());
    // The factor for the rows' own noise is not part of the user's kernel.
    constexpr std::string_view row_factor = "*linear";
    if (model.noise_reference > 0 && name.ends_with(row_factor)) name.resize(name.size() - row_factor.size());
    if (i + of_mean >= kernels.size()) name = i + 1 == kernels.size() && of_mean == 2 ? "mean.linear" : "mean.constant";
    const int number = ++seen[name];
    if (number > 1) name += fmt::format("{}", number);
    parts.push_back({std::move(name), kernels[i]});
  }
  return parts;
}

}  // namespace gpcv
