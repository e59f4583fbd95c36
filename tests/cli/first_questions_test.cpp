#include "cli/first_questions.hpp"

#include <doctest/doctest.h>

#include <string>

#include "cli/program.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

// A command as a shell reads it: words, of which some are in single quotes.
Line words_in(std::string_view command) {
  Line words{""};
  bool quoted = false;
  for (const char c : command) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ' ' && !quoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

}  // namespace

TEST_CASE("orderlab alone asks five questions, whose commands answer them") {
  const Outcome alone = run({});
  CHECK(alone.status == kDone);
  CHECK(alone.err.empty());
  CHECK(first_questions().size() == 5);
  for (const FirstQuestion& question : first_questions()) {
    CAPTURE(question.command);
    Line words = words_in(question.command);
    CHECK(alone.out.find("  " + std::string(question.command) + "\n") != std::string::npos);
    REQUIRE(words.front() == "orderlab");
    words.erase(words.begin());
    if (words[0] == "host" || words[0] == "probe") continue;  // need a file, and numpy
    const Outcome outcome = run(words);
    CHECK(outcome.status != kFailed);
    CHECK(!outcome.out.empty());
  }
}

TEST_CASE("the first questions are rows of README's table, which names their commands") {
  const std::string readme = TemporaryFolder::read(ORDERLAB_README);
  for (const FirstQuestion& question : first_questions()) {
    CAPTURE(question.text);
    const std::size_t row = readme.find("\n| " + std::string(question.text) + " | ");
    REQUIRE(row != std::string::npos);
    const std::string line = readme.substr(row + 1, readme.find('\n', row + 1) - row - 1);
    CHECK(has(line, "`" + words_in(question.command)[1]));
  }
}

TEST_CASE("the doctor finds nothing wrong") {
  const Outcome outcome = run({"doctor"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.err.empty());
  for (const char* fact : {"build ", "system ", "vectors ", "threads ", "memory ", "formats ", "HDF5 ", "check "})
    CHECK(("\n" + outcome.out).find("\n" + std::string(fact)) != std::string::npos);
  CHECK(outcome.out.find("the bits that they have everywhere") != std::string::npos);
}
