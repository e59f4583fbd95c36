// A flag of a command, as data: the parser, help and the table of files read it, and whatever else asks what a command
// takes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace orderlab::cli {

/// What the value of a flag is.
enum class FlagKind {
  toggle,        ///< none: the flag is given or not
  text,          ///< a text with a grammar of its own: an order, a distribution, a size in bytes
  count,         ///< a whole number: 1000, 1e6, 2^20
  fraction,      ///< a real number between 0 and 1, both excluded
  word,          ///< one of `words`
  reads,         ///< a file that is read, or - for standard input
  writes,        ///< a file that is written, or - for standard output
  reads_file,    ///< a file that is read and is no stream
  reads_store,   ///< the store of a sweep, with what SQLite keeps beside it
  writes_store,  ///< the same, added to
  folder,        ///< a folder in which files are written
};

struct Flag {
  std::string_view name;  ///< "--samples", "-o,--output"; without dashes: a positional argument
  FlagKind kind = FlagKind::text;
  std::string_view value = {};     ///< what help calls the value: "COUNT"
  std::string_view fallback = {};  ///< the value where the flag is left out; empty: none
  std::string_view help;
  std::string_view group = "Options";  ///< under which help shows it
  bool repeats = false;                ///< may be given more than once
  bool required = false;               ///< shown in the usage line; the command itself refuses to run without it
  std::span<const std::string_view> words = {};
  std::vector<std::string> (*names)() = nullptr;  ///< names that the value may be or begin with, for shells to complete

  constexpr bool positional() const { return !name.starts_with('-'); }

  /// The name in messages: "--output" of "-o,--output".
  constexpr std::string_view long_name() const {
    const auto dashes = name.find("--");
    return dashes == std::string_view::npos ? name : name.substr(dashes);
  }
};

/// Several lists of flags as one.
template <class... Lists>
constexpr auto joined(const Lists&... lists) {
  std::array<const Flag*, (std::tuple_size_v<Lists> + ...)> all{};
  auto end = all.begin();
  ((end = std::copy(lists.begin(), lists.end(), end)), ...);
  return all;
}

}  // namespace orderlab::cli
