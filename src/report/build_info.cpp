#include "gpcv/version.hpp"

#include <H5public.h>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <zlib.h>

#include <Eigen/Core>
#include <nlopt.hpp>

#include "core/memory.hpp"
#include "gpcv/machine.hpp"
#include "gpcv/operator.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/trainer.hpp"

namespace gpcv {

std::string build_info() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  int nlopt_major = 0, nlopt_minor = 0, nlopt_bugfix = 0;
  nlopt_version(&nlopt_major, &nlopt_minor, &nlopt_bugfix);
  const auto backends = compiled_backends();
  const auto trainers = trainer_names();
  std::string text;
  text += fmt::format("gpcv             {}\n", version());
  text += fmt::format("instruction set  {}\n", instruction_set());
  text += fmt::format("backends         {} (auto: {})\n", fmt::join(backends, ", "), resolve_backend("auto"));
  for (const std::string& line : accelerators()) text += fmt::format("cuda             {}\n", line);
  text += fmt::format("trainers         {}\n", fmt::join(trainers, ", "));
  text += fmt::format("threads          {}\n", available_threads());
  text += fmt::format("memory           {} free\n", bytes(available_memory()));
  text += fmt::format("libraries        Eigen {}.{}.{}, Highway {}.{}, {}, HDF5 {}.{}.{}, NLopt {}.{}.{}, zlib {}\n",
                      EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, HWY_MAJOR, HWY_MINOR, blas_name(),
                      major, minor, release, nlopt_major, nlopt_minor, nlopt_bugfix, zlibVersion());
  return text;
}

}  // namespace gpcv
