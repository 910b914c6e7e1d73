#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/report.hpp"
#include "report/svg/panel.hpp"
#include "report/svg/svg_text.hpp"

namespace gpcv {
namespace {

using Shape = KeyEntry::Shape;

/// Largest numbers of dots, of marks below an effect, and of effects in a picture.
constexpr Index most_dots = 2000, most_rug_marks = 150;
constexpr std::size_t most_drawn_effects = 6;
constexpr double picture_margin = 12, heading_height = 34;
/// Note of the effect of one of several inputs.
constexpr const char* others = "the other inputs at their median";
constexpr double function_opacity = 0.34, rows_opacity = 0.15;

std::string target_of(const Model& model) { return model.columns.target.empty() ? "target" : model.columns.target; }

Vector picked(const Vector& values, const std::vector<Index>& rows) { return values(rows); }

/// Range of an effect with its interval.
Range range_of(const Effect& e) {
  const Band band = interval_of(e.function);
  Range range;
  for (const Vector* v : {&e.function.mean, &band.lower, &band.upper}) range.add(*v);
  return range;
}

/// Chart of the effect of a category: a bar per level.
std::string category_panel(Box box, const Effect& e, const Input& input, const std::string& target, const Range& range,
                           const std::string& note) {
  const Range levels{-0.5, static_cast<double>(input.levels.size()) - 0.5};
  Panel panel(box, {input.name, note, "", target, levels, range, input.levels});
  const Band function = interval_of(e.function);
  panel.bars(function, ink::curve, function_opacity);
  panel.dots(e.at, e.function.mean, ink::curve, 1);
  panel.key({{Shape::dot, ink::curve, 1, "prediction"}, {Shape::band, ink::curve, function_opacity, "95 %"}});
  return std::move(panel).finish();
}

std::string fit_panel(Box box, const Model& model, const Diagnostics& seen) {
  const Effect& e = seen.effects[0];
  const Input& input = seen.inputs[0];
  const std::string target = target_of(model);
  if (!input.levels.empty()) return category_panel(box, e, input, target, range_of(e).widened(0.06), "");
  const Vector all_x = training_inputs(model).col(0), all_y = training_targets(model);
  const std::vector<Index> rows = thinned(all_x.size(), most_dots);
  const Vector x = picked(all_x, rows), y = picked(all_y, rows);
  const Band function = interval_of(e.function), new_rows = interval_of(e.rows);
  Range horizontal, vertical;
  for (const Vector* v : {&e.at, &x}) horizontal.add(*v);
  for (const Vector* v : {&y, &e.function.mean, &new_rows.lower, &new_rows.upper}) vertical.add(*v);
  const std::string note = x.size() < all_x.size() ? fmt::format("{} of {} training rows are shown", grouped(x.size()),
                                                                 grouped(all_x.size()))
                                                   : fmt::format("{} training rows", grouped(x.size()));
  Panel panel(box, {fmt::format("{} over {}", target, input.name), note, input.name, target, horizontal.widened(0),
                    vertical.widened(0.04)});
  panel.band(e.at, new_rows, ink::curve, rows_opacity);
  panel.band(e.at, function, ink::curve, function_opacity);
  panel.dots(x, y, ink::points, 0.6);
  panel.line(e.at, e.function.mean, ink::curve, 2);
  panel.key({{Shape::line, ink::curve, 1, "prediction"},
             {Shape::band, ink::curve, 0.45, "95 % for the function"},
             {Shape::band, ink::curve, rows_opacity, "95 % of new rows"},
             {Shape::dot, ink::points, 0.6, "training rows"}});
  return std::move(panel).finish();
}

std::string observed_panel(Box box, const Model& model, const Diagnostics& seen) {
  const Assessment& a = seen.held_out;
  const std::vector<Index> rows = thinned(a.y.size(), most_dots);
  const Vector observed = picked(a.y, rows), predicted = picked(a.mean, rows);
  Range range;
  for (const Vector* v : {&observed, &predicted}) range.add(*v);
  range = range.widened(0.03);
  const std::string target = target_of(model);
  Panel panel(
      box, {"Held-out rows", fmt::format("{} rows, root mean square error {:.4g}", grouped(a.y.size()), a.metrics.rmse),
            "observed " + target, "predicted " + target, range, range});
  const Vector ends{{range.low, range.high}};
  panel.line(ends, ends, ink::faint, 1, true);
  panel.dots(observed, predicted, ink::curve, observed.size() > 400 ? 0.45 : 0.65);
  panel.key({{Shape::dot, ink::curve, 0.65, "row"}, {Shape::line, ink::faint, 1, "exact prediction"}});
  return std::move(panel).finish();
}

std::string calibration_panel(Box box, const Diagnostics& seen) {
  const Assessment& a = seen.held_out;
  const auto points = static_cast<Index>(a.curve.size());
  Vector promised(points), covered(points);
  for (Index i = 0; i < points; ++i) {
    promised(i) = 100 * a.curve[static_cast<std::size_t>(i)].promised;
    covered(i) = 100 * a.curve[static_cast<std::size_t>(i)].covered;
  }
  const Band chance = chance_of(a);
  Panel panel(box, {"Calibration of intervals",
                    fmt::format("95 % intervals contain {:.1f} % of {} held-out rows", 100 * a.metrics.coverage95,
                                grouped(a.with_deviation)),
                    "probability of the interval, %",
                    "rows inside, %",
                    {0, 100},
                    {0, 100}});
  panel.band(promised, {100 * chance.lower, 100 * chance.upper}, ink::faint, 0.2);
  const Vector ends{{0.0, 100.0}};
  panel.line(ends, ends, ink::faint, 1, true);
  panel.line(promised, covered, ink::curve, 2);
  panel.dots(promised, covered, ink::curve, 1);
  panel.key({{Shape::line, ink::curve, 1, "observed"},
             {Shape::line, ink::faint, 1, "nominal"},
             {Shape::band, ink::faint, 0.2, "chance"}});
  return std::move(panel).finish();
}

/// Chart of the effect of one of several inputs; all of them share the range of the target.
std::string effect_panel(Box box, const Model& model, const Diagnostics& seen, const Effect& e, const Range& target) {
  const Input& input = seen.inputs[e.input];
  if (!input.levels.empty()) return category_panel(box, e, input, target_of(model), target, others);
  Range horizontal;
  horizontal.add(e.at);
  Panel panel(box, {input.name, others, input.name, target_of(model), horizontal.widened(0), target});
  panel.band(e.at, interval_of(e.function), ink::curve, function_opacity);
  panel.line(e.at, e.function.mean, ink::curve, 2);
  const Vector x = training_inputs(model).col(input.columns[0]);
  Vector sorted = x;
  std::sort(sorted.begin(), sorted.end());
  panel.marks(picked(sorted, thinned(sorted.size(), most_rug_marks)));
  panel.key({{Shape::line, ink::curve, 1, "prediction"}, {Shape::band, ink::curve, function_opacity, "95 %"}});
  return std::move(panel).finish();
}

/// Range of the target in all charts of effects, so that their sizes compare.
Range range_of_effects(const std::vector<Effect>& effects) {
  Range range;
  for (const Effect& e : effects) {
    const Range one = range_of(e);
    range.add(one.low);
    range.add(one.high);
  }
  return range.widened(0.08);
}

/// Rows of charts from top to bottom, as many in each as there is room for.
class Layout {
 public:
  explicit Layout(int width) : width_(width) {}

