#include "remedies.hpp"

#include <algorithm>
#include <cctype>

#include "gpcv/trainer_settings.hpp"

namespace gpcv::r {
namespace {

std::string fact(const std::vector<std::string>& facts) { return facts.empty() ? "" : facts.front(); }

/// Argument that sets a field of the library's options.
std::string argument(const std::string& field) {
  // These are entries of the list that gpcv_control() makes; every other field is an argument of its own.
  std::vector<std::string> entries = admm_setting_names();
  for (const char* more : {"standardize", "max_iterations", "prior", "start", "epsilon", "derivatives", "period_scan",
                           "precision", "solver", "rank"}) {
    entries.emplace_back(more);
  }
  const bool entry = std::find(entries.begin(), entries.end(), field) != entries.end();
  return entry ? "'" + field + "' of gpcv_control()" : "'" + field + "'";
}

/// Name as R's code writes it.
std::string as_name(const std::string& name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_'; };
  const bool is_plain = !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '.') &&
                        std::all_of(name.begin(), name.end(), plain);
  return is_plain ? name : "`" + name + "`";
}

/// Texts in quotation marks, with `or` between them.
std::string quoted(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "\"" : " or \"") + text + "\"";
  return out;
}

/// Remedies that contain facts.
std::string remedy_with_facts(Remedy remedy, const std::vector<std::string>& facts) {
  switch (remedy) {
    case Remedy::omit_option:
      return "leave out " + argument(fact(facts));
    case Remedy::drop_missing_rows:
      return std::string("leave ") + (fact(facts) == "1" ? "the row" : "these rows") + " out with na.action = na.omit";
    case Remedy::leave_columns_out:
      return std::string("leave ") + (facts.size() == 1 ? "it" : "them") + " out of the formula, as in y ~ . - " +
             as_name(fact(facts));
    case Remedy::use_time_folds:
      return "use time = " + as_name(fact(facts));
    case Remedy::name_id_column:
      return "if it identifies the rows, leave it out of the formula, as in y ~ . - " + as_name(fact(facts));
    case Remedy::change_transform:
      return "use transform = " + quoted(facts);
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
    case Remedy::drop_missing_rows:
    case Remedy::leave_columns_out:
    case Remedy::use_time_folds:
    case Remedy::name_id_column:
    case Remedy::change_transform:
      return remedy_with_facts(remedy, facts);
    case Remedy::raise_memory:
      return "raise 'memory'";
    case Remedy::raise_memory_or_iterate:
      return "raise 'memory', or use gpcv_control(solver = \"cg\")";
    case Remedy::raise_memory_or_use_fewer_rows:
      return "raise 'memory', or use fewer rows";
    case Remedy::raise_noise_or_factorise:
      return "raise 'noise', or use gpcv_control(solver = \"cholesky\")";
    case Remedy::use_processor:
      return "use backend = \"simd\"";
    case Remedy::limit_time:
      return "'time_limit' keeps the best so far";
    case Remedy::limit_time_or_use_fewer_rows:
      return "'time_limit' keeps the best so far, or use fewer rows";
    case Remedy::raise_time_limit:
      return "raise 'time_limit'";
    case Remedy::resume_or_remove_checkpoint:
      return "go on from it with resume = TRUE, or remove the file";
    case Remedy::name_checkpoint:
      return "name it with 'checkpoint'";
    case Remedy::hold_out_or_change_trainer:
      return "choose a fraction for 'folds', or trainer = \"naive\" or \"consensus\" for folds";
    case Remedy::free_parameter_or_use_likelihood:
      return "free one, or use trainer = \"likelihood\"";
    case Remedy::reserve_calibration_rows:
      return "train it with calibration = 0.2";
    case Remedy::draw_one_input:
      return "draw one input column, or draw the inputs at random";
    case Remedy::make_categorical:
      return "correct it, leave the column out, or make it a factor";
    case Remedy::make_categorical_or_missing:
      return "correct it, replace it by NA if it means that there is no value, or make the column a factor";
    case Remedy::add_rows_or_choose_inputs:
      return "add rows, or leave inputs out of the formula";
    case Remedy::leave_one_column_out:
      return "leave one out of the formula";
    case Remedy::name_inputs:
      return "add a column of inputs";
    case Remedy::group_rows:
      return "if they name groups, give them as 'groups'";
    case Remedy::use_structured_folds:
      return "use 'time', 'groups' or folds = \"blocks:5\"";
    case Remedy::state_decimal:
      return "convert the column to numbers";
    case Remedy::average_unseen:
      return "correct it, leave the row out, or use unseen = \"average\"";
    case Remedy::convert_table:
      return "read it into a data frame, or export it as CSV";
  }
  return "";
}

std::string in_words(const Error& error) {
  const std::string remedy = remedy_text(error.remedy(), error.facts());
  return remedy.empty() ? error.what() : std::string(error.what()) + "; " + remedy;
}

}  // namespace gpcv::r
