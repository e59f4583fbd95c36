// Commands whose runs are kept in a store: --db of the command, and sweeps over it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "config/json.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/watch.hpp"
#include "page/page_frame.hpp"
#include "sweep/record_store.hpp"

namespace orderlab::cli {

inline constexpr Flag kRecords{.name = "--db",
                               .kind = FlagKind::writes_store,
                               .value = "FILE",
                               .help = "store of finished runs, created if missing; runs in it are not made again",
                               .group = "Output"};

/// The store that kRecords names; null without. Damaged records are reported, and made again.
std::unique_ptr<RecordStore> record_store_of(const CommandLine& line, Session& session);

/// The same of a file.
std::unique_ptr<RecordStore> open_records(const std::string& path, Session& session);

/// The key of a question's records: what decides their numbers, and the version of drawn bits.
std::string record_key(const Json& config);

/// Calls take(run, text) for each record of the key. One for which it throws Error, or returns false, is of no use:
/// that is said, and its run is made again.
template <class Take>
void read_records(RecordStore& store, const std::string& key, Session& session, Take take) {
  for (const auto& [run, text] : store.records(key)) {
    bool of_use = false;
    try {
      of_use = take(run, text);
    } catch (const Error&) {
    }
    if (of_use) continue;
    complain(session, store.path() + ": record " + std::to_string(run) + " cannot be used; its run is made again");
    store.leave_out(key, run);
  }
}

/// What a command answers to one question of a sweep.
struct RecordedAnswer {
  bool partial = false;  ///< runs are missing
  PageContent page;
};

/// How a command is asked by a sweep. Both throw what the command throws.
struct RecordedCommand {
  /// Error(usage) for a command line that asks for what cannot be done.
  void (*check)(const CommandLine& line, Session& session);

  /// The answer from the records of a store and from runs that it has not, which are added. A stop that is requested
  /// before means that none is made. Empty where there is no run.
  std::optional<RecordedAnswer> (*answer)(const CommandLine& line, Session& session, RecordStore& store,
                                          const study::Watch& watch);
};

}  // namespace orderlab::cli