  /// Place of chart `i` of `count` charts that share rows of at most `most` and have this height.
  Box place(std::size_t i, std::size_t count, std::size_t most, double height) {
    constexpr double least_width = 340;
    const double room = width_ - 2 * picture_margin;
    const auto columns =
        std::clamp<std::size_t>(static_cast<std::size_t>(room / least_width), 1, std::min(count, most));
    const std::size_t column = i % columns;
    if (column == 0) {
      top_ = bottom_;
      bottom_ += height;
    }
    const double each = room / static_cast<double>(columns);
    return {picture_margin + static_cast<double>(column) * each, top_, each - (columns > 1 ? 10 : 0), height - 12};
  }
  double height() const { return bottom_ + picture_margin; }

 private:
  double width_, top_ = heading_height, bottom_ = heading_height;
};

bool has(const std::vector<Plot>& plots, Plot plot) {
  return std::find(plots.begin(), plots.end(), plot) != plots.end();
}

/// Throws unless the chart applies to the model.
void require(const Diagnostics& seen, Plot plot) {
  if (has(plots_of(seen), plot)) return;
  switch (plot) {
    case Plot::fit:
      throw InputError(fmt::format(
          "the fit can be drawn over one input, the model has {}; effects shows the prediction along each of them",
          seen.inputs.size()));
    case Plot::effects:
      throw InputError("the model has one input, whose effect is the fit");
    case Plot::observed:
      throw InputError("the model has no held-out predictions");
    case Plot::calibration:
      throw InputError("the model has no variances of held-out rows, so that the calibration is not known");
  }
}

std::string heading(const Model& model, const Diagnostics& seen, int width) {
  const std::size_t d = seen.inputs.size();
  const std::string text =
      fmt::format("{} from {}: {} rows", target_of(model), d == 1 ? seen.inputs[0].name : fmt::format("{} inputs", d),
                  grouped(model.x.rows()));
  return fmt::format("<text x=\"20\" y=\"26\" font-size=\"17\" font-weight=\"600\">{}</text>\n",
                     svg_text(shortened(text, static_cast<std::size_t>(width / 10))));
}

}  // namespace

std::string_view name_of(Plot plot) {
  switch (plot) {
    case Plot::fit:
      return "fit";
    case Plot::observed:
      return "observed";
    case Plot::calibration:
      return "calibration";
    case Plot::effects:
      return "effects";
  }
  return "";
}

std::vector<Plot> plots_of(const Diagnostics& seen) {
  std::vector<Plot> plots;
  if (seen.inputs.size() == 1) plots.push_back(Plot::fit);
  if (!seen.held_out.empty()) plots.push_back(Plot::observed);
  if (seen.held_out.with_deviation > 0) plots.push_back(Plot::calibration);
  if (seen.inputs.size() > 1) plots.push_back(Plot::effects);
  return plots;
}

std::string svg_picture(const Model& model, const Diagnostics& seen, const std::vector<Plot>& plots, int width) {
  if (plots.empty()) throw InputError("a picture needs at least one chart");
  for (const Plot plot : plots) require(seen, plot);
  if (width < least_picture_width || width > most_picture_width) {
    throw InputError(
        fmt::format("a picture can be {} to {} pixels wide, not {}", least_picture_width, most_picture_width, width));
  }
  constexpr double tall = 400, low = 300;
  Layout layout(width);
  std::string elements = heading(model, seen, width), names;
  if (has(plots, Plot::fit)) elements += fit_panel(layout.place(0, 1, 1, tall), model, seen);
  const bool observed = has(plots, Plot::observed), calibration = has(plots, Plot::calibration);
  const std::size_t held_out = (observed ? 1 : 0) + (calibration ? 1 : 0);
  if (observed) elements += observed_panel(layout.place(0, held_out, 2, tall), model, seen);
  if (calibration) elements += calibration_panel(layout.place(held_out - 1, held_out, 2, tall), seen);
  if (has(plots, Plot::effects)) {
    const std::size_t shown = std::min(seen.effects.size(), most_drawn_effects);
    const std::vector<Effect> effects(seen.effects.begin(), seen.effects.begin() + static_cast<long>(shown));
    const Range target = range_of_effects(effects);
    for (std::size_t i = 0; i < shown; ++i) {
      elements += effect_panel(layout.place(i, shown, 3, low), model, seen, effects[i], target);
    }
  }
  for (const Plot plot : plots) names += (names.empty() ? "" : ", ") + std::string(name_of(plot));
  return svg_document(width, layout.height(), fmt::format("Gaussian process for {}", target_of(model)),
                      "Charts: " + names + ".", elements);
}

}  // namespace gpcv
