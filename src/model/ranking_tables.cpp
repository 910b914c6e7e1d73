#include "model/ranking_tables.hpp"

#include "model/consistency.hpp"

namespace gpcv {
namespace {

/// Parameters, rounds, loss, distance from the best with its standard error, and whether the kernel was chosen.
constexpr Index ranking_columns = 6;

void set_kernels(const std::vector<RankedKernel>& kernels, RankingTables& forms) {
  forms.kernel_numbers.resize(static_cast<Index>(kernels.size()), ranking_columns);
  for (const RankedKernel& k : kernels) {
    forms.kernel_numbers.row(static_cast<Index>(forms.kernel_texts.size())) << static_cast<double>(k.parameters),
        k.rounds, k.loss, k.behind, k.behind_error, k.chosen ? 1 : 0;
    forms.kernel_texts.emplace_back(k.name, k.kernel);
  }
}

void take_kernels(const RankingTables& forms, std::vector<RankedKernel>& kernels) {
  const auto rows = static_cast<Index>(forms.kernel_texts.size());
  const Matrix& m = forms.kernel_numbers;
  require(m.rows() == rows && (rows == 0 || m.cols() == ranking_columns), "the ranking of kernels is incomplete");
  for (Index i = 0; i < rows; ++i) {
    const auto& [name, text] = forms.kernel_texts[static_cast<std::size_t>(i)];
    require(m(i, 0) >= 0 && m(i, 0) < 1e9 && m(i, 1) >= 0 && m(i, 1) < 1e9, "the ranking of kernels is not possible");
    kernels.push_back(
        {name, text, static_cast<Index>(m(i, 0)), static_cast<int>(m(i, 1)), m(i, 2), m(i, 3), m(i, 4), m(i, 5) != 0});
  }
}

/// Increase of the error and its standard error.
constexpr Index importance_columns = 2;

void set_importance(const Importance& importance, RankingTables& forms) {
  forms.important_numbers.resize(static_cast<Index>(importance.inputs.size()), importance_columns);
  for (const InputImportance& input : importance.inputs) {
    forms.important_numbers.row(static_cast<Index>(forms.important_names.size())) << input.increase,
        input.standard_error;
    forms.important_names.push_back(input.name);
  }
}

void take_importance(const RankingTables& forms, Importance& importance) {
  const auto rows = static_cast<Index>(forms.important_names.size());
  const Matrix& m = forms.important_numbers;
  require(m.rows() == rows && (rows == 0 || m.cols() == importance_columns), "the importance of inputs is incomplete");
  for (Index i = 0; i < rows; ++i) {
    importance.inputs.push_back({forms.important_names[static_cast<std::size_t>(i)], m(i, 0), m(i, 1)});
  }
}

/// Rounds, loss, distance from the best with its standard error, and whether the transform was chosen.
constexpr Index transform_columns = 5;

void set_transforms(const std::vector<RankedTransform>& transforms, RankingTables& forms) {
  forms.transform_numbers.resize(static_cast<Index>(transforms.size()), transform_columns);
  for (const RankedTransform& t : transforms) {
    forms.transform_numbers.row(static_cast<Index>(forms.transform_texts.size())) << t.rounds, t.loss, t.behind,
        t.behind_error, t.chosen ? 1 : 0;
    forms.transform_texts.push_back(t.transform);
  }
}

void take_transforms(const RankingTables& forms, std::vector<RankedTransform>& transforms) {
  const auto rows = static_cast<Index>(forms.transform_texts.size());
  const Matrix& m = forms.transform_numbers;
  require(m.rows() == rows && (rows == 0 || m.cols() == transform_columns), "the ranking of transforms is incomplete");
  for (Index i = 0; i < rows; ++i) {
    require(m(i, 0) >= 0 && m(i, 0) < 1e9, "the ranking of transforms is not possible");
    transforms.push_back({forms.transform_texts[static_cast<std::size_t>(i)], static_cast<int>(m(i, 0)), m(i, 1),
                          m(i, 2), m(i, 3), m(i, 4) != 0});
  }
}

/// Row of the data and of the table, deviations and weight.
constexpr Index distrusted_columns = 4;

void set_distrusted(const RowTrust& trust, RankingTables& forms) {
  forms.distrusted_numbers.resize(static_cast<Index>(trust.distrusted.size()), distrusted_columns);
  for (const DistrustedRow& row : trust.distrusted) {
    forms.distrusted_numbers.row(static_cast<Index>(forms.distrusted_ids.size())) << static_cast<double>(row.row),
        static_cast<double>(row.table_row), row.deviations, row.weight;
    forms.distrusted_ids.push_back(row.id);
  }
}

void take_distrusted(const RankingTables& forms, RowTrust& trust) {
  const auto rows = static_cast<Index>(forms.distrusted_ids.size());
  const Matrix& m = forms.distrusted_numbers;
  require(m.rows() == rows && (rows == 0 || m.cols() == distrusted_columns),
          "the rows of little weight are incomplete");
  for (Index i = 0; i < rows; ++i) {
    const bool possible =
        m(i, 0) >= 0 && m(i, 0) < static_cast<double>(trust.weights.size()) && m(i, 1) >= 0 && m(i, 1) < 1e15;
    require(possible, "a row of little weight is not in the table");
    trust.distrusted.push_back({static_cast<Index>(m(i, 0)), static_cast<Index>(m(i, 1)),
                                forms.distrusted_ids[static_cast<std::size_t>(i)], m(i, 2), m(i, 3)});
  }
}

}  // namespace

RankingTables ranking_tables(const Provenance& provenance) {
  RankingTables tables;
  set_kernels(provenance.kernels, tables);
  set_transforms(provenance.transforms, tables);
  set_importance(provenance.importance, tables);
  set_distrusted(provenance.trust, tables);
  return tables;
}

void take_rankings(const RankingTables& tables, Provenance& provenance) {
  take_kernels(tables, provenance.kernels);
  take_transforms(tables, provenance.transforms);
  take_importance(tables, provenance.importance);
  take_distrusted(tables, provenance.trust);
}

}  // namespace gpcv
