// Files whose names have the number of a shard.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab::cli {

/// Stands for the number of a shard in the name of a store.
inline constexpr std::string_view kShardMark = "{shard}";

/// The name with the number in place of every mark.
std::string with_number(const std::string& name, std::size_t number);

/// The files that a name with marks stands for, by number; a name without is itself, there or not. Numbers are written
/// as with_number does, without zeros before them. Error(input): a folder that is there and cannot be read.
std::vector<std::string> numbered_files(const std::string& name);

}  // namespace orderlab::cli
