// orderlab sweep: the points of a config, each stored as it is finished.
#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/command.hpp"
#include "cli/input_flags.hpp"
#include "cli/one_order.hpp"
#include "cli/program_sweep.hpp"
#include "cli/progress.hpp"
#include "cli/shard.hpp"
#include "cli/sweep_status.hpp"
#include "config/axis.hpp"
#include "core/memory.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "sweep/sweep_text.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kConfig{.key = "config",
                       .positional = true,
                       .kind = FlagKind::reads_file,
                       .value = "CONFIG",
                       .help = "config with the axes of the sweep, TOML",
                       .required = true};
constexpr Flag kSweepStore{.key = "db",
                           .kind = FlagKind::writes_store,
                           .value = "FILE",
                           .help = "store, created if missing; points already in it are not run again",
                           .required = true};
constexpr Flag kDryRun{
    .key = "dry_run", .kind = FlagKind::toggle, .help = "run nothing: show the points, time and memory; needs no --db"};
constexpr Flag kStatus{
    .key = "status", .kind = FlagKind::toggle, .help = "run nothing: show what is finished, by shard; needs no config"};
constexpr std::array kSweepFlags{&kConfig, &kSweepStore, &kShard, &kDryRun, &kStatus, &kThreads, &kQuiet};

int report(Session& session, const CommandLine& line, const SweepOutcome& outcome) {
  const std::size_t done = outcome.there + outcome.added;
  if (outcome.stopped) {
    session.err << fmt::format("orderlab: sweep: interrupted: {} of {} points are in {}; the same command continues\n",
                               done, outcome.planned, printable(line.text(kSweepStore)));
    return kInterrupted;
  }
  if (!line.has(kQuiet))
    session.out << fmt::format("{} point{} in {}: {} new, {} from before\n", done, done == 1 ? "" : "s",
                               printable(line.text(kSweepStore)), outcome.added, outcome.there);
  return kDone;
}

std::optional<SweepPlan> planned(const CommandLine& line, Session& session) {
  ConfigFile config = read_config(line.text(kConfig));
  ProgressBar bar(session, "planning, points", !line.has(kQuiet));
  PlanOptions planning;
  bar.follow(planning);
  return make_plan(std::move(config), planning);
}

int interrupted_while_planning(Session& session) {
  session.err << "orderlab: sweep: interrupted while planning; no point was run\n";
  return kInterrupted;
}

Error only_of_sums(const std::string& flag, const ProgramConfig& config) {
  return Error(ErrorKind::usage, flag + ": is about sweeps over sums and operations; " + config.path +
                                     " sweeps over the command `" + config.command + "`");
}

int show_status(const CommandLine& line, Session& session) {
  for (const Flag* flag : {&kShard, &kDryRun, &kThreads})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, "--status: runs no point, so " + std::string(flag->long_name()) + " is of no use");
  const std::string& stores = line.text(kSweepStore);
  if (stores.empty())
    throw Error(ErrorKind::usage, "--status: no store: give --db FILE.sqlite, or --db 'part-{shard}.sqlite' for all");
  if (!line.has(kConfig)) return show_sweep_status(stores, "", nullptr, line.has(kQuiet), session);
  const std::string& config = line.text(kConfig);
  if (const auto program = read_program_config(config)) throw only_of_sums("--status", *program);
  const std::optional<SweepPlan> plan = planned(line, session);
  return plan ? show_sweep_status(stores, config, &*plan, line.has(kQuiet), session)
              : interrupted_while_planning(session);
}

int sweep_into_store(const CommandLine& line, Session& session) {
  if (line.has(kStatus)) return show_status(line, session);
  if (!line.has(kConfig)) throw Error(ErrorKind::usage, "no config: give one, such as configs/quick.toml");
  if (!line.has(kSweepStore) && !line.has(kDryRun))
    throw Error(ErrorKind::usage, "no store: give --db FILE.sqlite, or look with --dry-run");
  if (const auto program = read_program_config(line.text(kConfig))) {
    if (line.has(kShard)) throw only_of_sums(line.quoted(kShard), *program);
    refuse_marks(line);
    if (!line.has(kDryRun)) return sweep_program(*program, line, kSweepStore, session);
    session.out << program_plan_text(*program, session);
    return kDone;
  }
  SweepOptions sweep;
  sweep.shard = shard_of(line).value_or(Shard{});
  sweep.threads = threads_of(line);
  const std::optional<SweepPlan> plan = planned(line, session);
  if (!plan) return interrupted_while_planning(session);
  if (line.has(kDryRun)) {
    session.out << plan_text(*plan, sweep.shard, threads_used(sweep.threads), TextStyle{session.width, false});
    return kDone;
  }
  Store store(line.text(kSweepStore), Store::Access::create);
  ProgressBar bar(session, "", !line.has(kQuiet));
  sweep.memory_bytes = available_bytes();
  bar.follow(sweep);
  sweep.notice = [&session](const std::string& said) { complain(session, "sweep: " + said); };
  sweep.progress = [&bar](const SweepProgress& now) {
    bar.relabel(fmt::format("point {}/{}, samples", now.points_done, now.points));
    bar.advanced(now.samples_done, now.samples, now.fraction);
  };
  return report(session, line, run_sweep(*plan, store, sweep));
}

std::string keys_in_words() {
  std::string text =
      "Keys of a config, each a value or a list; a count also { from, to, step } or { from, to, factor }:\n";
  for (const Axis* axis : axis_list()) {
    const std::string default_text =
        axis->default_text.empty() ? "required for sums"
        : axis->default_text == kAbsent
            ? ""
            : fmt::format("{} if left out", axis->default_text) +
                  (axis->operation_default.empty() ? std::string()
                                                   : fmt::format(", {} with op", axis->operation_default));
    text += fmt::format("  {:<13} {}{}{}\n", axis->name, axis->help, default_text.empty() ? "" : "; ", default_text);
  }
  return text + "  exclude       points to leave out, such as [{ order = \"ao\", n = { from = 1e6 } }]\n" +
         "  published     CSV file with columns n, R, op, vc_mean, vc_sd, vermv_mean, vermv_sd: published measurements "
         "of operations, shown beside the points\n"
         "  title         shown at the top of the report, like\n  question\n"
         "With the key `command`, such as command = \"solve\", keys are the flags of that command without dashes: "
         "solve "
         "and train can be swept over.\n"
         "--status with {shard} in --db, such as 'part-{shard}.sqlite', looks at every store with a number there. Its "
         "exit "
         "status is 1 until all points are finished.\n";
}

}  // namespace

extern const Command kSweep;
const Command kSweep{
    .name = "sweep",
    .summary = "run all points of a config and store each as it finishes",
    .example = "orderlab sweep configs/quick.toml --db quick.sqlite",
    .flags = kSweepFlags,
    .run = sweep_into_store,
    .notes = keys_in_words,
};

}  // namespace orderlab::cli
