// orderlab sweep: the points of a config, each stored as it is finished.
#include "experiment/sweep.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/progress.hpp"
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "report/sweep_text.hpp"

namespace orderlab::cli {

namespace {

struct Options {
  std::string config;
  std::string store;
  std::string shard = "1/1";
  std::string threads = "0";
  bool dry_run = false;
  bool quiet = false;
};

Shard parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos)
    throw Error(ErrorKind::usage, "--shard " + text + ": is not i/N, such as 1/4 for the first of four");
  Shard shard;
  shard.count = parse_count("--shard", text.substr(slash + 1), 1);
  shard.number = parse_count("--shard", text.substr(0, slash), 1, shard.count);
  return shard;
}

int report(Session& session, const Options& options, const SweepOutcome& outcome) {
  const std::size_t done = outcome.there + outcome.added;
  if (outcome.stopped) {
    session.err << fmt::format("orderlab: sweep: interrupted: {} of {} points are in {}; the same command goes on\n",
                               done, outcome.planned, options.store);
    return kInterrupted;
  }
  if (!options.quiet)
    session.out << fmt::format("{} point{} in {}: {} new, {} from before\n", done, done == 1 ? "" : "s", options.store,
                               outcome.added, outcome.there);
  return kDone;
}

int run(const Options& options, Session& session) {
  if (options.config.empty()) throw Error(ErrorKind::usage, "no config: give one, such as configs/quick.toml");
  if (options.store.empty() && !options.dry_run)
    throw Error(ErrorKind::usage, "no store: give --db FILE.sqlite, or look with --dry-run");
  SweepOptions sweep;
  sweep.shard = parse_shard(options.shard);
  sweep.threads = parse_threads(options.threads);
  const SweepPlan plan = make_plan(read_config(options.config));
  if (options.dry_run) {
    session.out << plan_text(plan, sweep.shard, threads_used(sweep.threads), TextStyle{session.width, false});
    return kDone;
  }
  Store store(options.store, Store::Access::create);
  ProgressBar bar(session, "", !options.quiet);
  sweep.memory_bytes = available_bytes();
  bar.follow(sweep);
  sweep.progress = [&bar](const SweepProgress& now) {
    bar.relabel(fmt::format("point {}/{}, samples", now.points_done, now.points));
    bar.advanced(now.samples_done, now.samples, now.fraction);
  };
  return report(session, options, run_sweep(plan, store, sweep));
}

std::string keys_in_words() {
  std::string text =
      "Keys of a config, each a value or a list; a count also { from, to, step } or { from, to, factor }:\n";
  for (const AxisKey& key : axis_keys()) {
    const std::string default_text = key.default_text.empty()  ? "must be given"
                                     : key.default_text == "-" ? ""
                                                               : fmt::format("{} if left out", key.default_text);
    text += fmt::format("  {:<13} {}{}{}\n", key.name, key.summary, default_text.empty() ? "" : "; ", default_text);
  }
  return text + "  exclude       points to leave out, such as [{ order = \"ao\", n = { from = 1e6 } }]\n" +
         "  title         what the report has at its top, like\n  question\n";
}

}  // namespace

extern const Command kSweep;
const Command kSweep{
    .name = "sweep",
    .summary = "run all points of a config, each stored for good as it is finished",
    .example = "orderlab sweep configs/quick.toml --db quick.sqlite",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      app.add_option("config", options->config, "config with the axes of the sweep, TOML")->type_name("CONFIG");
      app.add_option("--db", options->store, "store, made if it is not there; points that it has are not run again")
          ->type_name("FILE");
      app.add_option("--shard", options->shard, "only the i-th of N parts; `orderlab merge` joins their stores")
          ->type_name("i/N")
          ->capture_default_str();
      app.add_flag("--dry-run", options->dry_run, "show the points, and estimate time and memory")
          ->disable_flag_override();
      app.add_option("--threads", options->threads, "threads, 0 for all; the results never depend on it")
          ->type_name("COUNT")
          ->capture_default_str();
      app.add_flag("--quiet", options->quiet, "no text and no progress bar, only errors")->disable_flag_override();
      app.footer(keys_in_words() + "\n" + app.get_footer());
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
