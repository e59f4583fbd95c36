// Parsing the command line, running a command, and turning every error into one line.
#include <algorithm>
#include <new>

#include "cli/command.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr std::string_view kAbout =
    "What summation order does to floating-point results: models the orders of CPU and GPU sums, samples them, and "
    "measures every result against the exact sum.";

// The first argument that nothing took: a misspelt command or flag.
int complain_of_stray(Session& session, const CLI::App& app, const std::string& command, const std::string& stray) {
  std::vector<std::string> known;
  const bool flag = stray.starts_with("-");
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  if (!flag && command.empty()) {
    known.clear();
    for (const Command* c : commands()) known.emplace_back(c->name);
  }
  const std::string prefix = command.empty() ? "" : command + ": ";
  if (!flag && !command.empty())
    complain(session, prefix + stray + ": unexpected argument; see `orderlab " + command + " --help`");
  else
    complain(session, prefix + unknown_name(flag ? "flag" : "command", stray.substr(0, stray.find('=')), known));
  return kFailed;
}

// An empty text is a shell variable that was never set: a flag with one must not act as if it were absent.
void require_texts(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& text : option->results())
      if (text.empty() && !option->get_positional())
        throw Error(ErrorKind::usage,
                    option->get_name() + ": is empty; give " + option->get_type_name() + ", or leave the flag out");
}

// "--order: At Most 1 required but received 2" in words of this program.
std::string mismatch(const std::string& message) {
  const std::string flag = message.substr(0, message.find(':'));
  if (message.find("but received") == std::string::npos) return flag + ": has no value; see --help for what it takes";
  return flag + ": is given more than once; give it once";
}

}  // namespace

void complain(Session& session, std::string message) {
  // What a control character in an argument would do to the terminal, a blank does not.
  std::replace_if(
      message.begin(), message.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  session.err << "orderlab: " << message << "\n";
}

int run_program(const std::vector<std::string>& arguments, Session& session) {
  CLI::App app{std::string(kAbout), "orderlab"};
  app.set_version_flag("--version", "orderlab " ORDERLAB_VERSION);
  app.allow_extras();
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  app.footer("Start with: orderlab sample --n 1e6 --order warp");

  std::vector<std::pair<CLI::App*, std::function<int(Session&)>>> defined;
  for (const Command* command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->summary));
    sub->allow_extras();
    sub->footer("Example: " + std::string(command->example));
    defined.emplace_back(sub, command->define(*sub));
  }

  std::string running;
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
    for (const auto& [sub, run] : defined) {
      if (!sub->parsed()) continue;
      running = sub->get_name();
      if (const auto stray = app.remaining(); !stray.empty()) {
        complain(session, running + ": " + stray[0] +
                              ": unexpected argument; flags follow the command, see `orderlab " + running + " --help`");
        return kFailed;
      }
      if (const auto stray = sub->remaining(); !stray.empty())
        return complain_of_stray(session, *sub, running, stray[0]);
      require_texts(*sub);
      return run(session);
    }
    if (const auto stray = app.remaining(); !stray.empty()) return complain_of_stray(session, app, "", stray[0]);
    complain(session, "no command given; try `orderlab --help`, or `orderlab sample --n 1e6 --order warp`");
  } catch (const CLI::CallForHelp&) {
    session.out << app.help();
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    session.out << version.what() << "\n";
    return kDone;
  } catch (const CLI::ArgumentMismatch& error) {
    const auto parsed = app.get_subcommands();
    complain(session, (parsed.empty() ? "" : parsed[0]->get_name() + ": ") + mismatch(error.what()));
  } catch (const CLI::ParseError& error) {
    const auto parsed = app.get_subcommands();
    complain(session, (parsed.empty() ? "" : parsed[0]->get_name() + ": ") + error.what());
  } catch (const Error& error) {
    complain(session, (running.empty() ? "" : running + ": ") + error.what());
  } catch (const std::bad_alloc&) {
    complain(session, (running.empty() ? "" : running + ": ") + "out of memory; fewer terms or threads need less");
  } catch (const std::exception& error) {
    complain(session, (running.empty() ? "" : running + ": ") + "unexpected: " + error.what());
  }
  return kFailed;
}

}  // namespace orderlab::cli
