#include "completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include "gpcv/fit.hpp"
#include "gpcv/kernel.hpp"
#include "usage.hpp"

namespace gpcv::command {
namespace {

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// Words of a text between separators.
std::vector<std::string> words_between(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::istringstream rest(text);
  for (std::string word; std::getline(rest, word, separator);) words.push_back(word);
  return words;
}

/// Values of the options that take more than a fixed choice: words with which a value may begin.
std::vector<std::string> usual_values(const std::string& option) {
  if (option == "candidates") return candidate_names();
  if (option == "noise") return {"auto", "learned"};
  if (option == "variance") return {"auto", "exact", "neighbours:"};
  if (option == "transform") return {"none", "auto", "log", "logit", "sqrt", "yeo-johnson"};
  if (option != "kernel") return {};
  std::vector<std::string> kernels = family_names();
  kernels.insert(kernels.begin(), "auto");
  return kernels;
}

/// Values that complete an option. CLI11 describes a choice as "TEXT:{auto,double}".
std::vector<std::string> values_of(const CLI::Option& option, const std::string& name) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (!option.get_option_text().empty()) return words_between(option.get_option_text(), '|');
  if (open != type.npos && close != type.npos) return words_between(type.substr(open + 1, close - open - 1), ',');
  return usual_values(name);
}

/// Values of the command's first argument: of help what it explains, of completion the shells; empty for a file.
std::vector<std::string> first_values(const CLI::App& app, const CLI::App& command) {
  if (command.get_name() == "help") return explained(app);
  const auto positional = command.get_options([](const CLI::Option* option) { return option->get_positional(); });
  return positional.empty() ? std::vector<std::string>() : values_of(*positional.front(), "");
}

/// Cases of a shell that set `values` after an option of one command; options with the same values share a case.
std::string bash_values(const CLI::App& command) {
  std::map<std::string, std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      const std::vector<std::string> values = values_of(*option, name);
      if (values.empty()) continue;
      std::string& names = options[fmt::format("{}", fmt::join(values, " "))];
      names += fmt::format("{}\"{} --{}\"", names.empty() ? "" : " | ", command.get_name(), name);
    }
  }
  std::string cases;
  for (const auto& [values, names] : options) cases += fmt::format("    {}) values=\"{}\" ;;\n", names, values);
  return cases;
}

/// A description in one line, without the characters that a shell would read.
std::string plain(std::string text) {
  text = text.substr(0, text.find_first_of("\n:;("));
  std::erase_if(text, [](char c) { return std::string_view("'\"`$[]\\").find(c) != std::string_view::npos; });
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// What zsh completes after an option: its values, or files.
std::string zsh_action(const CLI::Option& option, const std::string& name) {
  std::vector<std::string> values = values_of(option, name);
  if (!takes_value(option)) return "";
  if (values.empty()) return ":value:_files";
  for (std::string& value : values) {
    for (std::size_t at = 0; (at = value.find(':', at)) != value.npos; at += 2) value.insert(at, "\\");
  }
  return fmt::format(":value:({})", fmt::join(values, " "));
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string cases, values;
  for (const CLI::App* command : commands_of(app)) {
    const std::vector<std::string> first = first_values(app, *command);
    cases += fmt::format("    {}) words=\"--{}\"", command->get_name(), fmt::join(long_options(*command), " --"));
    if (!first.empty()) cases += fmt::format(" first=\"{}\"", fmt::join(first, " "));
    cases += " ;;\n";
    values += bash_values(*command);
  }
  return fmt::format(R"(# bash completion of gpcv: source <(gpcv completion bash)
_gpcv() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words="" first="" values=""
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{}" -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}  esac
  if ((COMP_CWORD == 2)); then values=${{values:-$first}}; fi
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  elif [[ -n $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _gpcv gpcv
)",
                     fmt::join(names_of(commands_of(app)), " "), cases, values);
}

std::string zsh_completion(const CLI::App& app) {
  std::string list, cases;
  for (const CLI::App* command : commands_of(app)) {
    const std::vector<std::string> first = first_values(app, *command);
    list += fmt::format("    '{}:{}'\n", command->get_name(), plain(command->get_description()));
    cases += fmt::format("    {}) _arguments", command->get_name());
    if (!first.empty()) cases += fmt::format(" '1:value:({})'", fmt::join(first, " "));
    cases += " '*:file:_files'";
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        cases +=
            fmt::format(" \\\n      '--{}[{}]{}'", name, plain(option->get_description()), zsh_action(*option, name));
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
    const std::string after = fmt::format("complete -c gpcv -n '__fish_seen_subcommand_from {}'", command->get_name());
    text += fmt::format("complete -c gpcv -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                        plain(command->get_description()));
    const std::vector<std::string> first = first_values(app, *command);
    if (!first.empty()) text += fmt::format("{} -f -a '{}'\n", after, fmt::join(first, " "));
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        const std::vector<std::string> values = values_of(*option, name);
        const std::string action = !takes_value(*option) ? ""
                                   : values.empty()      ? " -r"
                                                         : fmt::format(" -x -a '{}'", fmt::join(values, " "));
        text += fmt::format("{} -l {}{} -d '{}'\n", after, name, action, plain(option->get_description()));
      }
    }
  }
  return text;
}

}  // namespace gpcv::command
