/// The learned noise in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "gpcv/posterior.hpp"
#include "gpcv/verdict.hpp"

namespace gpcv {

std::string noise_in_words(const Model& model) {
  const NoiseChoice& choice = model.provenance.noise_choice;
  if (choice.asked.empty()) return "";
  const std::string score = fmt::format("by {:+.2g} ± {:.1g}", choice.gain, choice.gain_error);
  if (model.noise_process.is_constant()) {
    if (choice.rounds == 0) return "constant: held-out errors do not show that it depends on the inputs";
    return fmt::format("constant: one that depends on the inputs changes the log score of held-out rows {}", score);
  }
  std::vector<std::string> names;
  for (const Index c : model.noise_process.inputs())
    names.push_back(model.columns.features[static_cast<std::size_t>(c)]);
  const NoiseRange range = noise_range(model);
  return fmt::format(
      "learned over {}: from {:.3g} to {:.3g} in 90 % of the rows; log score of held-out rows {} that of "
      "constant noise",
      fmt::join(names, ", "), range.low, range.high,
      choice.gain >= 0 ? fmt::format("{:.2g} ± {:.1g} above", choice.gain, choice.gain_error)
                       : fmt::format("{:.2g} ± {:.1g} below", -choice.gain, choice.gain_error));
}

}  // namespace gpcv
