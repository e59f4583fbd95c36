#include "cli/command_line.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/text.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

// A store and the files that SQLite keeps beside it, or beside what a link leads to.
std::array<std::string, 4> files_of_store(const std::string& path) {
  std::error_code code;
  const std::filesystem::path itself = std::filesystem::canonical(path, code);
  const std::string target = code ? path : itself.string();
  return {path, target + "-wal", target + "-shm", target + "-journal"};
}

void name_files_of(const Flag& flag, const std::string& path, FileTable& files) {
  const std::string label = flag.long_name();
  const FlagKind kind = flag.kind;
  const bool names_file =
      kind == FlagKind::reads_file || kind == FlagKind::reads_store || kind == FlagKind::writes_store;
  if (path == "-" && names_file)
    throw Error(ErrorKind::usage, label +
                                      " -: is neither standard input nor output here; name a file, ./- for one of "
                                      "that name");
  if (kind == FlagKind::reads || kind == FlagKind::reads_file) files.reads(path);
  if (kind == FlagKind::writes) files.writes(label, path);
  if (path.empty()) return;
  if (kind == FlagKind::reads_store)
    for (const std::string& file : files_of_store(path)) files.reads(file);
  if (kind == FlagKind::writes_store)
    for (const std::string& file : files_of_store(path)) files.writes(label, file);
}

}  // namespace

CommandLine::CommandLine(std::span<const Flag* const> flags, std::span<const Options* const> options) {
  for (const Flag* flag : flags) {
    Entry entry{flag, false, {}};
    const std::string text = default_text(*flag, options);
    if (!text.empty() || !flag->repeats) entry.values.push_back(text);
    entries_.push_back(std::move(entry));
  }
}

const CommandLine::Entry* CommandLine::find(const Flag& flag) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.flag == &flag; });
  return found == entries_.end() ? nullptr : &*found;
}

const CommandLine::Entry& CommandLine::entry(const Flag& flag) const {
  if (const Entry* found = find(flag)) return *found;
  throw std::logic_error("the command has no flag " + std::string(flag.key));
}

void CommandLine::give(const Flag& flag, std::vector<std::string> values) {
  for (Entry& entry : entries_)
    if (entry.flag == &flag) entry = {&flag, true, std::move(values)};
}

void CommandLine::give(const Flag& flag, GivenArray array) {
  for (Entry& entry : entries_)
    if (entry.flag == &flag) entry = {&flag, true, {"an array"}, std::move(array)};
}

const GivenArray* CommandLine::array(const Flag& flag) const {
  const Entry* const found = find(flag);
  return found != nullptr && found->array ? &*found->array : nullptr;
}

std::vector<const Flag*> CommandLine::flags() const {
  std::vector<const Flag*> all;
  for (const Entry& entry : entries_) all.push_back(entry.flag);
  return all;
}

bool CommandLine::takes(const Flag& flag) const { return find(flag) != nullptr; }

const Flag* CommandLine::find_flag(std::string_view long_name) const {
  for (const Entry& entry : entries_)
    if (entry.flag->long_name() == long_name) return entry.flag;
  return nullptr;
}

bool CommandLine::has(const Flag& flag) const {
  const Entry* found = find(flag);
  return found != nullptr && found->given;
}

const std::string& CommandLine::text(const Flag& flag) const { return entry(flag).values.front(); }

const std::vector<std::string>& CommandLine::texts(const Flag& flag) const { return entry(flag).values; }

std::uint64_t CommandLine::count(const Flag& flag) const { return options::count_of(flag, text(flag)); }

double CommandLine::real(const Flag& flag) const { return options::real_of(flag, text(flag)); }

const std::string& CommandLine::word(const Flag& flag) const {
  options::word_of(flag, text(flag));
  return text(flag);
}

std::string CommandLine::quoted(const Flag& flag) const {
  return flag.kind == FlagKind::toggle ? flag.long_name() : flag.long_name() + " " + text(flag);
}

void CommandLine::name_files(FileTable& files) const {
  for (const Entry& entry : entries_) {
    if (!entry.given || entry.array) continue;
    for (const std::string& path : entry.values) name_files_of(*entry.flag, path, files);
  }
}

}  // namespace orderlab::cli
