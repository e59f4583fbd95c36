#include "cli/man_page.hpp"

#include <algorithm>

#include "cli/command.hpp"

namespace orderlab::cli {

namespace {

// Text as roff prints it, character for character.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool at_line_start = escaped.empty() || escaped.back() == '\n';
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      default:
        escaped += (c == '.' && at_line_start ? "\\&" : "") + std::string(1, c);
    }
  }
  return escaped;
}

std::string strong(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string placeholder(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// Lines that stand as they are.
std::string verbatim(std::string_view lines) {
  return ".EX\n" + roff(lines) + (lines.ends_with('\n') ? "" : "\n") + ".EE\n";
}

// "-o, --output REPORT.html", "--samples COUNT", "FILE".
std::string flag_title(const Flag& flag) {
  if (flag.positional) return placeholder(flag.key);
  std::string title;
  if (flag.letter != 0) title = strong(std::string("-") + flag.letter) + ", ";
  title += strong(flag.long_name());
  return flag.kind == FlagKind::toggle ? title : title + " " + placeholder(flag.value);
}

std::string flag_entry(const Flag& flag, std::span<const Options* const> options) {
  std::string text = ".TP\n" + flag_title(flag) + "\n" + roff(flag.help) + "\n";
  const std::string by_default = default_text(flag, options);
  if (!by_default.empty()) text += "(default: " + roff(by_default) + ")\n";
  if (flag.repeats && !flag.positional) text += "(may be repeated)\n";
  return text;
}

std::string command_section(const Command& command) {
  std::string usage = strong("orderlab " + std::string(command.name)) + " [" + placeholder("options") + "]";
  std::string flags;
  for (const Flag* flag : command.flags) {
    const std::string use = flag_title(*flag) + (flag->positional && flag->repeats ? " ..." : "");
    if (flag->required)
      usage += " " + use;
    else if (flag->positional)
      usage += " [" + use + "]";
    flags += flag_entry(*flag, command.options);
  }
  std::string text = ".SS " + roff(command.name) + "\n" + roff(command.summary) + "\n.PP\n" + usage + "\n" + flags;
  if (command.notes != nullptr) text += ".PP\n" + verbatim(command.notes());
  return text + ".PP\nExample:\n.PP\n" + verbatim(command.example);
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone\n"
    ".TP\n1\nthe answer is no: a mismatch, a value that order does not explain\n"
    ".TP\n2\nerror; one line on standard error says why\n"
    ".TP\n130\ninterrupted; what was finished is reported\n";

constexpr std::string_view kEnvironment =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBNO_COLOR\\fR\nno colors where \\fB\\-\\-color\\fR is auto\n"
    ".TP\n\\fBCOLUMNS\\fR\nwidth of the text where standard output is not a terminal\n";

}  // namespace

std::string man_page() {
  std::string page = ".TH ORDERLAB 1 \"\" \"" + roff(program_version()) + "\" \"User Commands\"\n";
  page += ".SH NAME\norderlab \\- what summation order does to floating\\-point results\n";
  page += ".SH SYNOPSIS\n" + strong("orderlab") + " " + placeholder("command") + " [" + placeholder("options") + "]\n";
  page += ".SH DESCRIPTION\n" + roff(kAbout) + "\n.PP\nCounts may be written 1000, 1e6, 1_000_000 or 2\\(ha20.\n";
  page += strong("orderlab list") +
          " has all orders, stages, arrival models, distributions, metrics, kernels and "
          "formats.\n";
  page += ".SH OPTIONS\n" + flag_entry(kHelpFlag, {}) + flag_entry(kVersionFlag, {});
  page += ".SH COMMANDS\n";
  for (const Command* command : commands()) page += command_section(*command);
  return page.append(kExitStatus).append(kEnvironment);
}

}  // namespace orderlab::cli
