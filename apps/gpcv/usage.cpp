#include "usage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "gpcv/atomic_file.hpp"
#include "gpcv/named.hpp"
#include "man_page.hpp"

namespace gpcv::command {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

/// Names of a command's long options, without their dashes.
std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

/// Sentence about the first option that the command does not have; empty if it has all of them.
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> known = long_options(command);
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!argument.starts_with("--")) continue;
    const std::string name = argument.substr(2, argument.find('=') - 2);
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string similar = similar_name(known, name);
    return fmt::format("{} has no option --{}; {}", command.get_name(), name,
                       similar.empty() ? fmt::format("see 'gpcv {} --help'", command.get_name())
                                       : fmt::format("did you mean --{}?", similar));
  }
  return "";
}

/// Words after which a shell completes nothing: options without a value.
bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    cases += fmt::format("    {}) words=\"--{}\" ;;\n", command->get_name(), fmt::join(long_options(*command), " --"));
  }
  return fmt::format(R"(# bash completion of gpcv: source <(gpcv completion bash)
_gpcv() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words=""
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{}" -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _gpcv gpcv
)",
                     fmt::join(names_of(commands_of(app)), " "), cases);
}

/// A description in one line, without the characters that a shell would read.
std::string plain(std::string text) {
  text = text.substr(0, text.find_first_of("\n:;("));
  std::erase_if(text, [](char c) { return std::string_view("'\"`$[]\\").find(c) != std::string_view::npos; });
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  std::string list, cases;
  for (const CLI::App* command : commands_of(app)) {
    list += fmt::format("    '{}:{}'\n", command->get_name(), plain(command->get_description()));
    cases += fmt::format("    {}) _arguments '*:file:_files'", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        cases += fmt::format(" \\\n      '--{}[{}]{}'", name, plain(option->get_description()),
                             takes_value(*option) ? ":value:_files" : "");
      }
    }
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef gpcv
# zsh completion of gpcv: source <(gpcv completion zsh)
_gpcv() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=${{words[2]}}
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
# The first call runs this file itself where it lies among the functions of zsh.
if [[ $funcstack[1] = _gpcv ]]; then _gpcv "$@"; else compdef _gpcv gpcv; fi
)",
                     list, cases);
}

std::string fish_completion(const CLI::App& app) {
  std::string text = "# fish completion of gpcv: gpcv completion fish | source\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("complete -c gpcv -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                        plain(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        text +=
            fmt::format("complete -c gpcv -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n", command->get_name(),
                        name, takes_value(*option) ? " -r" : "", plain(option->get_description()));
      }
    }
  }
  return text;
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
  write("bash-completion/completions/gpcv", bash_completion(app));
  write("zsh/site-functions/_gpcv", zsh_completion(app));
  write("fish/vendor_completions.d/gpcv.fish", fish_completion(app));
}

/// Command that help is asked for; the program itself where the topic is empty.
const CLI::App& topic_of(const CLI::App& app, const std::string& topic) {
  if (topic.empty()) return app;
  const std::vector<const CLI::App*> commands = commands_of(app);
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const CLI::App* known) { return known->get_name() == topic; });
  if (found != commands.end()) return **found;
  throw InputError(
      fmt::format("there is no help on '{}'; there is help on {}", topic, fmt::join(names_of(commands), ", ")));
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
  if (first.starts_with("-")) return error.what();
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
  CLI::App* command = app.add_subcommand("help", "Explain a command");
  command->add_option("COMMAND", a->topic, "Command to explain");
  command->add_flag("--man", a->man, "Print the page of man instead of the help");
  command->add_option(
      "--share", a->folder,
      "Write all pages of man and the completions of all shells into this folder, as into ~/.local/share");
  command->callback([a, &app, &exit_code] {
    exit_code = success;
    if (!a->folder.empty()) return write_share(app, a->folder);
    const CLI::App& topic = topic_of(app, a->topic);
    if (a->man) {
      fmt::print("{}", man_page(app, topic));
    } else if (&topic == &app) {
      // App::help() would explain the command that is being run, which is this one.
      fmt::print("{}", app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    } else {
      fmt::print("{}", topic.help(app.get_name()));
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
