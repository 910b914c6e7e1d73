#include "training_run.hpp"

#include <algorithm>

#include "command.hpp"
#include "console/iteration_table.hpp"

namespace gpcv::command {

FitResult train_with_table(const std::string& source, const Dataset& data, FitOptions options, const Talk& talk,
                           const std::vector<Finding>& findings) {
  IterationTable table({source, data.columns, options, findings, talk.verbose}, talk.rows, talk.live);
  const std::shared_ptr<const Communicator> communicator = options.train.compute.communicator;
  // Ranks end together.
  if (shared(communicator.get())) stop_on_signal("stopping; press Ctrl-C again to end at once");
  options.train.compute.stop = [&] {
    if (stop_requested()) table.tell("stopping");
    table.tick();
    return any_rank_stops(communicator.get());
  };
  options.progress = [&](const std::string& text) { table.tell(text); };
  FitResult result = fit(
      data, options,
      [&](const IterationRecord& record) {
        table.row(record);
        return !any_rank_stops(communicator.get());
      },
      [&](const Problem& problem, const std::string& plan) { table.begin(problem, plan); });
  table.end();
  return result;
}

std::string command_text(int argc, char** argv) {
  std::string text = "gpcv";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool plain = !argument.empty() && std::all_of(argument.begin(), argument.end(), [](unsigned char c) {
      return std::isalnum(c) || std::string_view("_-./:,=+@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    std::string quoted;
    for (const char c : argument) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += plain ? " " + argument : " '" + quoted + "'";
  }
  return text;
}

}  // namespace gpcv::command
