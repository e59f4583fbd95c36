// What `orderlab` prints when it is called without a command.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orderlab::cli {

/// A question of README's table, and a command that answers it.
struct FirstQuestion {
  std::string_view text;
  std::string_view command;
};

std::span<const FirstQuestion> first_questions();

/// The questions with their commands, broken at a width.
std::string first_questions_text(int width);

}  // namespace orderlab::cli
