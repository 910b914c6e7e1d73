/// Models as bytes in memory, for what keeps objects of Python or R.
#pragma once

#include <string>

#include "gpcv/export.hpp"
#include "gpcv/model.hpp"

namespace gpcv {

/// Bytes of the file that save() writes, so that what is kept is as compatible as the format of the file.
GPCV_EXPORT std::string bytes_of(const Model& model);
/// Model of such bytes. Throws InputError as load_model() does.
GPCV_EXPORT Model model_of(const std::string& bytes);

}  // namespace gpcv
