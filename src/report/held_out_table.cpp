#include <cmath>

#include "gpcv/report.hpp"

namespace gpcv {

NumberTable held_out_table(const FitResult& result, const HeldOutRows& held, double interval, const Reading& reading) {
  std::vector<Index> fold_of(static_cast<std::size_t>(result.folds.rows), -1);
  for (std::size_t k = 0; k < result.folds.folds.size(); ++k) {
    for (const Index row : result.folds.folds[k].validation)
      fold_of[static_cast<std::size_t>(row)] = static_cast<Index>(k);
  }
  const double factor = interval_factor(interval, held.prediction.degrees);
  const Vector lower = held.prediction.at(-factor), upper = held.prediction.at(factor);
  Matrix table(static_cast<Index>(held.rows.size()), 7);
  for (Index i = 0; i < table.rows(); ++i) {
    const Index row = held.rows[static_cast<std::size_t>(i)];
    const double mean = held.prediction.mean(i), std = std::sqrt(held.prediction.variance(i));
    table.row(i) << static_cast<double>(reading.table_row(row)),
        static_cast<double>(fold_of[static_cast<std::size_t>(row)]), held.y(i), mean, std, lower(i), upper(i);
  }
  return {{"row", "fold", "target", "mean", "std", "lower", "upper"}, std::move(table)};
}

}  // namespace gpcv
