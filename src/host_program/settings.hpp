// How `orderlab host` tells a program what to do, and where the program writes what it found: one variable of the
// environment, and one file of lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_names.hpp"

namespace orderlab::host_program {

/// The variable, whose value is that of text_of.
inline constexpr const char* kSettingsVariable = "ORDERLAB_HOST_PROGRAM";

/// Exit status of a program that was ended at a finding.
inline constexpr int kStoppedStatus = 97;

struct Settings {
  std::string record;  ///< file for what was found; empty: standard error gets the findings
  std::uint64_t seed = 1;
  std::uint64_t sample = 0;
  std::size_t checked_first = ~std::size_t{0};  ///< thread blocks of each launch
  std::size_t checked_sample = 0;
  bool warp_synchronous = false;
  std::size_t gpus = 1;

  bool checks_all() const { return checked_first == Settings().checked_first; }

  friend bool operator==(const Settings&, const Settings&) = default;
};

std::string text_of(const Settings& settings);
Settings parse_settings(std::string_view text);

enum class FindingKind : std::uint8_t { fault, host_fault, unordered, leak, varies, same_value, unchecked, note };

constexpr std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::fault:
      return "fault";
    case FindingKind::host_fault:
      return "host_fault";
    case FindingKind::unordered:
      return "unordered";
    case FindingKind::leak:
      return "leak";
    case FindingKind::varies:
      return "varies";
    case FindingKind::same_value:
      return "same_value";
    case FindingKind::unchecked:
      return "unchecked";
    case FindingKind::note:
      return "note";
  }
  return "";
}
inline constexpr auto kFindingKindNames = names_through<FindingKind::note>();

/// Undefined behaviour, or a wrong call or access.
constexpr bool is_fault(FindingKind kind) {
  return kind == FindingKind::fault || kind == FindingKind::host_fault || kind == FindingKind::unordered;
}

/// What need not be wrong.
constexpr bool is_note(FindingKind kind) {
  return kind == FindingKind::same_value || kind == FindingKind::unchecked || kind == FindingKind::note;
}

struct Finding {
  FindingKind kind;
  std::string place;  ///< FILE:LINE; empty where it is not known
  std::string text;

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// All launches of one kernel from one place.
struct LaunchCount {
  std::string kernel;
  std::string place;
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::uint64_t checked = 0;  ///< of the thread blocks
  std::uint64_t threads = 0;
  std::uint64_t float_atomics = 0;
  std::uint64_t exchanges = 0;  ///< atomicCAS and atomicExch that changed a value

  friend bool operator==(const LaunchCount&, const LaunchCount&) = default;
};

/// What one copy brought back to the host.
struct CopiedBack {
  std::string place;
  std::string to;  ///< variables as the source names them; empty where it does not
  std::string from;
  std::string type;  ///< "fp32"; "bytes" where it is not known
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;              ///< of all bytes
  std::vector<std::uint64_t> numbers;  ///< bits of the first of them

  friend bool operator==(const CopiedBack&, const CopiedBack&) = default;
};

/// Numbers of a copy that are kept.
inline constexpr std::size_t kMostNumbers = 4096;

/// What one run of a program found.
struct Record {
  std::vector<Finding> findings;
  std::vector<LaunchCount> launches;
  std::vector<CopiedBack> copies;

  friend bool operator==(const Record&, const Record&) = default;
};

/// One line each, with its end.
std::string line_of(const Finding& finding);
std::string line_of(const LaunchCount& count);
std::string line_of(const CopiedBack& copy);

/// What lines of line_of say. A line that is none is left out: a program may have been killed in the middle of one.
Record parse_record(std::string_view lines);

}  // namespace orderlab::host_program
