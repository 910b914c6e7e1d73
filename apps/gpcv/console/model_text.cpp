#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "console/printable.hpp"
#include "console/text.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/verdict.hpp"

namespace gpcv::command {
namespace {

/// Number of inputs that are not listed, in words; empty for none. `before` holds the lines of the others.
std::string idle_line(std::size_t idle, const char* what, const std::string& before) {
  if (idle == 0) return "";
  return fmt::format("{:<10} {} input{} with no {}\n", before.empty() ? "inputs" : "", idle, idle == 1 ? "" : "s",
                     what);
}

/// Inputs with the increase of the held-out error without each, the most important first.
std::string importance_lines(const Model& model, const Importance& importance) {
  constexpr double most_relative = 100;
  std::string text;
  std::size_t idle = 0;
  for (const InputImportance& input : importance.inputs) {
    // Folds that have chosen the parameters flatter inputs without effect, too.
    const bool chance = !input.is_significant() || input.increase <= model.provenance.optimism * importance.rmse;
    if (chance && std::isfinite(input.standard_error)) {
      ++idle;
      continue;
    }
    // A percentage of an error near zero says nothing.
    const double relative = importance.rmse > 0 ? input.increase / importance.rmse : most_relative;
    text += fmt::format("{:<10} {:<20} without it the error grows by {:.3g}{} ({}){}\n", text.empty() ? "inputs" : "",
                        shortened(input.name, 40), input.increase,
                        std::isfinite(input.standard_error) ? fmt::format(" ± {:.1g}", input.standard_error) : "",
                        printable(model.transform.label(model.columns.target)),
                        relative < most_relative ? fmt::format(", {:.0f} %", 100 * relative) : "");
  }
  return text + idle_line(idle, "measurable effect", text);
}

/// Inputs with the importance of each, the most important first; those without an effect are counted.
std::string input_lines(const Model& model, const Diagnostics& seen) {
  if (seen.importance.inputs.size() > 1) return importance_lines(model, seen.importance);
  std::string text;
  std::size_t idle = 0;
  for (const Relevance& r : seen.relevance) {
    if (has_no_effect(seen, r)) {
      ++idle;
      continue;
    }
    text += fmt::format("{:<10} {:<20} permuting it moves predictions by {:.3g} ({})\n", text.empty() ? "inputs" : "",
                        shortened(seen.inputs[r.input].name, 40), r.moved, printable(model.columns.target));
  }
  if (seen.relevance.empty() && !seen.inputs.empty())
    return fmt::format("input      {}\n", printable(seen.inputs.front().name));
  return text + idle_line(idle, "effect", text);
}

}  // namespace

std::string model_text(const Model& model, const Diagnostics& seen, const std::string& path,
                       const std::string& arguments) {
  const std::vector<ParameterRow> rows = parameter_table(model, seen);
  std::string text =
      fmt::format("model      {}: {} from {} rows and {} input{}\n", path, printable(model.columns.target),
                  grouped(model.x.rows()), seen.inputs.size(), seen.inputs.size() == 1 ? "" : "s");
  text += fmt::format("answer     {}\n", printable(headline(model, seen).text));
  for (const Sentence& sentence : verdict(model, seen, rows))
    text += fmt::format("{:<10} {}\n", "", printable(sentence.text));
  text += input_lines(model, seen);
  if (!model.transform.is_none()) {
    text += fmt::format("transform  {}, the model is one of {}\n", model.transform.to_string(),
                        printable(model.transform.label(model.columns.target)));
  }
  text += fmt::format("kernel     {}\n", printable(model.kernel.to_string(5, model.columns)));
  text += parameter_lines(seen, rows);
  if (!model.provenance.command.empty()) text += fmt::format("made by    {}\n", model.provenance.command);
  text += fmt::format("use        gpcv predict {0} NEW.csv -o predictions.csv; gpcv report {0} -o report.html\n",
                      arguments);
  text += "contents   the file contains the training rows\n";
  return text;
}

}  // namespace gpcv::command
