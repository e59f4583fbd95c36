// The values that a command was given, by flag.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/file_table.hpp"
#include "cli/given_array.hpp"
#include "describe/option.hpp"

namespace orderlab::cli {

/// What was typed for the flags of one command, and the fallback of a flag that was left out. A flag is found by its
/// address. Asking for one that the command does not have is a bug (std::logic_error), except where noted.
class CommandLine {
 public:
  /// All flags left out. The options say what those have that are members of a request.
  explicit CommandLine(std::span<const Flag* const> flags, std::span<const Options* const> options = {});

  void give(const Flag& flag, std::vector<std::string> values);

  /// Gives an array in place of a file; its text in messages is "an array".
  void give(const Flag& flag, GivenArray array);

  /// All flags of the command.
  std::vector<const Flag*> flags() const;

  /// Whether the command has the flag; any flag may be passed.
  bool takes(const Flag& flag) const;

  /// The command's flag of that long name, such as "--samples"; null where there is none.
  const Flag* find_flag(std::string_view long_name) const;

  /// Whether it was typed; false where the command does not have it.
  bool has(const Flag& flag) const;

  /// The value as typed, or the fallback, which may be empty.
  const std::string& text(const Flag& flag) const;

  /// The array given in place of a file; null where there is none.
  const GivenArray* array(const Flag& flag) const;

  /// All values of a flag that repeats.
  const std::vector<std::string>& texts(const Flag& flag) const;

  /// The value of a count. Error(usage) for anything else, or out of the flag's bounds.
  std::uint64_t count(const Flag& flag) const;

  /// The value of a real number. Error(usage) for anything else, or out of the flag's bounds.
  double real(const Flag& flag) const;

  /// One of the flag's words. Error(usage) for another.
  const std::string& word(const Flag& flag) const;

  /// "--samples 10": the flag with its value, for messages; a toggle alone.
  std::string quoted(const Flag& flag) const;

  /// Has the table know all files that were given to be read or written. Error(usage) as there.
  void name_files(FileTable& files) const;

 private:
  struct Entry {
    const Flag* flag;
    bool given;
    std::vector<std::string> values;
    std::optional<GivenArray> array = {};
  };
  const Entry* find(const Flag& flag) const;
  const Entry& entry(const Flag& flag) const;

  std::vector<Entry> entries_;
};

/// Gives the request those of its options that were typed. Error(usage) as Option::take.
template <class T>
void take(const CommandLine& line, const OptionsOf<T>& options, T& request) {
  for (const Option& option : options.rows)
    if (const Flag& flag = *option.flag; line.has(flag))
      option.take(flag_of(option), &request, flag.kind == FlagKind::toggle ? std::string() : line.text(flag));
}

}  // namespace orderlab::cli
