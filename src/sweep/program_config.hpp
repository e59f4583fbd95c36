// A config of a sweep over a program: a command, and values of its flags.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace orderlab {

/// The values of one flag.
struct ProgramKey {
  std::string name;   ///< long name of the flag without dashes
  std::string place;  ///< "FILE:LINE:COLUMN"
  std::vector<std::string> values;
};

struct ProgramConfig {
  std::string path;
  std::string title;
  std::string question;
  std::string command;
  std::string command_place;
  std::vector<ProgramKey> keys;  ///< in the order of the file

  /// One value of each key, with the key: points of the product, the last key running fastest.
  std::vector<std::vector<std::pair<const ProgramKey*, std::string>>> points() const;
};

/// Reads a config with the key `command`; empty for one without, which is of sums or operations.
///
/// Error(input), "FILE:LINE:COLUMN: ...": as read_toml; a value that is no text, number or list of these; an empty
/// list; more than 10,000 points.
std::optional<ProgramConfig> read_program_config(const std::string& path);

}  // namespace orderlab
