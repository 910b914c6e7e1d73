#include "fit/kernel_candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "gpcv/error.hpp"
#include "gpcv/fit.hpp"

namespace gpcv {
namespace {

constexpr std::array<std::string_view, 5> families{"se", "matern52", "matern32", "matern12", "rq"};
/// Sums of parts that each have a length scale for every input. Which inputs act together, and which alone, shows in
/// the lengths: an input with a long one does not matter to that part.
constexpr std::array<std::string_view, 6> sums{"se+matern32",       "se+se",    "matern32+matern32",
                                               "matern32+matern12", "se+se+se", "se+matern32+matern32"};
/// Starts of a sum: of 8 random ones, one in three comes near the best error on real tables, and the others end up to
/// a quarter above it.
constexpr int starts_of_sums = 3;
/// Inputs up to which a sum has one term for each, and up to which sums of parts are all tried.
constexpr Index most_terms = 20;

/// Columns whose own term may be curved: those with more than two values.
std::vector<Index> curved_columns(ConstView x) {
  std::vector<Index> columns;
  for (Index c = 0; c < x.cols(); ++c) {
    std::set<double> values;
    for (Index i = 0; i < x.rows() && values.size() < 3; ++i) values.insert(x(i, c));
    if (values.size() > 2) columns.push_back(c);
  }
  return columns;
}

/// "matern32(ard) + matern32(on=[0]) + …"; empty where it would repeat another candidate or have too many terms.
std::string one_input_sum(ConstView x) {
  const std::vector<Index> columns = curved_columns(x);
  if (x.cols() < 2 || x.cols() > most_terms || columns.empty()) return "";
  std::string text = "matern32(ard)";
  for (const Index c : columns) text += fmt::format(" + matern32(on=[{}])", c);
  return text;
}

/// "se(ard) + matern32(ard)" for the name "se+matern32".
std::string sum_of_parts(std::string_view name, std::string_view each) {
  std::string text;
  for (const char c : name) text += c == '+' ? fmt::format("{} + ", each) : std::string(1, c);
  return text += each;
}

}  // namespace

std::vector<std::string> candidate_names() {
  std::vector<std::string> names(families.begin(), families.end());
  for (const std::string_view family : families) names.push_back(fmt::format("{}+linear", family));
  names.insert(names.end(), sums.begin(), sums.end());
  names.insert(names.end(), {"one-input-sum", "seasonal", "seasonal+matern32", "two-seasons"});
  return names;
}

std::vector<KernelCandidate> kernel_candidates(ConstView x, const std::vector<double>& periods,
                                               const std::vector<std::string>& names) {
  const std::vector<std::string> all = candidate_names();
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) != all.end()) continue;
    throw InputError(fmt::format("there is no candidate '{}'; there are: {}", name, fmt::join(all, ", ")));
  }
  std::vector<KernelCandidate> out;
  const auto add = [&](const std::string& name, const std::string& text, int starts = 1) {
    const bool wanted = names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    if (wanted && !text.empty()) out.push_back({name, text, starts});
  };
  const std::string_view each = x.cols() > 1 ? "(ard)" : "";
  for (const std::string_view family : families) add(std::string(family), fmt::format("{}{}", family, each));
  for (const std::string_view family : families) {
    add(fmt::format("{}+linear", family), fmt::format("{0}{1} + linear{1}", family, each));
  }
  for (const std::string_view name : sums) {
    // One input has nothing to divide among parts, and very many would take too long: two scales are enough for them.
    const bool several = x.cols() > 1 && x.cols() <= most_terms;
    if (several || name == sums.front()) add(std::string(name), sum_of_parts(name, each), several ? starts_of_sums : 1);
  }
  add("one-input-sum", one_input_sum(x));
  for (std::size_t i = 0; x.cols() == 1 && i < periods.size(); ++i) {
    const std::string season = fmt::format("se + se*periodic(p={:.6g})", periods[i]);
    add("seasonal", season);
    add("seasonal+matern32", season + " + matern32");
  }
  if (x.cols() == 1 && periods.size() > 1) {
    add("two-seasons", fmt::format("se + se*periodic(p={:.6g}) + se*periodic(p={:.6g})", periods[0], periods[1]));
  }
  if (out.empty())
    throw InputError(fmt::format("none of the candidates {} suits these inputs", fmt::join(names, ", ")));
  return out;
}

}  // namespace gpcv
