// A flag of a command, as data. What a question can be asked with is described once, here: the command line, help,
// completion, the keyword of Python, the config of a finding and an axis of sweeps say it by the same constant.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace orderlab {

/// What the value of a flag is.
enum class FlagKind {
  toggle,        ///< none: the flag is given or not
  text,          ///< a text with a grammar of its own: an order, a distribution, a real number
  count,         ///< a whole number: 1000, 1e6, 2^20
  fraction,      ///< a real number between 0 and 1, both excluded
  word,          ///< one of `words`
  reads,         ///< a file that is read, or - for standard input
  writes,        ///< a file that is written, or - for standard output
  reads_file,    ///< a file that is read and is no stream
  reads_store,   ///< the store of a sweep, with what SQLite keeps beside it
  writes_store,  ///< the same, added to
  folder,        ///< a folder in which files are written
  rest,          ///< what stands behind --, which may be anything; positional
};

struct Flag {
  /// max_iterations: --max-iterations, max_iterations=4 in Python, a key of requests and configs.
  std::string_view key;
  char letter = 0;          ///< 'o': -o stands for it, too
  bool positional = false;  ///< an argument without a name
  FlagKind kind = FlagKind::text;
  std::string_view value = {};         ///< what help calls the value: "COUNT"
  std::string_view fallback = {};      ///< the value where the flag is left out; empty: that of the request, or none
  std::string_view help;               ///< begins with a small letter, has no stop at its end
  std::string_view config_help = {};   ///< what a finding's config says of it; empty: as `help`
  std::string_view group = "Options";  ///< under which help shows it
  bool repeats = false;                ///< may be given more than once
  bool speed_only = false;             ///< results never depend on it
  bool required = false;               ///< shown in the usage line; the command itself refuses to run without it
  std::span<const std::string_view> words = {};
  std::string_view list = {};  ///< "orders": of the names that the value may be or begin with, for shells to complete

  double low = -std::numeric_limits<double>::infinity();  ///< least number
  double high = std::numeric_limits<double>::infinity();
  std::string_view must_be = {};  ///< what a number has to be, where the bounds do not say it all: "a time above 0"
  bool above_low = false;         ///< `low` itself is refused
  bool below_high = false;

  /// The name on the command line and in messages: "--max-iterations".
  std::string long_name() const {
    if (positional) return std::string(key);
    std::string name = "--" + std::string(key);
    std::replace(name.begin() + 2, name.end(), '_', '-');
    return name;
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

}  // namespace orderlab
