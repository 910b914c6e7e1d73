#include "gpcv/report.hpp"
#include "report/svg/panel.hpp"

namespace gpcv {

std::string to_svg(const FitChart& chart) {
  constexpr double width = 900, height = 480;
  Range horizontal, vertical;
  for (const Vector* x : {&chart.train_x, &chart.test_x, &chart.x}) horizontal.add(*x);
  for (const Vector* y : {&chart.train_y, &chart.test_y, &chart.lower, &chart.upper}) vertical.add(*y);
  Panel panel({8, 8, width - 16, height - 16},
              {chart.title, "", chart.x_label, chart.y_label, horizontal.widened(0), vertical.widened(0.04)});
  panel.band(chart.x, {chart.lower, chart.upper}, ink::curve, 0.3);
  panel.line(chart.x, chart.mean, ink::curve, 1.3);
  panel.dots(chart.train_x, chart.train_y, ink::points, 0.7);
  std::vector<KeyEntry> key{{KeyEntry::Shape::line, ink::curve, 1, "prediction"},
                            {KeyEntry::Shape::band, ink::curve, 0.3, "95 % interval"},
                            {KeyEntry::Shape::dot, ink::points, 0.7, "training rows"}};
  if (chart.test_x.size() > 0) {
    panel.dots(chart.test_x, chart.test_y, ink::other_points, 0.9);
    key.push_back({KeyEntry::Shape::dot, ink::other_points, 0.9, "held-out rows"});
  }
  panel.key(key);
  return svg_document(width, height, chart.title, "Prediction with 95 % intervals over " + chart.x_label + ".",
                      std::move(panel).finish());
}

}  // namespace gpcv
