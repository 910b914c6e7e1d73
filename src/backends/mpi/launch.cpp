#include "backends/mpi/launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>

#include "gpcv/communicator.hpp"
#include "gpcv/error.hpp"

namespace gpcv {
namespace {

/// The value of the first of these variables that holds a number.
int number_of(std::initializer_list<const char*> names, int otherwise) {
  for (const char* name : names) {
    const char* text = std::getenv(name);
    if (text != nullptr && *text >= '0' && *text <= '9') return std::atoi(text);
  }
  return otherwise;
}

/// Opens the MPI module next to the library that contains this code, or else on the loader's search path.
void* open_library() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&launched_processes), &here) != 0) {
    const auto beside = std::filesystem::path(here.dli_fname).parent_path() / GPCV_MPI_LIBRARY;
    // The components of Open MPI need its symbols to be global.
    if (void* library = dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return dlopen(GPCV_MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
}

}  // namespace

// These variables are set by mpirun of Open MPI, by mpiexec of MPICH and its derivatives, and by srun with --mpi=pmi2
// or pmix. Plain srun, without MPI, starts independent copies.
int launched_processes() {
  const int said = number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}, 0);
  if (said > 0 || std::getenv("PMIX_RANK") == nullptr) return said;
  return number_of({"SLURM_NTASKS"}, 1);
}

int place_on_machine() {
  return launched_processes() > 1 ? number_of({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, 0)
                                  : 0;
}

bool agreed(const Communicator* communicator, bool said) {
  if (!shared(communicator)) return said;
  char word = said ? 1 : 0;
  communicator->broadcast_values(0, &word, 1);
  return word != 0;
}

std::shared_ptr<const Communicator> launched_communicator() {
  const int processes = launched_processes();
  if (processes < 1) return nullptr;
  void* library = open_library();
  if (library == nullptr) {
    if (processes == 1) return nullptr;
    throw NotCompiled(
        fmt::format("{} processes were started together, but {} cannot be opened ({}): install the MPI that the "
                    "launcher belongs to "
                    "and build gpcv with it",
                    processes, GPCV_MPI_LIBRARY, dlerror()));
  }
  const auto begin = reinterpret_cast<Communicator* (*)()>(dlsym(library, "gpcv_mpi_begin"));
  if (begin == nullptr) throw NotCompiled(fmt::format("{} is of another gpcv", GPCV_MPI_LIBRARY));
  std::shared_ptr<const Communicator> communicator(begin());
  if (processes > 1 && communicator->size() == 1) {
    throw NotCompiled(fmt::format(
        "{} processes were started together, but each finds itself alone: the launcher belongs to another MPI "
        "than gpcv was built with",
        processes));
  }
  return communicator;
}

}  // namespace gpcv
