#include "cli/missing_points.hpp"

#include <fmt/format.h>

#include <optional>

#include "page/shell_word.hpp"

namespace orderlab::cli {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A name around a number.
struct NumberedName {
  std::string before;
  std::string after;
};

// The last number in the name of the file that is this one.
std::optional<NumberedName> around(const std::string& path, const std::string& number) {
  const std::size_t folder = path.find_last_of('/') + 1;
  for (std::size_t at = path.rfind(number); at != std::string::npos && at >= folder;
       at = at == 0 ? std::string::npos : path.rfind(number, at - 1)) {
    const std::size_t end = at + number.size();
    if ((at == 0 || !is_digit(path[at - 1])) && (end == path.size() || !is_digit(path[end])))
      return NumberedName{path.substr(0, at), path.substr(end)};
  }
  return std::nullopt;
}

}  // namespace

StoreOfShard store_like(const std::vector<ShardRun>& runs) {
  for (const ShardRun& run : runs) {
    if (run.shard.count == 1) continue;
    if (const auto name = around(run.store, std::to_string(run.shard.number)))
      return [name](const Shard& shard) { return name->before + std::to_string(shard.number) + name->after; };
  }
  return [](const Shard&) { return std::string(); };
}

std::string unfinished_shards(const SweepStatus& status) {
  std::string text;
  const std::vector<ShardStatus>& shards = status.shards();
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (shards[i].missing() == 0) continue;
    const std::size_t first = i;
    while (i + 1 < shards.size() && shards[i + 1].missing() > 0) ++i;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first + 1);
    if (i > first) text += fmt::format("{}{}", i == first + 1 ? "," : "-", i + 1);
  }
  return text;
}

std::string finishing_commands(const SweepStatus& status, const std::string& config, const StoreOfShard& store_of,
                               const std::string& fallback) {
  std::string text;
  std::size_t commands = 0;
  for (const ShardStatus& shard : status.shards()) {
    if (shard.missing() == 0 || ++commands > kMostLines) continue;
    std::string store = shard.stores.empty() ? store_of(shard.shard) : shard.stores.front();
    if (store.empty()) store = fallback;
    text += fmt::format("  orderlab sweep {} --db {}", shell_word(config), shell_word(store));
    if (shard.shard.count > 1) text += fmt::format(" --shard {}/{}", shard.shard.number, shard.shard.count);
    text += "\n";
  }
  if (commands > kMostLines) text += fmt::format("  and {} more\n", commands - kMostLines);
  return text;
}

}  // namespace orderlab::cli
