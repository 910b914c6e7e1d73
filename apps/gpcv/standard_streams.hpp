/// Standard streams that the caller has closed, and whether all that was printed could be written.
#pragma once

namespace gpcv::command {

/// Opens the standard streams that are closed, so that no file that is opened later takes the place of one: standard
/// output such that writing fails, standard error such that it goes nowhere.
void open_closed_streams();

/// Whether all that was printed to standard output could be written.
bool printed_all();

}  // namespace gpcv::command
