/// What the launcher that started this process says about it.
#pragma once

namespace gpcv {

/// Processes that were started together; 0: this one was started alone.
int launched_processes();
/// The number of this process among those started on this machine, from 0.
int place_on_machine();

}  // namespace gpcv
