/// Remedies for errors and findings. The library names the remedy and its facts; each front end words it: the command
/// with flags, the Python package with parameters.
#pragma once

namespace gpcv {

/// Remedy for an error or a finding. The facts of a remedy are named beside it; the others have none.
enum class Remedy {
  none,                              ///< There is no remedy beyond the message.
  raise_memory,                      ///< Allow more memory.
  raise_memory_or_iterate,           ///< Allow more memory, or solve by conjugate gradients.
  raise_memory_or_use_fewer_rows,    ///< Allow more memory, or use fewer rows.
  raise_noise_or_factorise,          ///< Raise the noise variance, or solve by factorisation.
  use_processor,                     ///< Compute on the processor instead of a device.
  limit_time,                        ///< Set a time limit; the best values found so far are kept.
  limit_time_or_use_fewer_rows,      ///< Set a time limit, or use fewer rows.
  raise_time_limit,                  ///< Allow more time.
  resume_or_remove_checkpoint,       ///< Resume from the checkpoint, or remove its file.
  name_checkpoint,                   ///< Name the file of the checkpoint.
  omit_option,                       ///< Leave out an option. Fact: its name as a field of an options struct.
  hold_out_or_change_trainer,        ///< Validate on one hold-out split, or choose a trainer that takes several folds.
  free_parameter_or_use_likelihood,  ///< Free a parameter, or use the trainer that needs none.
  reserve_calibration_rows,          ///< Train again with a fraction of the rows reserved for calibration.
  draw_one_input,                    ///< Draw one input column, or draw the inputs at random.
  make_categorical,             ///< Correct the cell, leave the column out or treat it as categories. Fact: column.
  drop_missing_rows,            ///< Leave out the rows with missing cells. Fact: how many there are.
  add_rows_or_choose_inputs,    ///< Add rows, or use fewer input columns.
  leave_columns_out,            ///< Leave input columns out. Facts: their names.
  leave_one_column_out,         ///< Leave one of each pair of equal input columns out.
  name_inputs,                  ///< Add a column of inputs, or name the columns to use.
  group_rows,                   ///< Make folds from groups of rows.
  use_structured_folds,         ///< Make folds in time order, by groups or by blocks.
  use_time_folds,               ///< Make folds in the order of a column. Fact: its name.
  state_decimal,                ///< State the decimal mark of the numbers.
  average_unseen,               ///< Correct the cell, remove the row, or average over the levels of the training.
  name_id_column,               ///< Declare a column as the identifier of the rows. Fact: its name.
  change_transform,             ///< Use another transform of the target. Facts: texts of transforms that are possible.
  make_categorical_or_missing,  ///< Correct the cell, declare its text as missing, or make categories. Facts: column,
                                ///< text.
  convert_table,                ///< Read a file of Parquet by other means, or export it as text.
};

}  // namespace gpcv
