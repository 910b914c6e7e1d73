#include <fmt/format.h>

#include "command.hpp"
#include "gpcv/version.hpp"

namespace gpcv::command {

void add_info(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("info", "Print version, instruction set, backends, threads and libraries");
  command->callback([&exit_code] {
    fmt::print("{}", build_info());
    exit_code = success;
  });
}

}  // namespace gpcv::command
