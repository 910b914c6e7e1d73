/// Whether a launcher started this process together with others, and the library that talks to them.
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "gpcv/error.hpp"
#include "gpcv/team.hpp"

namespace gpcv {
namespace {

/// How many processes the launcher says it started. mpirun of Open MPI, mpiexec of MPICH and its relatives, and srun
/// with --mpi=pmi2 or pmix set these; srun alone, without MPI, starts copies that know nothing of one another.
int launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    if (const char* text = std::getenv(name); text != nullptr && std::atoi(text) > 0) return std::atoi(text);
  }
  if (std::getenv("PMIX_RANK") == nullptr) return 0;
  const char* tasks = std::getenv("SLURM_NTASKS");
  return tasks != nullptr ? std::atoi(tasks) : 1;
}

/// Beside the library this code is part of, or where the loader finds it.
void* open_library() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&launched_processes), &here) != 0) {
    const auto beside = std::filesystem::path(here.dli_fname).parent_path() / GPCV_MPI_LIBRARY;
    // Open MPI's own parts look for its symbols among the global ones.
    if (void* library = dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return dlopen(GPCV_MPI_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
}

}  // namespace

bool agreed(const Team* team, bool said) {
  if (!shared(team)) return said;
  char word = said ? 1 : 0;
  team->broadcast_values(0, &word, 1);
  return word != 0;
}

std::shared_ptr<const Team> launched_team() {
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
  const auto begin = reinterpret_cast<Team* (*)()>(dlsym(library, "gpcv_mpi_begin"));
  if (begin == nullptr) throw NotCompiled(fmt::format("{} is of another gpcv", GPCV_MPI_LIBRARY));
  return std::shared_ptr<const Team>(begin());
}

}  // namespace gpcv
