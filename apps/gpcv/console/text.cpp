#include "console/text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "console/printable.hpp"
#include "gpcv/quantity.hpp"

namespace gpcv::command {

std::string finding_lines(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += fmt::format("{:<8} {}\n", name_of(finding.severity), finding.text);
  return text;
}

std::string diagnosis_text(const std::vector<Finding>& findings) {
  return finding_lines(findings) +
         fmt::format("verdict  training would {}\n", would_train(findings) ? "start" : "be refused");
}

std::string units_of(const std::string& target) {
  return target.empty() ? "" : fmt::format(" (in the units of {})", printable(target));
}

std::string evaluation_text(const Metrics& m, const std::string& target) {
  const std::string unit = units_of(target);
  const std::string smse = !std::isnan(m.smse)
                               ? fmt::format("{:.6g}   (1 is no better than the mean of the targets)", m.smse)
                           : m.n < 2 ? "none: it needs two rows"
                                     : "none: the targets do not vary";
  return fmt::format(
      "rows      {}\n"
      "rmse      {:.6g}{}\n"
      "smse      {}\n"
      "nlpd      {:.6g}\n"
      "crps      {:.6g}{}\n"
      "coverage  {:.1f} % of the 50 % intervals, {:.1f} % of the 80 %, {:.1f} % of the 95 %\n",
      m.n, m.rmse, unit, smse, m.nlpd, m.crps, unit, 100 * m.coverage50, 100 * m.coverage80, 100 * m.coverage95);
}

std::string comparison_text(const Comparison& comparison) {
  std::string text =
      fmt::format("{:>4}  {:>22}  {:>20}  {:>9}  {:>8}  {}\n", "rank", "cv rmse",
                  fmt::format("{} behind the best",
                              comparison.criterion == Criterion::squared ? "mse" : name_of(comparison.criterion)),
                  "nlpd", "time", "kernel");
  int rank = 0;
  for (const Ranked& r : comparison.ranked) {
    ++rank;
    const std::string behind = rank == 1 ? ""
                               : comparison.criterion == Criterion::log
                                   ? fmt::format("{:.3f} ± {:.3f}", r.behind, r.behind_error)
                                   : fmt::format("{:.2f} ± {:.2f} %", 100 * r.behind, 100 * r.behind_error);
    const bool tie = rank > 1 && r.behind < 2 * r.behind_error;
    const Model& model = r.contender.result.model;
    const std::string draft =
        model.provenance.status == Status::converged ? "" : fmt::format("  ({})", model.provenance.message);
    text += fmt::format("{:>4}  {:>22}  {:>20}  {:>9.4g}  {:>8}  {}{}{}\n", rank,
                        fmt::format("{:.5g} ± {:.2g}", r.rmse, r.rmse_error), behind, r.nlpd, duration(r.seconds),
                        r.contender.kernel, tie ? "  (tie)" : "", draft);
  }
  for (const Contender& c : comparison.failed) text += fmt::format("   -  {}: {}\n", c.kernel, c.failure);
  return text;
}

}  // namespace gpcv::command
