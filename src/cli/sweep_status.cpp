#include "cli/sweep_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/missing_points.hpp"
#include "cli/numbered_files.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "show/table.hpp"
#include "sweep/sweep_survey.hpp"

namespace orderlab::cli {

namespace {

bool has_path(const std::vector<std::string>& paths, const std::string& path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

// What stands in the column of stores. `named`: where the store of this shard would be.
std::string store_cell(const ShardStatus& shard, const std::string& named, const SweepSurvey& survey) {
  if (shard.stores.size() == 1) return shard.stores.front();
  if (!shard.stores.empty()) return fmt::format("{} stores", shard.stores.size());
  if (has_path(survey.unreadable, named)) return named + " (not readable)";
  std::error_code code;
  if (has_path(survey.absent, named) && std::filesystem::exists(named, code)) return named + " (no plan yet)";
  return "no store";
}

std::string shard_table(const SweepSurvey& survey, const StoreOfShard& store_of) {
  const SweepStatus& status = survey.status;
  const std::vector<ShardStatus>& shards = status.shards();
  const bool all = shards.size() <= 2 * kMostLines;
  Table table({{"shard"}, {"store", Align::left}, {"points"}, {"finished"}, {"missing"}});
  std::size_t shown = 0;
  std::uint64_t finished = status.shard_count() - shards.size();  // those without points
  for (const ShardStatus& shard : shards) {
    if (shard.missing() == 0) ++finished;
    if (!all && (shard.missing() == 0 || shown == 2 * kMostLines)) continue;
    ++shown;
    table.add({fmt::format("{}/{}", shard.shard.number, shard.shard.count),
               store_cell(shard, store_of(shard.shard), survey), std::to_string(shard.points),
               std::to_string(shard.finished), std::to_string(shard.missing())});
  }
  std::string text = shown > 0 ? table.text() : "";
  if (!all) text += fmt::format("{} of {} shards are finished\n", finished, status.shard_count());
  return text;
}

std::string others_text(const std::vector<ShardRun>& others) {
  std::string text;
  for (std::size_t i = 0; i < std::min(others.size(), kMostLines); ++i)
    text += fmt::format("also {}/{} in {}\n", others[i].shard.number, others[i].shard.count, others[i].store);
  if (others.size() > kMostLines) text += fmt::format("and {} more\n", others.size() - kMostLines);
  return text;
}

}  // namespace

int show_sweep_status(const std::string& stores, const std::string& config, const SweepPlan* plan, bool quiet,
                      Session& session) {
  const std::vector<std::string> files = numbered_files(stores);
  if (files.empty() && plan == nullptr)
    throw Error(ErrorKind::input, stores + ": no file has this name with a number in place of {shard}");
  SurveyOptions options;
  options.plan = plan;
  ProgressBar bar(session, "looking at stores,", !quiet);
  bar.follow(options);
  const SweepSurvey survey = survey_stores(files, options);
  if (survey.stopped) {
    session.err << "orderlab: sweep: interrupted; nothing was changed\n";
    return kInterrupted;
  }
  const SweepStatus& status = survey.status;
  const bool numbered = stores.find(kShardMark) != std::string::npos;
  if (!numbered && !survey.foreign.empty()) throw Error(ErrorKind::input, survey.complaints.front());
  if (quiet) return status.missing() == 0 ? kDone : kExitNo;
  const StoreOfShard named = numbered
                                 ? StoreOfShard([&](const Shard& shard) { return with_number(stores, shard.number); })
                                 : store_like(status);
  for (const std::string& said : survey.complaints) complain(session, "sweep: " + said);
  session.out << shard_table(survey, named) << others_text(status.others())
              << fmt::format("{} points: {} finished, {} missing\n", status.points(), status.finished(),
                             status.missing());
  if (status.missing() == 0) return kDone;
  const auto usable = [&](const Shard& shard) {
    const std::string name = named(shard);
    return has_path(survey.foreign, name) ? "FILE" : name;
  };
  session.out << how_to_finish(status, "", config.empty() ? "CONFIG" : config, usable, stores);
  return kExitNo;
}

}  // namespace orderlab::cli
