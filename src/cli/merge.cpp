// orderlab merge: the stores of shards become one.
#include "experiment/merge.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

struct Options {
  std::string to;
  std::vector<std::string> from;
};

int run(const Options& options, Session& session) {
  if (options.to.empty()) throw Error(ErrorKind::usage, "no store to merge into: give --db FILE.sqlite");
  if (options.from.empty()) throw Error(ErrorKind::usage, "no stores to merge: name them after --db " + options.to);
  const MergeOutcome outcome = merge_stores(options.to, options.from);
  session.out << fmt::format("{} of {} points in {}, {} of them new\n", outcome.stored, outcome.planned, options.to,
                             outcome.added);
  return kDone;
}

}  // namespace

extern const Command kMerge;
const Command kMerge{
    .name = "merge",
    .summary = "join the stores of a sweep's shards",
    .example = "orderlab merge --db all.sqlite one.sqlite two.sqlite",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      app.add_option("--db", options->to, "store that takes the points, made if it is not there")->type_name("OUT");
      app.add_option("stores", options->from, "stores of one config")->type_name("IN");
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
