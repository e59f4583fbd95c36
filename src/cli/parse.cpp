// Parsing with CLI11: the only file that knows it.
#include "cli/parse.hpp"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "cli/first_questions.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "show/wrapped.hpp"

namespace orderlab::cli {

namespace {

// Columns of names in help.
constexpr int kFlagNames = 34;
constexpr int kCommandNames = 16;

// "-o", "--db", "stores"
std::string short_name(const Flag& flag) {
  return flag.letter == 0 ? flag.long_name() : std::string("-") + flag.letter;
}

// The flag that takes what stands behind --; null where -- has no meaning of its own.
const Flag* rest_of(const Command& command) {
  const auto found =
      std::find_if(command.flags.begin(), command.flags.end(), [](const Flag* f) { return f->kind == FlagKind::rest; });
  return found == command.flags.end() ? nullptr : *found;
}

// "Usage: orderlab merge --db OUT stores... [OPTIONS]": required arguments have no brackets.
std::string usage_of(const Command& command) {
  std::string usage = "orderlab " + std::string(command.name);
  for (const Flag* flag : command.flags) {
    if ((!flag->positional && !flag->required) || flag->kind == FlagKind::rest) continue;
    const std::string text =
        short_name(*flag) + (flag->positional ? flag->repeats ? "..." : "" : " " + std::string(flag->value));
    usage += flag->required ? " " + text : " [" + text + "]";
  }
  return usage + " [OPTIONS]";
}

// CLI11's help with the usage line above.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    const Command* command = find_command(app->get_name());
    return command == nullptr ? CLI::Formatter::make_usage(app, std::move(name))
                              : "Usage: " + usage_of(*command) + "\n";
  }
};

std::shared_ptr<HelpFormatter> formatter(int names) {
  auto made = std::make_shared<HelpFormatter>();
  made->column_width(static_cast<std::size_t>(names));
  return made;
}

// A command as CLI11 knows it: one option for each flag, in the same order.
struct Subcommand {
  const Command* command;
  CLI::App* app;
  std::vector<CLI::Option*> options;
};

// "-o,--output"
std::string spelled(const Flag& flag) { return (flag.letter == 0 ? "" : short_name(flag) + ",") + flag.long_name(); }

// A text of help behind the names, in lines of its own: CLI11 breaks none.
std::string beside(int names, std::string_view help, int width) {
  constexpr int kLeast = 20;
  return fmt::format("{}", fmt::join(broken(help, static_cast<std::size_t>(std::max(width - names, kLeast))), "\n"));
}

CLI::Option* add(CLI::App& app, const Flag& flag, std::span<const Options* const> options, int width) {
  const std::string name = spelled(flag);
  const std::string help = beside(kFlagNames, flag.help, width);
  CLI::Option* option = nullptr;
  if (flag.kind == FlagKind::toggle) {
    option = app.add_flag(name, help)->disable_flag_override();
  } else {
    option = app.add_option(
        name, [](const CLI::results_t&) { return true; }, help);
    option->type_name(std::string(flag.value))->default_str(default_text(flag, options));
    if (flag.kind == FlagKind::rest) return option->group(std::string(flag.group));  // for help: CLI11 never meets any
    if (flag.repeats && flag.positional) option->expected(1, CLI::detail::expected_max_vector_size);
    if (flag.repeats) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(flag.positional);
  }
  return option->group(std::string(flag.group));
}

Subcommand add(CLI::App& app, const Command& command, int width) {
  CLI::App* sub = app.add_subcommand(std::string(command.name), beside(kCommandNames, command.summary, width));
  sub->allow_extras();
  sub->footer((command.notes == nullptr ? "" : wrapped(command.notes(), width) + "\n") +
              "Example: " + std::string(command.example));
  Subcommand added{&command, sub, {}};
  for (const Flag* flag : command.flags) added.options.push_back(add(*sub, *flag, command.options, width));
  return added;
}

// "COMMAND: ", or nothing before there is one.
std::string prefix_of(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? "" : parsed[0]->get_name() + ": ";
}

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::usage, message); }

// An argument that nothing took: a misspelt command or flag, or one too many.
void refuse_stray(const Subcommand* sub, const std::string& stray) {
  const std::string name = sub == nullptr ? "" : std::string(sub->command->name);
  const std::string prefix = name.empty() ? "" : name + ": ";
  std::vector<std::string> known;
  if (stray.starts_with("-")) {
    known.push_back(kHelpFlag.long_name());
    if (sub == nullptr) known.push_back(kVersionFlag.long_name());
    if (sub != nullptr)
      for (const Flag* flag : sub->command->flags)
        if (!flag->positional) known.push_back(flag->long_name());
    refuse(prefix + unknown_name("flag", stray.substr(0, stray.find('=')), known));
  }
  if (sub != nullptr) refuse(prefix + stray + ": unexpected argument; see `orderlab " + name + " --help`");
  refuse(unknown_name("command", stray, command_names()));
}

// "--order: At Most 1 required but received 2" in words of this program.
std::string mismatch(const std::string& message) {
  const std::string flag = message.substr(0, message.find(':'));
  if (const auto given = flag.find(" was given a disallowed flag override"); given != std::string::npos)
    return "--" + flag.substr(0, given) + ": takes no value; give it alone";
  if (message.find("but received") == std::string::npos) return flag + ": needs a value";
  return flag + ": is given more than once; give it once";
}

