// orderlab merge: the stores of shards, or files of counts, become one.
#include "cli/command.hpp"
#include "cli/merge_counts.hpp"
#include "cli/merge_stores.hpp"
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
  const bool counts = line.has(kMergedCounts);
  if (counts && line.has(kTo))
    throw Error(ErrorKind::usage, "--db and --counts: files are of one kind; give one of them");
  if (line.text(counts ? kMergedCounts : kTo).empty())
    throw Error(ErrorKind::usage, "nothing to merge into: give --db FILE.sqlite, or --counts FILE");
  if (!line.has(kFrom))
    throw Error(ErrorKind::usage, std::string(counts ? "no files" : "no stores") + " to merge: name them after " +
                                      line.quoted(counts ? kMergedCounts : kTo));
  if (counts) return merge_counts_into(line, kFrom, session);
  for (const Flag* flag : {&kJson, &kCsv, &kHtml})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": is about counts; of a store, `orderlab export` writes it");
  return merge_stores_into(line.text(kTo), line.texts(kFrom), line.has(kComplete), line.has(kQuiet), session);
}

std::string merge_in_words() {
  return "What is there is merged also where something is missing, and files can be merged one after the other into\n"
         "the same OUT. With --complete a store may be absent, or empty because its program was killed.\n"
         "Counts that were merged are reported as `orderlab sample` reports all samples.\n";
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
