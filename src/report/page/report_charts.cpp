/// Data of the charts on the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "gpcv/quantity.hpp"
#include "gpcv/verdict.hpp"
#include "report/bands.hpp"
#include "report/page/report_json.hpp"

namespace gpcv {
namespace {

using Json = PageJson;

/// Largest numbers of points in a scatter plot, marks below an effect, points of a line, and lines.
constexpr Index most_points = 2000, most_marks = 150, most_steps = 400, most_runs = 60;
constexpr double least_distance = 1e-3;  ///< smallest distance of a log likelihood from the best that is shown

/// Number rounded to nine digits, which is more than a chart can show. A value that is not finite is written as null.
double number(double value) { return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr); }

template <class Values>
Json numbers(const Values& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

/// Adds the bounds of the central 95 % intervals.
void add_band(Json& json, const std::string& prefix, const Prediction& p) {
  if (p.variance.size() == 0) return;
  const Band band = interval_of(p);
  json[prefix + "lower"] = numbers(band.lower);
  json[prefix + "upper"] = numbers(band.upper);
}

}  // namespace

Json convergence_json(const Model& model) {
  const Matrix& trace = model.provenance.trace;
  const auto column = [&](const char* name) { return model.provenance.trace_column(name); };
  const Index restart = column("restart"), fold = column("fold"), rows = column("rows"),
              iteration = column("iteration"), objective = column("objective"), seconds = column("seconds");
  if (trace.rows() == 0 || std::min({restart, iteration, objective}) < 0) return nullptr;
  using Key = std::tuple<double, double, double>;
  std::map<Key, std::vector<Index>> runs;
  std::set<double> starts, folds, sizes;
  double best = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < trace.rows(); ++i) {
    const auto at = [&](Index place) { return place < 0 ? 0 : trace(i, place); };
    if (!std::isfinite(at(objective))) continue;
    runs[{at(restart), at(fold), at(rows)}].push_back(i);
    starts.insert(at(restart));
    folds.insert(at(fold));
    sizes.insert(at(rows));
    best = std::min(best, at(objective));
  }
  const bool any_step = std::any_of(runs.begin(), runs.end(), [](const auto& run) { return run.second.size() > 1; });
  if (!any_step) return nullptr;
  // A log likelihood may have either sign, so a logarithmic axis shows its distance from the best.
  const bool by_folds = uses_folds(model.provenance.trainer);
  const auto shown = [&](double value) { return by_folds ? value : std::max(value - best, least_distance); };
  Json series = Json::array();
  for (const Index r : thinned(static_cast<Index>(runs.size()), most_runs)) {
    const auto& [key, steps] = *std::next(runs.begin(), r);
    const auto& [start, of_fold, size] = key;
    std::string name = fmt::format("start {:.0f}", start + 1);
    if (folds.size() > 1) name += of_fold < 0 ? ", all folds" : fmt::format(", fold {:.0f}", of_fold + 1);
    if (sizes.size() > 1) name += fmt::format(", {} rows", grouped(std::llround(size)));
    Json one = {{"name", name}, {"iteration", Json::array()}, {"objective", Json::array()}};
    for (const Index s : thinned(static_cast<Index>(steps.size()), most_steps)) {
      const Index i = steps[static_cast<std::size_t>(s)];
      one["iteration"].push_back(number(trace(i, iteration)));
      if (seconds >= 0) one["seconds"].push_back(number(trace(i, seconds)));
      one["objective"].push_back(number(shown(trace(i, objective))));
    }
    series.push_back(std::move(one));
  }
  return {{"objective", by_folds ? "hold-out error (standardised MSE)" : "log likelihood below the best"},
          {"logarithmic", !by_folds || best > 0},
          {"by_fold", folds.size() > 1},
          {"series", series}};
}

