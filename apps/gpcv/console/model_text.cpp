#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "console/text.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/verdict.hpp"

namespace gpcv::command {
namespace {

/// Inputs with the importance of each, the most important first; those without an effect are counted.
std::string input_lines(const Model& model, const Diagnostics& seen) {
  std::string text;
  std::size_t idle = 0;
  for (const Relevance& r : seen.relevance) {
    if (has_no_effect(seen, r)) {
      ++idle;
      continue;
    }
    text += fmt::format("{:<10} {:<20} permuting it moves predictions by {:.3g} ({})\n", text.empty() ? "inputs" : "",
                        shortened(seen.inputs[r.input].name, 40), r.moved, model.columns.target);
  }
  if (seen.relevance.empty() && !seen.inputs.empty()) return fmt::format("input      {}\n", seen.inputs.front().name);
  if (idle > 0) text += fmt::format("{:<10} {} input{} with no effect\n", "", idle, idle == 1 ? "" : "s");
  return text;
}

}  // namespace

std::string model_text(const Model& model, const Diagnostics& seen, const std::string& path) {
  const std::vector<ParameterRow> rows = parameter_table(model, seen);
  std::string text = fmt::format("model      {}: {} from {} rows and {} input{}\n", path, model.columns.target,
                                 grouped(model.x.rows()), seen.inputs.size(), seen.inputs.size() == 1 ? "" : "s");
  text += fmt::format("answer     {}\n", headline(model, seen).text);
  for (const Sentence& sentence : verdict(model, seen, rows)) text += fmt::format("{:<10} {}\n", "", sentence.text);
  text += input_lines(model, seen);
  text += fmt::format("kernel     {}\n", model.kernel.to_string(5, model.columns));
  text += parameter_lines(seen, rows);
  if (!model.provenance.command.empty()) text += fmt::format("made by    {}\n", model.provenance.command);
  text += fmt::format("use        gpcv predict {0} NEW.csv -o predictions.csv; gpcv report {0} -o report.html\n", path);
  text += "contents   the file contains the training rows\n";
  return text;
}

}  // namespace gpcv::command
