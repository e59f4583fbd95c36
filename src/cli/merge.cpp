// orderlab merge: the stores of shards become one.
#include "sweep/merge.hpp"

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/merge_counts.hpp"
#include "cli/one_order.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kTo{
    .name = "--db", .kind = FlagKind::writes_store, .value = "OUT", .help = "store to merge into, created if missing"};
constexpr Flag kFrom{.name = "stores",
                     .kind = FlagKind::reads_store,
                     .value = "IN",
                     .help = "stores of one config, or files of counts of one experiment",
                     .repeats = true,
                     .required = true};
constexpr auto kMergeFlags =
    joined(std::array{&kTo, &kMergedCounts, &kFrom, &kComplete, &kThreads}, kOutputFlags, std::array{&kHtml});

int run_merge(const CommandLine& line, Session& session) {
  const std::string& to = line.text(kTo);
  const bool counts = line.has(kMergedCounts);
  if (counts == line.has(kTo))
    throw Error(ErrorKind::usage, counts ? "--db and --counts: files are of one kind; give one of them"
                                         : "nothing to merge into: give --db FILE.sqlite, or --counts FILE");
  if (!line.has(kFrom))
    throw Error(ErrorKind::usage, "no files to merge: name them after " + line.quoted(counts ? kMergedCounts : kTo));
  if (counts) return merge_counts_into(line, kFrom, session);
  for (const Flag* flag : {&kJson, &kCsv, &kHtml})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about counts; of a store, `orderlab export` writes it");
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
    .summary = "join the stores of a sweep's shards, or counts of one sum's samples",
    .example = "orderlab merge --db all.sqlite one.sqlite two.sqlite",
    .flags = kMergeFlags,
    .run = run_merge,
};

}  // namespace orderlab::cli
