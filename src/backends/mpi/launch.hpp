/// Facts about this process that its launcher provides.
#pragma once

namespace gpcv {

/// The number of processes that were started together; 0 if this process was started alone.
int launched_processes();
/// The index of this process among those started on this machine, from 0.
int place_on_machine();

}  // namespace gpcv
