#include "cli/recorded.hpp"

#include <fmt/format.h>

#include "cli/one_order.hpp"
#include "core/printable.hpp"
#include "orderlab/philox.hpp"
#include "show/input_text.hpp"
#include "show/wrapped.hpp"

namespace orderlab::cli {

std::unique_ptr<RecordStore> open_records(const std::string& path, Session& session) {
  auto store = std::make_unique<RecordStore>(path, RecordStore::Access::create);
  if (store->damaged() > 0)
    complain(session, fmt::format("{}: {} damaged records; their runs are made again", path, store->damaged()));
  return store;
}

std::unique_ptr<RecordStore> record_store_of(const CommandLine& line, Session& session) {
  return line.has(kRecords) ? open_records(line.text(kRecords), session) : nullptr;
}

std::optional<Shard> part_of_runs(const CommandLine& line, std::uint64_t runs) {
  const std::optional<Shard> part = shard_of(line);
  if (!part) return std::nullopt;
  const std::string shard = line.quoted(kShard) + ": ";
  if (!line.has(kRecords))
    throw Error(ErrorKind::usage, shard + "its runs go to a store; give --db 'part-{shard}.sqlite'");
  for (const Flag* flag : {&kJson, &kCsv, &kHtml})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) + ": a part has no report; merge the stores and give their " +
                                        "runs by --db, without " + line.quoted(kShard));
  if (part->count > runs)  // some would have none
    throw Error(ErrorKind::usage, fmt::format("{}there {} only {}; give no more shards than these", shard,
                                              runs == 1 ? "is" : "are", plural(runs, "run")));
  return part;
}

int report_part(const CommandLine& line, Session& session, std::string_view command, bool complete) {
  const std::string& store = line.text(kRecords);
  if (!complete) return interrupted(session, command, "all runs of the part were in " + printable(store));
  if (!line.has(kQuiet))
    session.out << wrapped(fmt::format("part {} is in {}; when all are: orderlab merge --db all.sqlite PART..., then "
                                       "this command with --db all.sqlite and without --shard\n",
                                       line.text(kShard), printable(store)),
                           session.width);
  return kDone;
}

std::string record_key(const Json& config) {
  Json key{{"bits_version", kBitsVersion}};
  key.update(config);
  return key.dump();
}

}  // namespace orderlab::cli
