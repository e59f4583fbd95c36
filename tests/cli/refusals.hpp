// Command lines that are refused, and what that must look like.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace orderlab::cli {

using Texts = std::vector<std::string>;

/// Exit 2, one line on standard error, nothing on standard output, no file written, changed or left. Lists the working
/// directory, so that must be a TemporaryFolder.
inline void refuses(const Line& arguments, const std::string& part = "orderlab: ") {
  std::string line;
  for (const std::string& argument : arguments) line += " [" + argument.substr(0, 80) + "]";
  CAPTURE(line);
  const std::string before = TemporaryFolder::listing();
  const Outcome outcome = run(arguments);
  CAPTURE(outcome.err.substr(0, 300));
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("orderlab: "));
  CHECK(std::count_if(outcome.err.begin(), outcome.err.end(),
                      [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }) == 1);
  CHECK(outcome.err.ends_with("\n"));
  CHECK(has(outcome.err, part));
  CHECK(TemporaryFolder::listing() == before);
}

/// With a file to write, which must not appear; the line names the command and has `part`.
inline void refuses_with(const Line& arguments, const std::string& part) {
  const bool has_one = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  refuses(has_one ? arguments : arguments + Line{"--json", "never.json"}, part);
  refuses(arguments, "orderlab: " + arguments.front() + ": ");
}

/// With a file to write, which must not appear.
inline void refuses_each(const Line& arguments, const std::string& flag, const Texts& texts) {
  for (const std::string& text : texts) refuses(arguments + Line{flag, text, "--csv", "never.csv"});
}

inline const Line kWarpLine{"sample", "--n", "40", "--order", "warp", "--json", "never.json"};
inline const Line kThree{"sample", "--values", "1,2,3", "--json", "never.json"};

}  // namespace orderlab::cli
