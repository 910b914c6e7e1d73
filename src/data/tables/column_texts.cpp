#include "data/tables/column_texts.hpp"

#include <set>

#include "data/tables/cell.hpp"
#include "data/tables/notation.hpp"
#include "gpcv/error.hpp"

namespace gpcv::csv {
namespace {

/// As many rows tell what a column holds.
constexpr Index most_examined = 100'000;
/// Texts are few when there are at least this many other cells for each.
constexpr Index cells_per_text = 4;
/// Fewer rows than this may have different categories by chance.
constexpr Index least_different = 10;

struct TextCounts {
  Index cells = 0, texts = 0;
  std::set<std::string> different = {};
};

bool holds_text(std::string_view text) { return parse_cell(text).kind == CellKind::text && !is_written_number(text); }

TextCounts count_texts(Index position, const Table& table, const std::vector<std::string>& missing_texts) {
  TextCounts counts;
  Table again = table.again();
  for (Row row; counts.cells < most_examined && again.next(row);) {
    const std::string_view text = trim(row.cells[static_cast<std::size_t>(position)]);
    if (is_missing(text, missing_texts)) continue;
    ++counts.cells;
    if (!holds_text(text)) continue;
    ++counts.texts;
    counts.different.emplace(text);
  }
  return counts;
}

}  // namespace

Remedy remedy_for_text(Index position, const Table& table, const std::vector<std::string>& missing_texts) {
  if (!table.is_rereadable()) return Remedy::make_categorical;
  try {
    const TextCounts counts = count_texts(position, table, missing_texts);
    if (counts.texts * cells_per_text < counts.cells) return Remedy::make_categorical_or_missing;
    const bool differ = static_cast<Index>(counts.different.size()) == counts.cells;
    return differ && counts.cells >= least_different ? Remedy::name_id_column : Remedy::make_categorical;
  } catch (const InputError&) {
    // A later row is damaged; the text that was found comes first.
    return Remedy::make_categorical;
  }
}

}  // namespace gpcv::csv
