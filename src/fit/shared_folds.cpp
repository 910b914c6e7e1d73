#include "fit/shared_folds.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "fit/fit_plan.hpp"
#include "planning/budget.hpp"

namespace gpcv {
namespace {

/// A row of the table: the first target that has it, and its place there.
struct Place {
  std::size_t target = 0;
  Index row = 0;
};

/// The rows that any target has, by their place in the table.
std::map<Index, Place> rows_of_any(const std::vector<Dataset>& targets) {
  std::map<Index, Place> rows;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    for (Index i = 0; i < targets[t].rows(); ++i) rows.try_emplace(targets[t].reading.table_row(i), Place{t, i});
  }
  return rows;
}

/// What folds are made of: inputs, times and labels of the rows. The target is that of the first one that has the row.
Dataset joined(const std::vector<Dataset>& targets, const std::map<Index, Place>& rows) {
  const Dataset& first = targets.front();
  const auto n = static_cast<Index>(rows.size());
  Dataset all{Matrix(n, first.inputs()), Vector(n), first.columns};
  if (first.time.size() > 0) all.time.resize(n);
  Index at = 0;
  for (const auto& [table_row, place] : rows) {
    const Dataset& from = targets[place.target];
    all.x.row(at) = from.x.row(place.row);
    all.y(at) = from.y(place.row);
    if (all.time.size() > 0) all.time(at) = from.time(place.row);
    if (!from.labels.empty()) all.labels.push_back(from.labels[static_cast<std::size_t>(place.row)]);
    ++at;
  }
  return all;
}

/// The places of a target's rows among the rows of any target.
std::vector<Index> places_of(const Dataset& target, const std::map<Index, Place>& rows) {
  std::vector<Index> places;
  Index next = 0;
  auto row = rows.begin();
  for (Index i = 0; i < target.rows(); ++i) {
    for (; row->first != target.reading.table_row(i); ++row) ++next;
    places.push_back(next);
  }
  return places;
}

/// The places of a target's rows in the table.
std::vector<Index> table_rows(const Dataset& target) {
  std::vector<Index> places;
  for (Index i = 0; i < target.rows(); ++i) places.push_back(target.reading.table_row(i));
  return places;
}

/// The number of the chosen rows that some fold validates.
Index validated_rows(const Folds& folds, const std::vector<Index>& chosen) {
  std::vector<bool> validates(static_cast<std::size_t>(folds.rows), false);
  for (const Fold& fold : folds.folds) {
    for (const Index row : fold.validation) validates[static_cast<std::size_t>(row)] = true;
  }
  return std::count_if(chosen.begin(), chosen.end(),
                       [&](Index row) { return validates[static_cast<std::size_t>(row)]; });
}

bool have_the_same_rows(const std::vector<Dataset>& targets) {
  const auto same = [&](const Dataset& other) {
    return other.rows() == targets.front().rows() && other.reading.dropped == targets.front().reading.dropped;
  };
  return std::all_of(targets.begin(), targets.end(), same);
}

}  // namespace

std::vector<std::optional<FoldOptions>> shared_folds(const std::vector<Dataset>& targets, const FitOptions& options) {
  std::vector<std::optional<FoldOptions>> out(targets.size(), options.folds);
  if (have_the_same_rows(targets)) return out;
  const std::map<Index, Place> rows = rows_of_any(targets);
  const Dataset all = joined(targets, rows);
  // Folds that a caller gives may be those of all rows of the table, of which some have no target.
  const bool of_table = options.folds && options.folds->folds && options.folds->folds->rows > rows.rbegin()->first;
  const FoldOptions how = fold_options_of(options, all.rows());
  const Folds folds = of_table ? *options.folds->folds : folds_of(all, options, with_budget(options.train.compute));
  for (std::size_t t = 0; t < targets.size(); ++t) {
    if (targets[t].rows() == folds.rows) continue;  // the options give the same folds
    const std::vector<Index> places = of_table ? table_rows(targets[t]) : places_of(targets[t], rows);
    auto part = std::make_shared<Folds>(folds.of_rows(places));
    // A target of few rows may have all of them in one fold; it then has folds of its own.
    const bool complete = part->size() > 0 && part->validated() >= validated_rows(folds, places);
    if (!complete && how.kind != FoldOptions::Kind::given) continue;
    out[t] = how;
    out[t]->folds = std::move(part);
  }
  return out;
}

}  // namespace gpcv
