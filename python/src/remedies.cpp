#include "remedies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "gpcv/trainer_settings.hpp"

namespace gpcv::python {
namespace {

std::string fact(const std::vector<std::string>& facts) { return facts.empty() ? "" : facts.front(); }

/// Parameter that sets a field of the library's options.
std::string parameter(const std::string& field) {
  // These are entries of the dictionary trainer_options; every other field is a parameter of its own.
  static const std::vector<std::string> entries = admm_setting_names();
  const bool entry = std::find(entries.begin(), entries.end(), field) != entries.end();
  return entry ? fmt::format("'{}' of trainer_options", field) : field + "=";
}

}  // namespace

std::string remedy_text(Remedy remedy, const std::vector<std::string>& facts) {
  switch (remedy) {
    case Remedy::none:
      return "";
    case Remedy::raise_memory:
      return "raise memory=";
    case Remedy::raise_memory_or_iterate:
      return "raise memory= or use solver='cg'";
    case Remedy::raise_memory_or_use_fewer_rows:
      return "raise memory= or use fewer rows";
    case Remedy::raise_noise_or_factorise:
      return "raise noise=, or use solver='cholesky'";
    case Remedy::use_processor:
      return "use backend='simd'";
    case Remedy::limit_time:
      return "time_limit= keeps the best so far";
    case Remedy::limit_time_or_use_fewer_rows:
      return "time_limit= keeps the best so far, or use fewer rows";
    case Remedy::raise_time_limit:
      return "raise time_limit=";
    case Remedy::resume_or_remove_checkpoint:
      return "go on from it with resume=True, or remove the file";
    case Remedy::name_checkpoint:
      return "name it with checkpoint=";
    case Remedy::omit_option:
      return fmt::format("leave out {}", parameter(fact(facts)));
    case Remedy::hold_out_or_change_trainer:
      return "choose a fraction for folds=, or trainer='naive' or 'consensus' for folds";
    case Remedy::free_parameter_or_use_likelihood:
      return "free one, or use trainer='likelihood'";
    case Remedy::reserve_calibration_rows:
      return "train it with calibration=0.2";
    case Remedy::draw_one_input:
      return "draw one input column, or draw the inputs at random";
    case Remedy::make_categorical:
      return "correct it, leave the column out, or encode it as indicator columns";
    case Remedy::make_categorical_or_missing:
      return "correct it, replace it by NaN if it means that there is no value, or encode the column as indicator "
             "columns";
    case Remedy::drop_missing_rows:
      return fmt::format("leave {} out of X and y", fact(facts) == "1" ? "the row" : "these rows");
    case Remedy::add_rows_or_choose_inputs:
      return "add rows, or leave columns of X out";
    case Remedy::leave_columns_out:
      return fmt::format("leave {} out of X", facts.size() == 1 ? "it" : "them");
    case Remedy::leave_one_column_out:
      return "leave one out of X";
    case Remedy::name_inputs:
      return "add a column to X";
    case Remedy::group_rows:
      return "if they name groups, pass them to fit as groups=";
    case Remedy::use_structured_folds:
      return "use folds='time:5', folds='blocks:5', or groups= in fit";
    case Remedy::use_time_folds:
      return fmt::format("use folds='time:5' and pass the column '{}' to fit as times=", fact(facts));
    case Remedy::state_decimal:
      return "convert the column to numbers";
    case Remedy::average_unseen:
      return "correct it, leave the row out of X, or use unseen='average'";
    case Remedy::name_id_column:
      return "if it identifies the rows, leave it out of X";
    case Remedy::convert_table:
      return "read it with pandas, or export it as CSV";
    case Remedy::change_transform:
      return fmt::format("use transform='{}'", fmt::join(facts, "' or '"));
  }
  return "";
}

std::string in_words(const Error& error) {
  const std::string text = remedy_text(error.remedy(), error.facts());
  return text.empty() ? error.what() : fmt::format("{}; {}", error.what(), text);
}

}  // namespace gpcv::python
