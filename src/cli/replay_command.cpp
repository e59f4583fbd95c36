#include "cli/replay_command.hpp"

#include <algorithm>
#include <vector>

#include "cli/input_flags.hpp"
#include "cli/order_files.hpp"
#include "cli/order_flags.hpp"
#include "core/ascii.hpp"

namespace orderlab::cli {

namespace {

bool is_word(const std::string& text, std::string_view signs) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter_or_digit(c) || signs.find(c) != std::string_view::npos;
  });
}

std::string for_shell(const std::string& text) {
  if (is_word(text, "._/:,+^@%-")) return text;
  const bool apostrophe = text.find('\'') != std::string::npos;
  if (apostrophe && text.find_first_of("\"$`\\!") == std::string::npos) return "\"" + text + "\"";
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string for_expression(const std::string& path) { return is_word(path, "._/+-") ? path : "'" + path + "'"; }

// Expressions name files by the hash of their content; a command has to name the files.
void add_file_names(std::string& text, const Arguments& arguments) {
  for (const Rows* file : files_of(arguments)) {
    const std::string hash = "'" + file->hash + "'";
    for (auto at = text.find(hash); at != std::string::npos; at = text.find(hash))
      text.replace(at, hash.size(), for_expression(file->path));
  }
}

}  // namespace

std::string replay_command(const Order& shuffled, const CommandLine& line, const std::string& file) {
  std::string text;
  const auto& stages = shuffled.stages();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    std::string stage = Order({}, {stages[i]}).expression();
    if (i == shuffled.first_random()) stage = "perm(" + for_expression(file) + ")";
    add_file_names(stage, stages[i].arguments);
    text += (text.empty() ? "" : " | ") + stage;
  }
  std::string command = "orderlab sum";
  const auto add = [&](const Flag& flag, const std::string& value) {
    if (!value.empty()) command += " " + flag.long_name() + " " + for_shell(value);
  };
  add(kN, line.text(kN));
  if (line.has(kN)) add(kDistribution, line.text(kDistribution));
  add(kInput, line.text(kInput));
  add(kWith, line.text(kWith));
  if (line.has(kTermList))
    command += " " + kTermList.long_name() + "=" + for_shell(line.text(kTermList));  // may begin with a minus
  add(kFormat, line.text(kFormat));
  if (line.has(kN)) add(kInputSeed, line.text(line.has(kInputSeed) ? kInputSeed : kSeed));
  add(kOrder, text);
  return command;
}

}  // namespace orderlab::cli
