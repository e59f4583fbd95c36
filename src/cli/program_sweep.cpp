#include "cli/program_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "cli/one_order.hpp"
#include "cli/parse.hpp"
#include "cli/progress.hpp"
#include "cli/recorded.hpp"
#include "cli/shard.hpp"
#include "core/float_environment.hpp"
#include "core/printable.hpp"
#include "core/stop.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "page/caveats.hpp"
#include "page/html_text.hpp"
#include "page/shell_word.hpp"

namespace orderlab::cli {

namespace {

std::vector<std::string> recorded_commands() {
  std::vector<std::string> names;
  for (const Command* command : commands())
    if (command->recorded != nullptr) names.emplace_back(command->name);
  return names;
}

const Command& swept_command(const ProgramConfig& config) {
  const Command* const command = find_command(config.command);
  if (command != nullptr && command->recorded == nullptr)
    throw Error(ErrorKind::input, config.command_place + ": " + config.command + " cannot be swept over like this; " +
                                      fmt::format("{}", fmt::join(recorded_commands(), ", ")) + " can");
  if (command == nullptr)
    throw Error(ErrorKind::input,
                config.command_place + ": " + unknown_name("command", config.command, recorded_commands()));
  return *command;
}

/// Keys that say where answers go and which part is asked for, which a sweep says itself, or that no answer depends on.
bool is_of_the_sweep(const Flag& flag) { return flag.group == "Output" || flag.speed_only || &flag == &kShard; }

/// The key of a flag in a config: "max-iterations".
std::string config_key(const Flag& flag) {
  return flag.positional ? std::string(flag.key) : flag.long_name().substr(2);
}

/// The flag that a key names, as the command line or as Python does.
const Flag& flag_of(const Command& command, const ProgramKey& key) {
  std::vector<std::string> known;
  for (const Flag* flag : command.flags) {
    if (is_of_the_sweep(*flag)) continue;
    if (config_key(*flag) == key.name || flag->key == key.name) return *flag;
    known.push_back(config_key(*flag));
  }
  throw Error(ErrorKind::input, key.place + ": " + unknown_name("key", key.name, known));
}

/// The points, each told from the others by the keys that have several values.
std::vector<RecordedQuestion> questions_of(const ProgramConfig& config) {
  const Command& command = swept_command(config);
  std::vector<RecordedQuestion> questions;
  for (const auto& point : config.points()) {
    RecordedQuestion question{{std::string(command.name)}, ""};
    std::vector<const Flag*> given;
    for (const auto& [key, value] : point) {
      const Flag& flag = flag_of(command, *key);
      if (std::find(given.begin(), given.end(), &flag) != given.end())
        throw Error(ErrorKind::input, key->place + ": " + key->name + ": is given twice");
      given.push_back(&flag);
      if (value.starts_with('-') && (flag.positional || value.size() > 1) && !read_real(value))
        throw Error(ErrorKind::input, key->place + ": " + key->name + " " + value + ": begins with a dash");
      if (flag.positional) {
        question.arguments.push_back(value);
      } else {
        question.arguments.emplace_back(flag.long_name());
        question.arguments.push_back(value);
      }
      if (key->values.size() > 1) question.name += (question.name.empty() ? "" : ", ") + config_key(flag) + " " + value;
    }
    questions.push_back(std::move(question));
  }
  return questions;
}

/// The command line of a question. `named`: where it comes from, for messages.
CommandLine line_of(const RecordedQuestion& question, const std::string& named) {
  try {
    return parse(question.arguments).line;
  } catch (const Error& error) {
    throw Error(ErrorKind::input, named + ": " + error.what());
  }
}

/// Has every question say what it is about. Error(input) unless all can be asked.
void describe(std::vector<RecordedQuestion>& questions, const std::string& named, Session& session) {
  for (RecordedQuestion& question : questions) {
    const CommandLine line = line_of(question, named);
    try {
      question.about = find_command(question.arguments.front())->recorded->about(line, session);
    } catch (const Error& error) {
      throw Error(ErrorKind::input, named + ": " + error.what());
    }
  }
}

/// Empty when stopped before there is an answer.
std::optional<RecordedAnswer> ask(RecordedQuestion question, const std::string& named, RecordStore& store,
                                  Session& session, const study::Watch& watch, const std::string& threads) {
  question.arguments.emplace_back(kThreads.long_name());
  question.arguments.push_back(threads);
  const CommandLine line = line_of(question, named);
  try {
    return find_command(question.arguments.front())->recorded->answer(line, session, store, watch);
  } catch (const Stopped&) {
    return std::nullopt;
  } catch (const Error& error) {
    if (question.name.empty()) throw Error(error.kind(), named + ": " + error.what());
    throw Error(error.kind(), named + ": " + question.name + ": " + error.what());
  }
}

/// What the store knows of a question. Errors, input: a question that no sweep has written.
std::optional<RecordedAnswer> known_answer(const RecordedQuestion& question, const RecordStore& store,
                                           Session& session) {
  const auto refuse = [&](const std::string& what) -> Error {
    return {ErrorKind::input, store.path() + (question.name.empty() ? ": " : ": " + question.name + ": ") + what};
  };
  const std::string& name = question.arguments.front();
  const Command* const command = find_command(name);
  if (command == nullptr || command->recorded == nullptr)
    throw refuse("asks " + in_quotes(name) + ", which keeps no runs; " +
                 fmt::format("{}", fmt::join(recorded_commands(), ", ")) + " do");
  const auto unusable = [&](std::uint64_t run) {
    complain(session, fmt::format("report: {}: record {} cannot be used and is left out", store.path(), run));
  };
  try {
    return command->recorded->known(question.about, store, unusable);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // numbers that statistics refuse
    throw refuse(fmt::format("is not what `orderlab sweep` writes ({})", error.what()));
  }
}

}  // namespace

std::string program_plan_text(const ProgramConfig& config, Session& session) {
  std::vector<RecordedQuestion> questions = questions_of(config);
  describe(questions, config.path, session);
  std::string text;
  for (const std::string& line : {config.title, config.question})
    if (!line.empty()) text += line + "\n";
  text += fmt::format("\n{} point{}\n", questions.size(), questions.size() == 1 ? "" : "s");
  for (const RecordedQuestion& question : questions) {
    text += "orderlab";
    for (const std::string& argument : question.arguments) text += " " + shell_word(argument);
    text += "\n";
  }
  return text;
}

int sweep_program(const ProgramConfig& config, const CommandLine& line, const Flag& store_flag, Session& session) {
  std::vector<RecordedQuestion> questions = questions_of(config);
  describe(questions, config.path, session);
  const std::string& path = line.text(store_flag);
  const std::unique_ptr<RecordStore> store = open_records(path, session);
  store->set_sweep({config.title, config.question, questions});
  std::size_t done = 0;
  for (const RecordedQuestion& question : questions) {
    study::Watch watch = watch_of(session, line, "sweep");
    const auto begins = watch.begins;
    watch.begins = [&, begins](const std::string& stage) {
      const FloatEnvironment environment;
      if (begins) begins(fmt::format("point {}/{}, {}", done + 1, questions.size(), stage));
    };
    const auto answer = ask(question, config.path, *store, session, watch, line.text(kThreads));
    if (!answer || answer->partial) {
      session.err << fmt::format(
          "orderlab: sweep: interrupted: {} of {} points are in {}; the same command continues\n", done,
          questions.size(), printable(path));
      return kInterrupted;
    }
    ++done;
  }
  if (!line.has(kQuiet)) session.out << fmt::format("{} point{} in {}\n", done, done == 1 ? "" : "s", printable(path));
  return kDone;
}

namespace {

/// The point that order moves most; without any such, the first.
struct Farthest {
  double moved = 0;
  std::size_t chart = 0;  ///< its first one
  std::string name;
  std::string sentence;
};

// One sentence over all points, and the chart that shows it first.
void add_verdict(const Farthest& farthest, PageContent& page) {
  const std::string verdict = farthest.moved > 0 ? fmt::format("Of {} points, order moves {} most: {}",
                                                               page.answers.size(), farthest.name, farthest.sentence)
                                                 : fmt::format("{}: {}", farthest.name, farthest.sentence);
  page.answers.insert(page.answers.begin(), verdict);
  if (farthest.chart >= page.drawn.size()) return;
  const auto first = page.drawn.begin() + static_cast<std::ptrdiff_t>(farthest.chart);
  std::rotate(page.drawn.begin(), first, first + 1);
}

}  // namespace

std::string recorded_page(const std::string& path, Session& session, bool quiet) {
  const RecordStore store(path, RecordStore::Access::read);
  const RecordedSweep sweep = store.sweep();
  PageContent page;
  page.title = sweep.title;
  if (page.title.empty() && !sweep.questions.empty())
    page.title = "A sweep of orderlab " + sweep.questions.front().arguments.front();
  page.question = sweep.question;
  page.points_title = "Numbers";
  std::size_t finished = 0;
  std::uint64_t read = 0;
  Farthest farthest;
  ProgressBar bar(session, "reading, points", !quiet);
  for (const RecordedQuestion& question : sweep.questions) {
    std::optional<RecordedAnswer> answer = known_answer(question, store, session);
    bar.advanced(++read, sweep.questions.size());
    if (!answer) continue;
    if (!answer->partial) ++finished;
    PageContent& one = answer->page;
    const std::string before = question.name.empty() ? "" : question.name + ": ";
    std::string said = before;
    for (const std::string& answer_line : one.answers) said += (said == before ? "" : " ") + answer_line;
    page.answers.push_back(said);
    if (page.answers.size() == 1 || one.moved > farthest.moved)
      farthest = {one.moved, page.drawn.size(), question.name, verdict_and_rest(one.answers).front()};
    for (DrawnChart& drawn : one.drawn) {
      if (!question.name.empty()) {
        drawn.part = question.name;
        drawn.part_number = static_cast<std::size_t>(&question - sweep.questions.data()) + 1;
      }
      page.drawn.push_back(std::move(drawn));
    }
    if (!question.name.empty()) page.points += "<h3>" + html_text(question.name) + "</h3>\n";
    page.points += one.points;
    if (!question.name.empty()) page.provenance += "<h3>" + html_text(question.name) + "</h3>\n";
    page.provenance += one.provenance;
  }
  if (page.answers.empty()) throw Error(ErrorKind::input, path + ": no run is finished; `orderlab sweep` makes them");
  if (page.answers.size() > 1) add_verdict(farthest, page);
  page.unfinished = unfinished_of(finished, sweep.questions.size());
  return page_html(page);
}

}  // namespace orderlab::cli
