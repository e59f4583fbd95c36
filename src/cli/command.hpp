// What a command is, and what a command may touch.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/file_table.hpp"
#include "cli/shard.hpp"
#include "cli/text_stream.hpp"
#include "describe/flag.hpp"
#include "orderlab/language_model.hpp"
#include "orderlab/probe.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::cli {

/// Exit statuses of the interface contract.
inline constexpr int kDone = 0;
inline constexpr int kExitNo = 1;  ///< the answer is no
inline constexpr int kFailed = 2;
inline constexpr int kInterrupted = 130;

class Report;

/// A program that runs a command in its own process, in place of a terminal. All of it may be left out.
struct Caller {
  /// As study::Watch::advances, for the stage of that name.
  std::function<void(const std::string& stage, const study::Progress& progress)> follows = {};

  /// What the command found.
  std::function<void(std::shared_ptr<const Report> report)> takes = {};

  /// The black box that `probe` asks, in place of one that flags name.
  const BoxMaker* box = nullptr;

  /// What this process draws of samples that several share; null where it draws all.
  const study::DividedDraws* divided = nullptr;
};

/// What a command does now, which decides what an interrupt does to it.
enum class Phase : std::uint8_t {
  preparing,  ///< nothing to report: it ends the program at once
  working,    ///< it requests a stop, and the command has kReportWithin to come to its report
  reporting,  ///< it ends the program at once; one before let the report begin, and waits for it
  replacing,  ///< a file gets its new content: it waits for that
};

/// Where a command prints, and what it knows of the terminal.
struct Session {
  TextStream out;
  TextStream err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int width = 80;
  std::stop_token stop = {};
  std::atomic<Phase>* phase = nullptr;
  FileTable files = {};  ///< the files of the command that runs
  Caller caller = {};
  Environment environment = [](const char* name) -> const char* { return std::getenv(name); };
  std::map<std::string, std::shared_ptr<const LanguageModel>> models = {};  ///< by name: read for points of a sweep
};

/// The command is in a phase while this lives, and then in the one before.
class InPhase {
 public:
  InPhase(Session& session, Phase phase)
      : phase_(session.phase), before_(phase_ == nullptr ? phase : phase_->exchange(phase)) {}
  ~InPhase() {
    if (phase_ != nullptr) *phase_ = before_;
  }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  std::atomic<Phase>* phase_;
  Phase before_;
};

struct RecordedCommand;

/// What the program is for, and the flags that stand where a command could.
inline constexpr std::string_view kAbout =
    "What summation order does to floating-point results: models the orders of CPU and GPU sums, samples them, and "
    "measures every result against the exact sum.";
inline constexpr Flag kHelpFlag{.key = "help", .letter = 'h', .kind = FlagKind::toggle, .help = "print this help"};
inline constexpr Flag kVersionFlag{
    .key = "version", .letter = 'V', .kind = FlagKind::toggle, .help = "print the version"};

/// "orderlab 0.1.0".
std::string_view program_version();

/// A command in the table of subcommands.
struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  std::span<const Flag* const> flags;
  std::span<const Options* const> options = {};  ///< options of the requests that the command makes

  /// Returns the exit status. Error for what cannot be done.
  int (*run)(const CommandLine& line, Session& session);

  std::string (*notes)() = nullptr;  ///< what help says below the flags

  /// What a sweep over the command needs; null where none is possible.
  const RecordedCommand* recorded = nullptr;
};

/// The commands, in the order in which help shows them.
std::span<const Command* const> commands();

/// The command of that name; null where there is none.
const Command* find_command(std::string_view name);

std::vector<std::string> command_names();

/// Runs the command once its files are known, those of a shard under their names. Errors are the command's, and those
/// of FileTable and name_shard.
int run_command(const Command& command, CommandLine& line, Session& session);

/// One line on standard error, whatever is in it.
void complain(Session& session, std::string_view message);

/// The program without main(): parses, runs, prints errors as one line, returns the exit status.
int run_program(const std::vector<std::string>& arguments, Session& session);

}  // namespace orderlab::cli
