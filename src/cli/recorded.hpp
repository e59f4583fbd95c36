// Commands whose runs are kept in a store: --db of the command, and sweeps over it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "cli/shard.hpp"
#include "config/json.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/watch.hpp"
#include "page/page_frame.hpp"
#include "sweep/record_store.hpp"

namespace orderlab::cli {

inline constexpr Flag kRecords{.key = "db",
                               .kind = FlagKind::writes_store,
                               .value = "FILE",
                               .help = "store of finished runs, created if missing; runs in it are not made again",
                               .group = "Output"};

/// The store that kRecords names; null without. Damaged records are reported, and made again.
std::unique_ptr<RecordStore> record_store_of(const CommandLine& line, Session& session);

/// The same of a file.
std::unique_ptr<RecordStore> open_records(const std::string& path, Session& session);

/// The part of `runs` runs that --shard asks for; empty without it. A part has no report: its runs go to a store, from
/// which the command without --shard answers once the stores are merged.
///
/// Errors: usage for more parts than runs, without --db, and for outputs of a report.
std::optional<Shard> part_of_runs(const CommandLine& line, std::uint64_t runs);

/// Says where the runs of a part are, and what to do with them; or that it was interrupted. The exit status.
int report_part(const CommandLine& line, Session& session, std::string_view command, bool complete);

/// The key of a question's records: what decides their numbers, and the version of drawn bits.
std::string record_key(const Json& config);

/// Calls take(run, text) for each record of the key, and unusable(run) for one for which it throws Error or returns
/// false.
template <class Take, class Unusable>
void read_records(const RecordStore& store, const std::string& key, Take take, Unusable unusable) {
  for (const auto& [run, text] : store.records(key)) {
    bool of_use = false;
    try {
      of_use = take(run, text);
    } catch (const Error&) {
    }
    if (!of_use) unusable(run);
  }
}

/// The same for a command that makes the runs of unusable records again: that is said.
template <class Take>
void read_records(RecordStore& store, const std::string& key, Session& session, Take take) {
  read_records(store, key, take, [&](std::uint64_t run) {
    complain(session, store.path() + ": record " + std::to_string(run) + " cannot be used; its run is made again");
    store.leave_out(key, run);
  });
}

/// What a command answers to one question of a sweep.
struct RecordedAnswer {
  bool partial = false;  ///< runs are missing
  PageContent page;
};

/// How a command is asked by a sweep.
struct RecordedCommand {
  /// What the question is about: all that decides its records and that a page says of it. Reads or makes what the
  /// command line names.
  ///
  /// Errors: those of the command, for a command line that asks for what cannot be done.
  Json (*about)(const CommandLine& line, Session& session);

  /// The answer from the records of a store and from runs that it has not, which are added. A stop that is requested
  /// before means that none is made. Empty where there is no run. Throws what the command throws.
  std::optional<RecordedAnswer> (*answer)(const CommandLine& line, Session& session, RecordStore& store,
                                          const study::Watch& watch);

  /// The answer from records alone, which computes nothing and opens nothing, whatever a store may say. Empty where
  /// there is no run. `unusable` is called with each run whose record cannot be read.
  ///
  /// Error(input) or Error(usage) where `about` is not what the function of that name makes.
  std::optional<RecordedAnswer> (*known)(const Json& about, const RecordStore& store,
                                         const std::function<void(std::uint64_t run)>& unusable);
};

}  // namespace orderlab::cli
