#include "cli/recorded.hpp"

#include <fmt/format.h>

#include "orderlab/philox.hpp"

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

std::string record_key(const Json& config) {
  Json key{{"bits_version", kBitsVersion}};
  key.update(config);
  return key.dump();
}

}  // namespace orderlab::cli
