/// Out-of-fold predictions as a table.
#pragma once

#include <filesystem>

#include "gpcv/fit.hpp"
#include "gpcv/posterior.hpp"

namespace gpcv {

/// row,fold,target,mean,std,lower,upper, rows of the table and folds counted from 0; to standard output when the path
/// is empty.
void write_held_out(const FitResult& result, const HeldOutRows& held, double interval, const Reading& reading,
                    const std::filesystem::path& path);

}  // namespace gpcv
