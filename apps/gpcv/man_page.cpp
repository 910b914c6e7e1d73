#include "man_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gpcv/version.hpp"

namespace gpcv::command {
namespace {

/// Text without characters that mean something to roff; a hyphen becomes a minus, which can be copied to a shell.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins = out.empty() || out.back() == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return out;
}

/// Paragraph of which the lines are kept.
std::string kept_lines(std::string text) {
  text.erase(0, text.find_first_not_of('\n'));
  text.erase(text.find_last_not_of('\n') + 1);
  return text.empty() ? "" : fmt::format(".nf\n{}\n.fi\n", escaped(text));
}

/// Term with its explanation. A line may break after each choice of an option.
std::string entry(const std::string& term, const std::string& more, const std::string& text) {
  std::string choices = escaped(more);
  for (std::size_t at = 0; (at = choices.find(',', at)) != std::string::npos; at += 3) choices.insert(at + 1, "\\:");
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", escaped(term), choices, escaped(text));
}

/// Options of a command, by groups; the positional ones come first.
std::string options_of(const CLI::App& command) {
  const CLI::Formatter help;
  std::string text;
  const auto section = [&](const std::string& title, bool positional, const auto& wanted) {
    std::string entries;
    for (const CLI::Option* option : command.get_options(wanted)) {
      entries += entry(help.make_option_name(option, positional), help.make_option_opts(option),
                       help.make_option_desc(option));
    }
    if (!entries.empty()) text += fmt::format(".SS {}\n{}", escaped(title), entries);
  };
  section("Arguments", true, [](const CLI::Option* o) { return o->get_positional() && !o->get_group().empty(); });
  for (const std::string& group : command.get_groups()) {
    if (group.empty()) continue;
    section(group, false, [&](const CLI::Option* o) { return o->nonpositional() && o->get_group() == group; });
  }
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

/// Usage line of the help without its first word.
std::string synopsis(const CLI::App& command, const std::string& name) {
  const std::string usage = CLI::Formatter().make_usage(&command, name);
  const std::size_t begin = usage.find(name) + name.size();
  return fmt::format("\\fB{}\\fR{}", escaped(name), escaped(usage.substr(begin, usage.find('\n') - begin)));
}

/// Text below the options; its examples have a section of their own.
std::string notes_of(const CLI::App& command) {
  const std::string footer = command.get_footer();
  const std::size_t example = std::min(footer.find("\nExample"), footer.size());
  const std::string notes = kept_lines(footer.substr(0, example)), examples = footer.substr(example);
  std::string text = notes.empty() ? "" : ".SH NOTES\n" + notes;
  if (!examples.empty()) text += ".SH EXAMPLES\n" + kept_lines(examples.substr(examples.find(":\n") + 2));
  return text;
}

/// Header and name of a page.
std::string beginning(const std::string& page, int section, const std::string& manual, const std::string& summary) {
  std::string title = page;
  std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(".TH {} {} \"\" \"gpcv {}\" \"{}\"\n.nh\n.ad l\n.SH NAME\n{} \\- {}\n", escaped(title), section,
                     version(), manual, escaped(page), escaped(summary));
}

}  // namespace

std::string man_page(const CLI::App& app, const CLI::App& command) {
  const bool whole = &command == &app;
  const std::string name = whole ? app.get_name() : app.get_name() + " " + command.get_name();
  std::string page_name = name;
  std::replace(page_name.begin(), page_name.end(), ' ', '-');
  const std::string description = command.get_description();
  const std::size_t first_line = std::min(description.find('\n'), description.size());
  std::string summary = description.substr(0, first_line);
  if (summary.ends_with('.')) summary.pop_back();

  std::string text = beginning(page_name, 1, "User Commands", summary);
  text += fmt::format(".SH SYNOPSIS\n{}\n", synopsis(command, name));
  const std::string more = kept_lines(description.substr(first_line));
  if (!more.empty()) text += ".SH DESCRIPTION\n" + more;
  std::string commands, others;
  for (const CLI::App* known : app.get_subcommands([](const CLI::App* c) { return !c->get_name().empty(); })) {
    const std::string page = app.get_name() + "-" + known->get_name();
    commands += entry(page, "(1)", known->get_description());
    if (known != &command) others += fmt::format(",\n.BR {} (1)", escaped(page));
  }
  if (whole) text += ".SH COMMANDS\n" + commands;
  text += options_of(command) + notes_of(command);
  if (!whole) text += fmt::format(".SH SEE ALSO\n.BR {} (1){}\n", escaped(app.get_name()), others);
  return text;
}

std::string man_page(const CLI::App& app, const HelpTopic& topic) {
  return beginning(app.get_name() + "-" + topic.name, 7, "gpcv", topic.summary) + ".SH DESCRIPTION\n" +
         kept_lines(topic.text) + fmt::format(".SH SEE ALSO\n.BR {} (1)\n", escaped(app.get_name()));
}

}  // namespace gpcv::command
