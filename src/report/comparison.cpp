#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gpcv/posterior.hpp"
#include "report/quantity.hpp"

namespace gpcv {
namespace {

struct MeanWithError {
  double mean = 0, error = 0;
};

/// Of the finite values: their mean and its standard error.
MeanWithError mean_of(const Vector& values) {
  double sum = 0, squares = 0, count = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    sum += v;
    squares += v * v;
    ++count;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean) / std::max(1.0, count - 1))};
}

Vector squared_errors(const Model& model) {
  return (training_targets(model) - model.provenance.held_out.mean).array().square();
}

double number_or_nan(const HeldOutRows& held) {
  return held.rows.empty() ? std::numeric_limits<double>::quiet_NaN() : evaluate(held.prediction, held.y).nlpd;
}

}  // namespace

Comparison compare(std::vector<Contender> contenders) {
  Comparison out;
  for (Contender& contender : contenders) {
    const Model& model = contender.result.model;
    if (contender.failure.empty() && model.provenance.held_out.empty())
      contender.failure = "it has no cross-validation error";
    if (!contender.failure.empty()) {
      out.failed.push_back(std::move(contender));
      continue;
    }
    Ranked ranked;
    const MeanWithError mse = mean_of(squared_errors(model));
    ranked.rmse = std::sqrt(mse.mean);
    ranked.rmse_error = mse.error / (2 * ranked.rmse);  // δ√m = δm/(2√m)
    ranked.nlpd = number_or_nan(held_out_rows(model));
    for (const auto& [phase, seconds] : contender.result.seconds) ranked.seconds += seconds;
    ranked.contender = std::move(contender);
    out.ranked.push_back(std::move(ranked));
  }
  std::stable_sort(out.ranked.begin(), out.ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rmse < b.rmse; });
  for (Ranked& ranked : out.ranked) {
    // The same rows are hard for all kernels: their differences are known better than the errors themselves.
    const Vector best = squared_errors(out.ranked.front().contender.result.model);
    const MeanWithError behind = mean_of(squared_errors(ranked.contender.result.model) - best);
    const double unit = std::pow(out.ranked.front().rmse, 2);
    ranked.behind = behind.mean / unit;
    ranked.behind_error = behind.error / unit;
  }
  return out;
}

bool Comparison::complete() const {
  const auto converged = [](const Ranked& r) {
    return r.contender.result.model.provenance.status == Status::converged;
  };
  return !ranked.empty() && failed.empty() && std::all_of(ranked.begin(), ranked.end(), converged);
}

std::string comparison_text(const Comparison& comparison) {
  std::string text = fmt::format("{:>4}  {:>22}  {:>20}  {:>9}  {:>8}  {}\n", "rank", "cv rmse", "mse behind the best",
                                 "nlpd", "time", "kernel");
  int rank = 0;
  for (const Ranked& r : comparison.ranked) {
    ++rank;
    const std::string behind = rank == 1 ? "" : fmt::format("{:.2f} ± {:.2f} %", 100 * r.behind, 100 * r.behind_error);
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

std::string comparison_json(const Comparison& comparison) {
  using Json = nlohmann::ordered_json;  // which writes what is not finite as null
  Json ranked = Json::array(), failed = Json::array();
  for (const Ranked& r : comparison.ranked) {
    const Model& model = r.contender.result.model;
    ranked.push_back({{"kernel", r.contender.kernel},
                      {"trained", model.kernel.to_string()},
                      {"noise", model.noise},
                      {"status", name_of(model.provenance.status)},
                      {"cv_rmse", r.rmse},
                      {"cv_rmse_error", r.rmse_error},
                      {"behind", r.behind},
                      {"behind_error", r.behind_error},
                      {"nlpd", r.nlpd},
                      {"seconds", r.seconds}});
  }
  for (const Contender& c : comparison.failed) failed.push_back({{"kernel", c.kernel}, {"reason", c.failure}});
  return Json{{"ranked", ranked}, {"failed", failed}}.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpcv
