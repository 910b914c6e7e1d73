#include "remedies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "console/printable.hpp"

namespace gpcv::command {
namespace {

/// First fact of a remedy; empty when there is none.
std::string fact(const std::vector<std::string>& facts) { return facts.empty() ? "" : facts.front(); }

/// Flag that sets a field of the library's options: "rho_dual" becomes "--rho-dual".
std::string flag(std::string field) {
  std::replace(field.begin(), field.end(), '_', '-');
  return "--" + field;
}

std::string with_remedy(const std::string& problem, Remedy remedy, const std::vector<std::string>& facts) {
  const std::string text = remedy_text(remedy, facts);
  return text.empty() ? problem : fmt::format("{}; {}", problem, text);
}

}  // namespace

std::string as_argument(const std::string& text) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return "COLUMN";
    } else {
      quoted += c;
    }
  }
  return "'" + quoted + "'";
}

namespace {

/// Remedies that contain facts.
std::string remedy_with_facts(Remedy remedy, const std::vector<std::string>& facts) {
  switch (remedy) {
    case Remedy::omit_option:
      return fmt::format("leave out {}", flag(fact(facts)));
    case Remedy::make_categorical_or_missing:
      return fmt::format("correct it, use --na {} if it means that there is no value, or make the column --categorical",
                         as_argument(facts.size() > 1 ? facts[1] : "TEXT"));
    case Remedy::drop_missing_rows:
      return fmt::format("--missing drop leaves {} out", fact(facts) == "1" ? "the row" : "these rows");
    case Remedy::leave_columns_out:
      return fmt::format("leave {} out with --features", facts.size() == 1 ? "it" : "them");
    case Remedy::use_time_folds:
      return fmt::format("use --time {}", as_argument(fact(facts)));
    case Remedy::name_id_column:
      return fmt::format("if it identifies the rows, use --id {}", as_argument(fact(facts)));
    case Remedy::change_transform:
      return fmt::format("use --transform {}", fmt::join(facts, " or "));
    default:
      return "";
  }
}

}  // namespace

std::string remedy_text(Remedy remedy, const std::vector<std::string>& facts) {
  switch (remedy) {
    case Remedy::none:
      return "";
    case Remedy::omit_option:
    case Remedy::make_categorical_or_missing:
    case Remedy::drop_missing_rows:
    case Remedy::leave_columns_out:
    case Remedy::use_time_folds:
    case Remedy::name_id_column:
    case Remedy::change_transform:
      return remedy_with_facts(remedy, facts);
    case Remedy::raise_memory:
      return "raise --memory";
    case Remedy::raise_memory_or_iterate:
      return "raise --memory or use --solver cg";
    case Remedy::raise_memory_or_use_fewer_rows:
      return "raise --memory or use fewer rows";
    case Remedy::raise_noise_or_factorise:
      return "raise the noise, or use --solver cholesky";
    case Remedy::use_processor:
      return "use --backend simd";
    case Remedy::limit_time:
      return "--time-limit SECONDS keeps the best so far";
    case Remedy::limit_time_or_use_fewer_rows:
      return "--time-limit SECONDS keeps the best so far, or use fewer rows";
    case Remedy::raise_time_limit:
      return "raise --time-limit";
    case Remedy::resume_or_remove_checkpoint:
      return "go on from it with --resume, or remove the file";
    case Remedy::name_checkpoint:
      return "name it with --checkpoint FILE";
    case Remedy::hold_out_or_change_trainer:
      return "choose --holdout, or --trainer naive or consensus for folds";
    case Remedy::free_parameter_or_use_likelihood:
      return "free one, or use --trainer likelihood";
    case Remedy::reserve_calibration_rows:
      return "train it with --calibration 0.2";
    case Remedy::draw_one_input:
      return "use --dims 1 or --inputs random";
    case Remedy::make_categorical:
      return "correct it, leave the column out, or make it --categorical";
    case Remedy::add_rows_or_choose_inputs:
      return "add rows, or leave inputs out with --features";
    case Remedy::leave_one_column_out:
      return "leave one out with --features";
    case Remedy::name_inputs:
      return "add one, or name it in --features";
    case Remedy::group_rows:
      return "if it names groups, let --groups make the folds";
    case Remedy::use_structured_folds:
      return "use --time COLUMN, --groups COLUMN or --blocks 5";
    case Remedy::state_decimal:
      return "use --decimal comma or --decimal point";
    case Remedy::average_unseen:
      return "correct it, remove the row, or use --unseen average";
    case Remedy::convert_table:
      return "export it as CSV, or run python -m gpcv with the same arguments, which reads it";
  }
  return "";
}

std::string in_words(const Error& error) {
  return with_remedy(printable_lines(error.what()), error.remedy(), error.facts());
}

std::vector<Finding> in_words(std::vector<Finding> findings) {
  for (Finding& finding : findings) finding.text = with_remedy(printable(finding.text), finding.remedy, finding.facts);
  return findings;
}

}  // namespace gpcv::command
