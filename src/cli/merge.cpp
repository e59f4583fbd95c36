// orderlab merge: the stores of shards become one.
#include "sweep/merge.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kTo{.name = "--db",
                   .kind = FlagKind::writes_store,
                   .value = "OUT",
                   .help = "store to merge into, created if missing",
                   .required = true};
constexpr Flag kFrom{.name = "stores",
                     .kind = FlagKind::reads_store,
                     .value = "IN",
                     .help = "stores of one config",
                     .repeats = true,
                     .required = true};
constexpr std::array kMergeFlags{&kTo, &kFrom};

int run_merge(const CommandLine& line, Session& session) {
  const std::string& to = line.text(kTo);
  if (to.empty()) throw Error(ErrorKind::usage, "no store to merge into: give --db FILE.sqlite");
  if (!line.has(kFrom)) throw Error(ErrorKind::usage, "no stores to merge: name them after --db " + to);
  const MergeOutcome outcome = merge_stores(to, line.texts(kFrom));
  for (const std::string& said : outcome.unprotected) complain(session, "merge: " + said);
  session.out << fmt::format("{} of {} points in {}, {} of them new\n", outcome.stored, outcome.planned, to,
                             outcome.added);
  return kDone;
}

}  // namespace

extern const Command kMerge;
const Command kMerge{
    .name = "merge",
    .summary = "join the stores of a sweep's shards",
    .example = "orderlab merge --db all.sqlite one.sqlite two.sqlite",
    .flags = kMergeFlags,
    .run = run_merge,
};

}  // namespace orderlab::cli
