#include "cli/merge_stores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/missing_points.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "core/printable.hpp"
#include "orderlab/error.hpp"
#include "show/input_text.hpp"
#include "sweep/merge.hpp"
#include "sweep/record_store.hpp"
#include "sweep/store.hpp"

namespace orderlab::cli {

namespace {

std::string missing_line(const StoredPlace& place, const SweepStatus& status) {
  std::string text = fmt::format("  point {}", place.position);
  if (!place.order_text.empty()) text += fmt::format(" ({}", printable(place.order_text.substr(0, 60)));
  if (!place.arrival_text.empty())
    text += fmt::format("{}{}", place.order_text.empty() ? " (" : ", ", printable(place.arrival_text.substr(0, 60)));
  if (!place.order_text.empty() || !place.arrival_text.empty()) text += ")";
  const Shard shard = status.shard_of(place.position);
  if (shard.count > 1) text += fmt::format(", shard {}/{}", shard.number, shard.count);
  return text + "\n";
}

// Says what is missing. The exit status.
int require_complete(const std::string& to, const MergeOutcome& outcome, bool quiet, Session& session) {
  SweepStatus status(outcome.runs, outcome.planned);
  std::string points;
  Store(to, Store::Access::read).for_each_place([&](const StoredPlace& place) {
    status.add(place.position, place.finished);
    if (!place.finished && status.missing() <= kMostLines) points += missing_line(place, status);
  });
  if (status.missing() == 0) return kDone;
  if (quiet) return kExitNo;
  session.out << fmt::format("missing: {} point{}\n", status.missing(), status.missing() == 1 ? "" : "s") << points;
  if (status.missing() > kMostLines) session.out << fmt::format("  and {} more\n", status.missing() - kMostLines);
  session.out << how_to_finish(status, status.shard_count() > 1 ? " and merge again" : "", "CONFIG", store_like(status),
                               to);
  return kExitNo;
}

/// Stores of finished runs: of infer, solve, train.
int merge_records_into(const std::string& to, const std::vector<std::string>& from, bool complete, bool quiet,
                       Session& session) {
  if (complete)
    throw Error(ErrorKind::usage, from.front() +
                                      ": --complete is about stores of points; the command that made these "
                                      "runs, with --db " +
                                      to + ", makes those that are missing");
  std::vector<std::unique_ptr<RecordStore>> stores;
  std::vector<const RecordStore*> others;
  for (const std::string& path : from) {
    stores.push_back(std::make_unique<RecordStore>(path, RecordStore::Access::read));
    others.push_back(stores.back().get());
  }
  require_agreement(others);  // before a file is made
  RecordStore all(to, RecordStore::Access::create);
  if (all.damaged() > 0)
    complain(session, fmt::format("merge: {}: {} left out; of these, runs that the other stores have are added again",
                                  to, plural(all.damaged(), "damaged record")));
  const std::uint64_t taken = all.take(others);
  if (!quiet)
    session.out << fmt::format("{} in {}, {} of them new\n", plural(all.count(), "record"), printable(to), taken);
  return kDone;
}

}  // namespace

int merge_stores_into(const std::string& to, const std::vector<std::string>& from, bool complete, bool quiet,
                      Session& session) {
  if (std::any_of(from.begin(), from.end(), is_record_store))
    return merge_records_into(to, from, complete, quiet, session);
  ProgressBar bar(session, "merging, stores", !quiet);
  MergeOptions options;
  options.allow_absent = complete;
  bar.follow(options);
  const MergeOutcome outcome = merge_stores(to, from, options);
  if (outcome.stopped) {
    session.err << fmt::format("orderlab: merge: interrupted: {} new point{} in {}; the same command continues\n",
                               outcome.added, outcome.added == 1 ? " is" : "s are", printable(to));
    return kInterrupted;
  }
  std::error_code code;
  for (const std::string& path : outcome.absent)
    complain(session, "merge: " + path +
                          (std::filesystem::exists(path, code)
                               ? ": has no sweep yet: its program ended before it had written the plan"
                               : ": no such file") +
                          "; counts as a store without points");
  if (!quiet)
    session.out << fmt::format("{} of {} points in {}, {} of them new\n", outcome.stored, outcome.planned,
                               printable(to), outcome.added);
  return complete ? require_complete(to, outcome, quiet, session) : kDone;
}

}  // namespace orderlab::cli