// An empty text is a shell variable that was never set: a flag with one must not act as if it were absent.
void refuse_empty(const Subcommand& sub, const Flag& flag, const std::vector<std::string>& values) {
  for (const std::string& value : values)
    if (value.empty() && !flag.positional)
      refuse(std::string(sub.command->name) + ": " + flag.long_name() + ": is empty; give " + std::string(flag.value) +
             ", or leave the flag out");
}

CommandLine values_of(const Subcommand& sub) {
  CommandLine line(sub.command->flags, sub.command->options);
  for (std::size_t i = 0; i < sub.options.size(); ++i) {
    const CLI::Option& option = *sub.options[i];
    const Flag& flag = *sub.command->flags[i];
    if (option.empty()) continue;
    refuse_empty(sub, flag, option.results());
    line.give(flag, option.results());
  }
  return line;
}

Request request_of(const CLI::App& app, const std::vector<Subcommand>& subcommands) {
  for (const Subcommand& sub : subcommands) {
    if (!sub.app->parsed()) continue;
    const std::string name(sub.command->name);
    if (const auto stray = app.remaining(); !stray.empty())
      refuse(name + ": " + stray[0] + ": unexpected argument; flags follow the command, see `orderlab " + name +
             " --help`");
    if (const auto stray = sub.app->remaining(); !stray.empty()) refuse_stray(&sub, stray[0]);
    return {sub.command, values_of(sub), {}};
  }
  if (const auto stray = app.remaining(); !stray.empty()) refuse_stray(nullptr, stray[0]);
  refuse("no command given; try `orderlab --help`, or `orderlab sample --n 1e6 --order warp`");
}

const Flag* flag_called(const Command& command, const std::string& argument) {
  const auto found = std::find_if(command.flags.begin(), command.flags.end(), [&](const Flag* flag) {
    if (flag->positional) return false;
    return argument == flag->long_name() || argument == short_name(*flag);
  });
  return found == command.flags.end() ? nullptr : *found;
}

// CLI11 takes the next flag as the value of a flag that lacks one.
void refuse_missing_values(const std::vector<std::string>& arguments) {
  const Command* command = arguments.empty() ? nullptr : find_command(arguments[0]);
  if (command == nullptr) return;
  for (std::size_t i = 1; i + 1 < arguments.size(); ++i) {
    const Flag* flag = flag_called(*command, arguments[i]);
    if (flag == nullptr || flag->kind == FlagKind::toggle) continue;
    if (flag_called(*command, arguments[i + 1]) != nullptr)
      refuse(arguments[0] + ": " + arguments[i] + ": needs a value, " + std::string(flag->value) + ", before " +
             arguments[i + 1]);
    ++i;
  }
}

// Some commands as CLI11 knows them.
struct Program {
  CLI::App app;
  std::vector<Subcommand> subcommands;

  Program(std::span<const Command* const> some, int width) : app(wrapped(std::string(kAbout), width), "orderlab") {
    app.set_help_flag(spelled(kHelpFlag), std::string(kHelpFlag.help));
    app.set_version_flag(spelled(kVersionFlag), std::string(program_version()), std::string(kVersionFlag.help));
    app.allow_extras();
    app.require_subcommand(0, 1);
    app.formatter(formatter(kFlagNames));  // of commands, which take it over
    app.footer("Start with: orderlab sample --n 1e6 --order warp");
    for (const Command* command : some) subcommands.push_back(add(app, *command, width));
    app.formatter(formatter(kCommandNames));
  }
};

// All that could be meant: to make the flags of every command takes a millisecond.
std::vector<const Command*> commands_in(const std::vector<std::string>& arguments) {
  std::vector<const Command*> named;
  for (const Command* command : commands())
    if (std::find(arguments.begin(), arguments.end(), command->name) != arguments.end()) named.push_back(command);
  return named;
}

}  // namespace

std::string help_text(const Command* command, int width) {
  Program program(commands(), width);
  CLI::App* app = &program.app;
  for (const Subcommand& sub : program.subcommands)
    if (sub.command == command) app = sub.app->description(wrapped(std::string(command->summary), width));
  std::string text = app->help();
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

Request parse(const std::vector<std::string>& given, int width) {
  if (given.empty()) return {.text = first_questions_text(width)};
  std::vector<std::string> arguments = given;
  const Command* const command = arguments.empty() ? nullptr : find_command(arguments[0]);
  const Flag* const rest = command == nullptr ? nullptr : rest_of(*command);
  std::vector<std::string> behind;
  if (const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
      rest != nullptr && dashes != arguments.end()) {
    behind.assign(dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
  }
  refuse_missing_values(arguments);
  Program program(commands_in(arguments), width);
  CLI::App& app = program.app;
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    const auto parsed = app.get_subcommands();
    return {.text = help_text(parsed.empty() ? nullptr : find_command(parsed[0]->get_name()), width)};
  } catch (const CLI::CallForVersion& version) {
    return {.text = std::string(version.what()) + "\n"};
  } catch (const CLI::ArgumentMismatch& error) {
    refuse(prefix_of(app) + mismatch(error.what()));
  } catch (const CLI::ParseError& error) {
    refuse(prefix_of(app) + error.what());
  }
  Request request = request_of(app, program.subcommands);
  if (!behind.empty()) request.line.give(*rest, std::move(behind));
  return request;
}

}  // namespace orderlab::cli
