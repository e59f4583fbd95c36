// orderlab merge: the stores of shards, or files of counts, become one.
#include "cli/command.hpp"
#include "cli/merge_counts.hpp"
#include "cli/merge_stores.hpp"
#include "cli/one_order.hpp"
#include "cli/shard.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kTo{
    .key = "db", .kind = FlagKind::writes_store, .value = "OUT", .help = "store to merge into, created if missing"};
constexpr Flag kFrom{.key = "stores",
                     .positional = true,
                     .kind = FlagKind::reads_store,
                     .value = "IN",
                     .help = "stores of one config, or files of counts of the same samples",
                     .repeats = true,
                     .required = true};
constexpr Flag kMergedCounts{.key = "counts",
                             .kind = FlagKind::writes_store,
                             .value = "OUT",
                             .help = "in place of --db: file of counts to merge into, created if missing"};
constexpr Flag kComplete{
    .key = "complete", .kind = FlagKind::toggle, .help = "exit status 1 while anything is missing, and say what"};
constexpr auto kMergeFlags =
    joined(std::array{&kTo, &kMergedCounts, &kFrom, &kComplete, &kThreads}, kOutputFlags, std::array{&kHtml});

int run_merge(const CommandLine& line, Session& session) {
  const bool counts = line.has(kMergedCounts);
  if (counts && line.has(kTo))
    throw Error(ErrorKind::usage, "--db merges stores, --counts merges files of counts; give one of them");
  if (line.text(counts ? kMergedCounts : kTo).empty())
    throw Error(ErrorKind::usage, "nothing to merge into: give --db FILE.sqlite, or --counts FILE");
  if (!line.has(kFrom))
    throw Error(ErrorKind::usage, std::string(counts ? "no files" : "no stores") + " to merge: name them after " +
                                      line.quoted(counts ? kMergedCounts : kTo));
  refuse_marks(line);
  threads_of(line);
  colored(line, session);
  if (counts) return merge_counts_into(line.text(kMergedCounts), line.texts(kFrom), line.has(kComplete), line, session);
  for (const Flag* flag : {&kJson, &kCsv, &kHtml})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about counts; of a store, `orderlab export` writes it");
  return merge_stores_into(line.text(kTo), line.texts(kFrom), line.has(kComplete), line.has(kQuiet), session);
}

std::string merge_in_words() {
  return "Missing parts do not prevent a merge, and files can be merged one after the other into the same OUT.\n"
         "With --complete a file may be absent, or empty because its program was killed. Merged counts are reported\n"
         "as `orderlab sample` reports all samples.\n";
}

}  // namespace

extern const Command kMerge;
const Command kMerge{
    .name = "merge",
    .summary = "join the stores of a sweep's shards, or counts of one sum's samples",
    .example = "orderlab merge --complete --db all.sqlite one.sqlite two.sqlite",
    .flags = kMergeFlags,
    .run = run_merge,
    .notes = merge_in_words,
};

}  // namespace orderlab::cli
