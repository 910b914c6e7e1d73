#include "kernels/column_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpcv/error.hpp"
#include "gpcv/named.hpp"

namespace gpcv {
namespace {

/// Whether a name can be written without quotes: it has letters of any alphabet, digits, '_', '.' and '-', and begins
/// with a letter or '_'.
bool is_plain(const std::string& name) {
  const auto letter = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), inner);
}

/// Name of the table's column that an input comes from: "colour" of the indicator "colour=red".
std::string table_column(const Columns& columns, std::size_t input) {
  const std::string& name = columns.features[input];
  const std::string level = input < columns.levels.size() ? columns.levels[input] : "";
  return level.empty() ? name : name.substr(0, name.size() - level.size() - 1);
}

/// Name in quotes on one line, for a message.
std::string quoted(std::string name) {
  constexpr int longest = 40;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  const std::string begin = fmt::format("{:.{}}", name, longest);
  return fmt::format("'{}{}'", begin, begin == name ? "" : "…");
}

/// Names that a kernel may use: inputs, and columns of categories.
std::vector<std::string> usable_names(const Columns& columns) {
  std::vector<std::string> names = columns.features;
  for (std::size_t c = 0; c < columns.features.size(); ++c) {
    const std::string name = table_column(columns, c);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

[[noreturn]] void fail_unknown(const std::string& name, const Columns& columns) {
  const std::vector<std::string> names = usable_names(columns);
  const std::string similar = similar_name(names, name);
  constexpr std::size_t most = 6;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) shown.push_back(quoted(names[i]));
  throw InputError(fmt::format(
      "the kernel uses the input {}, but there is no such input; {}", quoted(name),
      similar.empty() ? fmt::format("the inputs are {}{}", fmt::join(shown, ", "), names.size() > most ? ", …" : "")
                      : fmt::format("did you mean {}?", quoted(similar))));
}

/// Whether a name means several inputs that all have it, other than the indicators of one column.
bool is_ambiguous(const Columns& columns, const std::vector<Index>& found, const std::string& name) {
  return found.size() > 1 && columns.features[static_cast<std::size_t>(found[0])] == name;
}

}  // namespace

std::string name_in_grammar(const std::string& name) {
  if (is_plain(name)) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::vector<Index> inputs_named(const Columns& columns, const std::string& name) {
  std::vector<Index> exact, indicators;
  for (std::size_t c = 0; c < columns.features.size(); ++c) {
    if (columns.features[c] == name) exact.push_back(static_cast<Index>(c));
    if (table_column(columns, c) == name) indicators.push_back(static_cast<Index>(c));
  }
  return exact.empty() ? indicators : exact;
}

std::string inputs_in_grammar(const std::vector<Index>& inputs, const Columns& columns) {
  std::vector<std::string> parts;
  bool named = false;
  for (std::size_t i = 0; i < inputs.size();) {
    const auto c = static_cast<std::size_t>(inputs[i]);
    std::size_t meant = 0;
    for (const bool whole_column : {true, false}) {
      if (c >= columns.features.size() || meant > 0) break;
      const std::string name = whole_column ? table_column(columns, c) : columns.features[c];
      const std::vector<Index> found = inputs_named(columns, name);
      if (found.empty() || is_ambiguous(columns, found, name) || found.size() > inputs.size() - i ||
          !std::equal(found.begin(), found.end(), inputs.begin() + static_cast<std::ptrdiff_t>(i))) {
        continue;
      }
      meant = found.size();
      parts.push_back(name_in_grammar(name));
    }
    named = named || meant > 0;
    if (meant == 0) parts.push_back(fmt::format("{}", c));
    i += std::max<std::size_t>(meant, 1);
  }
  return named && parts.size() == 1 ? parts[0] : fmt::format("[{}]", fmt::join(parts, ","));
}

std::vector<Index> numbered(const std::vector<WrittenColumn>& written, const Columns& columns) {
  std::vector<Index> numbers;
  for (const WrittenColumn& column : written) {
    std::vector<Index> meant{column.number};
    if (!column.name.empty()) meant = inputs_named(columns, column.name);
    if (meant.empty()) fail_unknown(column.name, columns);
    if (is_ambiguous(columns, meant, column.name)) {
      throw InputError(fmt::format(
          "the kernel uses the input '{}', but several inputs have this name; use their numbers", column.name));
    }
    for (const Index number : meant) {
      if (std::find(numbers.begin(), numbers.end(), number) != numbers.end()) {
        throw InputError(
            fmt::format("the kernel uses the input {} twice in one list",
                        column.name.empty() ? fmt::format("{}", number) : fmt::format("'{}'", column.name)));
      }
      numbers.push_back(number);
    }
  }
  return numbers;
}

}  // namespace gpcv
