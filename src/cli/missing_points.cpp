#include "cli/missing_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "page/shell_word.hpp"

namespace orderlab::cli {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A name around a number.
struct NumberedName {
  std::string before;
  std::string after;

  bool operator==(const NumberedName&) const = default;
};

// Where this number stands in the name of the file.
std::vector<NumberedName> around(const std::string& path, const std::string& number) {
  std::vector<NumberedName> names;
  const std::size_t folder = path.find_last_of('/') + 1;
  const std::size_t dot = path.rfind('.');
  const std::size_t stem_end = dot == std::string::npos || dot <= folder ? path.size() : dot;
  for (std::size_t at = path.find(number, folder); at < stem_end; at = path.find(number, at + 1)) {
    const std::size_t end = at + number.size();
    if ((at == folder || !is_digit(path[at - 1])) && (end == path.size() || !is_digit(path[end])))
      names.push_back({path.substr(0, at), path.substr(end)});
  }
  return names;
}

// "3,7-9": numbers of the shards that are not finished, as a Slurm array has them.
std::string unfinished_shards(const SweepStatus& status) {
  std::string text;
  const std::vector<ShardStatus>& shards = status.shards();
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (shards[i].missing() == 0) continue;
    const std::uint64_t first = shards[i].shard.number;
    while (i + 1 < shards.size() && shards[i + 1].missing() > 0) ++i;  // all shards with points are there
    const std::uint64_t last = shards[i].shard.number;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last > first) text += fmt::format("{}{}", last == first + 1 ? "," : "-", last);
  }
  return text;
}

}  // namespace

StoreOfShard store_like(const SweepStatus& status) {
  std::optional<std::vector<NumberedName>> fitting;
  for (const ShardStatus& shard : status.shards())
    for (const std::string& store : shard.stores) {
      const std::vector<NumberedName> names = around(store, std::to_string(shard.shard.number));
      if (!fitting) fitting = names;
      const auto fits = [&](const NumberedName& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
      };
      std::erase_if(*fitting, [&](const NumberedName& name) { return !fits(name); });
    }
  if (!fitting || fitting->size() != 1) return [](const Shard&) { return std::string(); };
  return
      [name = fitting->front()](const Shard& shard) { return name.before + std::to_string(shard.number) + name.after; };
}

std::string how_to_finish(const SweepStatus& status, const std::string& then, const std::string& config,
                          const StoreOfShard& store_of, const std::string& whole) {
  const bool sharded = status.shard_count() > 1;
  std::string text;
  if (sharded) text += fmt::format("unfinished shards of {}: {}\n", status.shard_count(), unfinished_shards(status));
  text += fmt::format("to finish, run{}:\n", then);
  std::size_t commands = 0;
  for (const ShardStatus& shard : status.shards()) {
    if (shard.missing() == 0 || ++commands > kMostLines) continue;
    std::string store = shard.stores.empty() ? store_of(shard.shard) : shard.stores.front();
    if (store.empty()) store = sharded ? "FILE" : whole;
    text += fmt::format("  orderlab sweep {} --db {}", shell_word(config), shell_word(store));
    if (sharded) text += fmt::format(" --shard {}/{}", shard.shard.number, shard.shard.count);
    text += "\n";
  }
  if (commands > kMostLines) text += fmt::format("  and {} more\n", commands - kMostLines);
  return text;
}

}  // namespace orderlab::cli