Json assessment_json(const Assessment& a) {
  if (a.empty()) return nullptr;
  Json truth = Json::array(), mean = Json::array(), residual = Json::array(), outlier = Json::array();
  for (const Index i : thinned(a.y.size(), most_points)) {
    truth.push_back(number(a.y(i)));
    mean.push_back(number(a.mean(i)));
    residual.push_back(number(a.y(i) - a.mean(i)));
    outlier.push_back(std::abs(a.z(i)) > 4 ? 1 : 0);
  }
  Json json = {{"rows", a.y.size()},   {"rows_with_variance", a.with_deviation},
               {"truth", truth},       {"mean", mean},
               {"residual", residual}, {"outlier", outlier}};
  if (a.with_deviation == 0) return json;
  Json promised = Json::array(), covered = Json::array();
  for (const CalibrationPoint& p : a.curve) {
    promised.push_back(number(100 * p.promised));
    covered.push_back(number(100 * p.covered));
  }
  const Band chance = chance_of(a);
  json["calibration"] = {{"promised", promised},
                         {"covered", covered},
                         {"lower", numbers(Vector(100 * chance.lower))},
                         {"upper", numbers(Vector(100 * chance.upper))}};
  json["histogram"] = {{"edges", numbers(a.histogram.edges)},
                       {"counts", numbers(a.histogram.counts)},
                       {"expected", numbers(a.histogram.expected)}};
  return json;
}

Json effects_json(const Model& model, const Diagnostics& f) {
  const Matrix x = training_inputs(model);
  Json list = Json::array();
  for (const Effect& e : f.effects) {
    const Input& input = f.inputs[e.input];
    Json json = {{"name", input.name}, {"at", numbers(e.at)}, {"mean", numbers(e.function.mean)}};
    if (!input.levels.empty()) json["levels"] = input.levels;
    add_band(json, "", e.function);
    if (f.inputs.size() == 1) {
      add_band(json, "row_", e.rows);
      if (input.levels.empty()) {
        const std::vector<Index> shown = thinned(x.rows(), most_points);
        json["x"] = numbers(Vector(x.col(0)(shown)));
        json["y"] = numbers(Vector(training_targets(model)(shown)));
      }
    } else if (input.levels.empty()) {
      Vector sorted = x.col(input.columns[0]);
      std::sort(sorted.begin(), sorted.end());
      json["marks"] = numbers(Vector(sorted(thinned(sorted.size(), most_marks))));
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json importance_json(const Diagnostics& f) {
  if (f.importance.inputs.size() < 2) return nullptr;
  Json names = Json::array(), increase = Json::array(), errors = Json::array(), relative = Json::array();
  for (const InputImportance& input : f.importance.inputs) {
    names.push_back(input.name);
    increase.push_back(number(input.increase));
    errors.push_back(number(input.standard_error));
    relative.push_back(number(100 * input.increase / f.importance.rmse));
  }
  return {
      {"rows", f.importance.rows}, {"names", names}, {"increase", increase}, {"error", errors}, {"relative", relative}};
}

Json relevance_json(const Diagnostics& f) {
  if (f.relevance.empty()) return nullptr;
  Json names = Json::array(), moved = Json::array(), inverse = Json::array();
  double longest = 0;
  for (const Relevance& r : f.relevance)
    longest = std::max(longest, std::isnan(r.inverse_length) ? 0 : r.inverse_length);
  for (const Relevance& r : f.relevance) {
    names.push_back(f.inputs[r.input].name);
    moved.push_back(number(r.moved));
    inverse.push_back(number(r.inverse_length / longest));
  }
  Json json = {{"names", names}, {"moved", moved}};
  if (longest > 0) json["inverse_length"] = inverse;
  return json;
}

Json components_json(const Diagnostics& f) {
  if (f.components.empty()) return nullptr;
  Json names = Json::array(), spreads = Json::array(), curves = Json::array();
  for (const ComponentEffect& c : f.components) {
    names.push_back(c.name);
    spreads.push_back(number(c.spread));
    if (c.function.mean.size() == 0 || c.name == "mean.constant") continue;
    Json curve = {{"name", c.name}, {"mean", numbers(c.function.mean)}};
    add_band(curve, "", c.function);
    curves.push_back(std::move(curve));
  }
  Json json = {{"names", names}, {"spread", spreads}};
  if (!curves.empty()) {
    json["at"] = numbers(f.effects[0].at);
    json["curves"] = curves;
  }
  return json;
}

Json noise_json(const Model& model, const Diagnostics& f) {
  if (f.noise.empty()) return nullptr;
  Json curves = Json::array();
  for (const NoiseEffect& e : f.noise) {
    const Input& input = f.inputs[e.input];
    Json curve = {{"name", input.name}, {"at", numbers(e.at)}, {"mean", numbers(e.deviation)}};
    if (!input.levels.empty()) curve["levels"] = input.levels;
    curves.push_back(std::move(curve));
  }
  return {{"text", noise_in_words(model)}, {"curves", curves}};
}

}  // namespace gpcv
