#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "console/printable.hpp"
#include "console/text.hpp"

namespace gpcv::command {
namespace {

constexpr int longest_label = 44, longest_unit = 28;

/// Number of characters of a text in UTF-8.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Part of the kernel that a parameter belongs to: "se2" of "se2.l[3]"; empty for a tie.
std::string part_of(const ParameterRow& row) {
  const std::size_t dot = row.name.find('.');
  return dot == std::string::npos ? "" : row.name.substr(0, dot);
}

/// Input columns without an effect, each with the position of its input.
std::vector<std::pair<Index, std::size_t>> idle_columns(const Diagnostics& seen) {
  std::vector<std::pair<Index, std::size_t>> idle;
  for (const Relevance& r : seen.relevance) {
    if (!has_no_effect(seen, r)) continue;
    for (const Index c : seen.inputs[r.input].columns) idle.emplace_back(c, r.input);
  }
  return idle;
}

std::string line(const ParameterRow& row, int width) {
  return fmt::format("{:<{}}  {:.5g}{}{}{}", shortened(row.label, longest_label), width, row.value,
                     row.unit.empty() ? "" : fmt::format(" ({})", shortened(row.unit, longest_unit)),
                     standard_error_text(row.relative_error), row.remark.empty() ? "" : ", " + row.remark);
}

/// Lines of one part of the kernel: its length scales in order of importance, then its other parameters.
void add_part(std::vector<ParameterRow> rows, const Diagnostics& seen, int width, std::vector<std::string>& lines) {
  const auto of_input = [](const ParameterRow& row) { return row.column >= 0; };
  const auto others = std::stable_partition(rows.begin(), rows.end(), of_input);
  std::stable_sort(rows.begin(), others, [](const auto& a, const auto& b) { return a.relative < b.relative; });
  const auto idle = idle_columns(seen);
  std::set<std::size_t> folded;
  for (auto row = rows.begin(); row != others; ++row) {
    const auto found = std::find_if(idle.begin(), idle.end(), [&](const auto& i) { return i.first == row->column; });
    if (found == idle.end()) {
      lines.push_back(line(*row, width));
    } else {
      folded.insert(found->second);
    }
  }
  if (folded.size() == 1)
    lines.push_back(fmt::format("1 input with no effect: {}", printable(seen.inputs[*folded.begin()].name)));
  if (folded.size() > 1) lines.push_back(fmt::format("{} inputs with no effect", folded.size()));
  for (auto row = others; row != rows.end(); ++row) lines.push_back(line(*row, width));
}

}  // namespace

std::string shortened(const std::string& text, int most) {
  const std::string shown = printable(text);
  return fmt::format("{:.{}}", shown, most) == shown ? shown : fmt::format("{:.{}}…", shown, most - 1);
}

bool has_no_effect(const Diagnostics& seen, const Relevance& input) {
  constexpr double least = 0.01;
  return input.moved < least * seen.relevance.front().moved;
}

std::string standard_error_text(double error) {
  if (std::isnan(error)) return "";
  if (error < 0.5) return fmt::format(" ± {:.2g} %", 100 * error);
  if (error < 3) return fmt::format(", known to a factor of {:.2g}", std::exp(error));
  return ", standard error unknown";
}

std::string parameter_lines(const Diagnostics& seen, const std::vector<ParameterRow>& rows) {
  std::size_t widest = 0;
  std::vector<std::string> parts;  // in the order of the kernel; ties and the noise belong to none
  for (const ParameterRow& row : rows) {
    widest = std::max(widest, characters(shortened(row.label, longest_label)));
    if (std::find(parts.begin(), parts.end(), part_of(row)) == parts.end()) parts.push_back(part_of(row));
  }
  const bool several = parts.size() - static_cast<std::size_t>(std::count(parts.begin(), parts.end(), "")) > 1;
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    std::vector<ParameterRow> own;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(own), [&](const auto& r) { return part_of(r) == part; });
    if (several) lines.push_back(part.empty() ? "others" : "of " + part);
    add_part(std::move(own), seen, static_cast<int>(widest), lines);
  }
  std::string text;
  for (const std::string& l : lines) text += fmt::format("{:<10} {}\n", text.empty() ? "parameters" : "", l);
  return text;
}

}  // namespace gpcv::command
