#include "usage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "completion.hpp"
#include "gpcv/atomic_file.hpp"
#include "gpcv/named.hpp"
#include "help_topics.hpp"
#include "man_page.hpp"

namespace gpcv::command {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

std::vector<std::string> explained(const CLI::App& app) {
  std::vector<std::string> names = names_of(commands_of(app));
  for (const HelpTopic& topic : help_topics()) names.push_back(topic.name);
  return names;
}

namespace {

/// Name of an option that the arguments misspell: "--traget", or "-target" with one dash; empty for no option.
std::string written_option(const std::string& argument) {
  const bool is_long = argument.starts_with("--");
  const bool letters = argument.size() > 1 && argument[0] == '-' &&
                       (is_long || std::isalpha(static_cast<unsigned char>(argument[1])) != 0);
  return letters ? argument.substr(0, argument.find('=')) : std::string();
}

/// Short option at the beginning of an argument, as -o in "-omodel.h5"; null for one that the command does not have.
const CLI::Option* short_option(const CLI::App& command, const std::string& written) {
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) {
      if (written.starts_with("-" + name)) return option;
    }
  }
  return nullptr;
}

/// The option of a command that one which it does not have probably means, with its dashes; empty for none.
std::string similar_option(const CLI::App& command, const std::string& written) {
  const std::string name = written.substr(written.find_first_not_of('-'));
  const std::vector<std::string> known = long_options(command);
  // One dash and a single letter stand for the only option that begins with it; more letters may be one of its name.
  if (name.size() == 1) {
    std::string only;
    for (const std::string& option : known) {
      if (!option.starts_with(name)) continue;
      if (!only.empty()) return "";
      only = "--" + option;
    }
    return only;
  }
  const std::string similar = similar_name(known, name);
  return similar.empty() ? "" : "--" + similar;
}

/// Whether the command has the option as it is written, or a short one that may be followed by its value.
bool has_option(const CLI::App& command, const std::string& written) {
  const std::vector<std::string> known = long_options(command);
  if (written.starts_with("--")) return std::find(known.begin(), known.end(), written.substr(2)) != known.end();
  const CLI::Option* option = short_option(command, written);
  if (option == nullptr) return false;
  return written.size() == 2 || option->get_items_expected_max() > 0;
}

/// Sentence about the first option that the command does not have; empty if it has all of them.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::string help =
      command.get_parent() == nullptr ? "gpcv --help" : fmt::format("gpcv {} --help", command.get_name());
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string written = written_option(argument);
    if (written.empty() || has_option(command, written)) continue;
    const std::string similar = similar_option(command, written);
    return fmt::format("{} has no option {}; {}", command.get_name(), written,
                       similar.empty() ? fmt::format("see '{}'", help) : fmt::format("did you mean {}?", similar));
  }
  return "";
}

/// Writes the pages of man and the scripts of completion, in the folders of share/ where each program looks for them.
void write_share(const CLI::App& app, const std::filesystem::path& folder) {
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    std::error_code error;
    std::filesystem::create_directories((folder / file).parent_path(), error);
    if (error) throw InputError(fmt::format("cannot create a folder for '{}': {}", file.string(), error.message()));
    write_text_atomically(folder / file, text);
  };
  write("man/man1/gpcv.1", man_page(app, app));
  for (const CLI::App* command : commands_of(app)) {
    write(fmt::format("man/man1/gpcv-{}.1", command->get_name()), man_page(app, *command));
  }
  for (const HelpTopic& topic : help_topics()) {
    write(fmt::format("man/man7/gpcv-{}.7", topic.name), man_page(app, topic));
  }
  write("bash-completion/completions/gpcv", bash_completion(app));
  write("zsh/site-functions/_gpcv", zsh_completion(app));
  write("fish/vendor_completions.d/gpcv.fish", fish_completion(app));
}

/// Command that help is asked for; the program itself where the topic is empty, null where it is no command.
const CLI::App* command_of(const CLI::App& app, const std::string& topic) {
  if (topic.empty()) return &app;
  for (const CLI::App* known : commands_of(app)) {
    if (known->get_name() == topic) return known;
  }
  return nullptr;
}

/// Topic that help is asked for. Throws InputError, which names the one that was probably meant.
HelpTopic topic_of(const CLI::App& app, const std::string& name) {
  for (const HelpTopic& topic : help_topics()) {
    if (topic.name == name) return topic;
  }
  const std::vector<std::string> names = explained(app);
  const std::string similar = similar_name(names, name);
  throw InputError(fmt::format("there is no help on '{}'; {}there is help on {}", name,
                               similar.empty() ? "" : fmt::format("did you mean {}? ", similar),
                               fmt::join(names, ", ")));
}

/// Help on a command, or on the program itself.
std::string help_text(const CLI::App& app, const CLI::App& command) {
  if (&command != &app) return command.help(app.get_name());
  // App::help() would explain the command that is being run, which is this one.
  return app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  const std::vector<const CLI::App*> commands = commands_of(app);
  const std::vector<std::string> names = names_of(commands);
  if (arguments.empty()) return fmt::format("a command is required: {}; see 'gpcv --help'", fmt::join(names, ", "));
  const std::string& first = arguments.front();
  const auto found = std::find(names.begin(), names.end(), first);
  if (found != names.end()) {
    // A mistyped option is the reason why another one is missing, or why a value was not expected.
    std::string unknown = unknown_option(*commands[static_cast<std::size_t>(found - names.begin())],
                                         {arguments.begin() + 1, arguments.end()});
    if (!unknown.empty()) return unknown;
    const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    return error.what() + std::string(extra ? "; lists are separated by commas without blanks, as in a,b,c" : "");
  }
  if (first.starts_with("-")) {
    const std::string unknown = unknown_option(app, {first});
    return unknown.empty() ? error.what() : unknown;
  }
  const std::string similar = similar_name(names, first);
  return fmt::format("unknown command '{}'; {}the commands are {}", first,
                     similar.empty() ? "" : fmt::format("did you mean {}? ", similar), fmt::join(names, ", "));
}

void add_help(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string topic, folder;
    bool man = false;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("help", "Explain a command or a topic");
  std::vector<std::string> topics;
  for (const HelpTopic& topic : help_topics()) topics.push_back(topic.name);
  command->add_option("COMMAND", a->topic,
                      fmt::format("Command to explain, or one of the topics {}", fmt::join(topics, ", ")));
  command->add_flag("--man", a->man, "Print the page of man instead of the help");
  command->add_option(
      "--share", a->folder,
      "Write all pages of man and the completions of all shells into this folder, as into ~/.local/share");
  command->callback([a, &app, &exit_code] {
    exit_code = success;
    if (!a->folder.empty()) return write_share(app, a->folder);
    if (const CLI::App* known = command_of(app, a->topic)) {
      fmt::print("{}", a->man ? man_page(app, *known) : help_text(app, *known));
    } else {
      const HelpTopic topic = topic_of(app, a->topic);
      fmt::print("{}", a->man ? man_page(app, topic) : topic.text);
    }
  });
}

void add_completion(CLI::App& app, int& exit_code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes arguments in a shell");
  command->footer(
      "\nExamples:\n  source <(gpcv completion bash)\n  source <(gpcv completion zsh)\n"
      "  gpcv completion fish | source");
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &app, &exit_code] {
    fmt::print("{}", *shell == "bash"  ? bash_completion(app)
                     : *shell == "zsh" ? zsh_completion(app)
                                       : fish_completion(app));
    exit_code = success;
  });
}

}  // namespace gpcv::command
