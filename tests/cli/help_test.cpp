#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/listing.hpp"
#include "cli/parse.hpp"
#include "cli/program.hpp"
#include "crosscheck/known_kernels.hpp"
#include "crosscheck/synthetic_capture.hpp"
#include "cuda/capture_file.hpp"
#include "fit/recordings.hpp"
#include "show/table.hpp"

using namespace orderlab::cli;

namespace {

// As a shell reads it: words, quotes, and nothing behind a pipe.
Line words_of(std::string_view text) {
  Line words;
  std::string word;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == '|' && !quoted)
      break;
    else if (c != ' ' || quoted)
      word += c;
    if (c == ' ' && !quoted && !word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

// Words with one space between them, however they were broken into lines.
std::string flowing(std::string_view text) {
  std::string words;
  for (const char c : text)
    if (c != ' ' && c != '\n')
      words += c;
    else if (!words.ends_with(' '))
      words += ' ';
  return words;
}

std::size_t longest_line(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    longest = std::max(longest, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

}  // namespace

TEST_CASE("help is as wide as the terminal, and loses no word") {
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    const std::string narrow = help_text(command, 80);
    const std::string wide = help_text(command, 10'000);
    CHECK(flowing(narrow) == flowing(wide));
    std::string_view before_example(narrow);
    before_example = before_example.substr(0, before_example.find("\nExample: "));
    CHECK(longest_line(before_example.substr(before_example.find("\n\n"))) <= 80);
  }
  CHECK(longest_line(help_text(nullptr, 80)) <= 80);
}

TEST_CASE("help names every command, and every command's help its flags and an example") {
  const Outcome help = run({"--help"});
  CHECK(help.status == kDone);
  CHECK(help.err.empty());
  CHECK(has(help.out, "Usage: orderlab [OPTIONS]"));
  for (const Command* command : commands()) {
    const std::string name(command->name);
    CAPTURE(name);
    CHECK(has(help.out, "  " + name + " "));
    CHECK(has(flowing(help.out), std::string(command->summary)));
    const Outcome own = run({name, "--help"});
    CHECK(own.status == kDone);
    CHECK(own.err.empty());
    CHECK(has(own.out, "Usage: orderlab " + name + " "));
    CHECK(has(own.out, " [OPTIONS]\n"));
    CHECK(has(own.out, "Example: " + std::string(command->example)));
    CHECK(run({name, "-h"}).out == own.out);
    for (const orderlab::Flag* flag : command->flags) {
      CAPTURE(flag->key);
      CHECK(has(own.out, flag->long_name()));
      CHECK(has(flowing(own.out), std::string(flag->help)));
      CHECK(!flag->help.empty());
      const std::string fallback = orderlab::default_text(*flag, command->options);
      if (!fallback.empty()) CHECK(has(own.out, std::string(flag->value) + "=" + fallback));
    }
  }
}

TEST_CASE("the flags of the contract are there") {
  for (const char* name : {"sample", "sum", "tree"})
    for (const char* flag : {"--n", "--dist", "--input", "--with", "--values", "--format", "--seed", "--input-seed",
                             "--order", "--arrival", "--json"})
      CHECK(has(run({name, "--help"}).out, std::string(flag) + " "));
  for (const char* flag : {"--samples", "--range", "--baseline", "--threads", "--csv", "--quiet", "--color"})
    CHECK(has(run({"sample", "--help"}).out, std::string(flag) + " "));
  for (const char* flag : {"--sample", "--dot", "--newick"})
    CHECK(has(run({"tree", "--help"}).out, std::string(flag) + " "));
}

TEST_CASE("every example runs") {
  const TemporaryFolder folder;
  const orderlab::KernelInfo& kernel = *orderlab::known_kernels().front();
  orderlab::Capture capture;
  capture.runs.push_back(orderlab::testing::modelled_run(kernel, kernel.shapes[0], "dyadic(24,-23)",
                                                         orderlab::Format::fp32, 10, 1, false));
  TemporaryFolder::write("gpu.capture", orderlab::write_capture(capture));
  std::filesystem::copy(ORDERLAB_CONFIGS, "configs");
  TemporaryFolder::write("tiny.toml", "n = [1, 2]\norder = 'seq'\n");
  for (const char* shard : {"1/2", "2/2"})
    CHECK(run({"sweep", "tiny.toml", "--shard", shard, "--db", shard[0] == '1' ? "one.sqlite" : "two.sqlite"}).status ==
          kDone);
  TemporaryFolder::write("orders.csv", orderlab::test::text_of(orderlab::test::record("slots(8,0.4)", 48, 16)));
  TemporaryFolder::write("reduction.cu",
                         "__global__ void k(int* x) { atomicAdd(x, 1); }\n"
                         "int main() { int* x; cudaMallocManaged(&x, 4); k<<<9, 9>>>(x); "
                         "cudaDeviceSynchronize(); printf(\"%d\", *x); }\n");
  for (const char* file : {"batch_1.jsonl", "batch_8.jsonl"})
    TemporaryFolder::write(file,
                           R"({"choices": [{"logprobs": {"content": [{"token": "a", "logprob": -0.5, "top_logprobs": )"
                           R"([{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1.5}]}]}}]})");
  for (const Command* command : commands()) {
    Line words = words_of(command->example);
    REQUIRE(words.size() > 1);
    CHECK(words[0] == "orderlab");
    words.erase(words.begin());
    for (std::string& word : words) {
      if (word == "1e6" || word == "1e5") word = "1e4";
      if (word == "1000x1000") word = "200x200";
    }
    CAPTURE(command->example);
    const Outcome outcome = run(words);
    CHECK(outcome.status == kDone);
    CHECK(!has(outcome.err, "orderlab: "));  // how long work takes may be announced
    CHECK(!outcome.out.empty());
  }
}

TEST_CASE("help prints what --help does") {
  CHECK(run({"help"}).out == run({"--help"}).out);
  for (const Command* command : commands()) {
    const std::string name(command->name);
    CAPTURE(name);
    const Outcome outcome = run({"help", name});
    CHECK(outcome.status == kDone);
    CHECK(outcome.err.empty());
    CHECK(outcome.out == run({name, "--help"}).out);
  }
}

namespace {

// The part of `text` that is about one command: from the line `begin` up to the next one that starts with `end`.
std::string section_of(const std::string& text, const std::string& begin, const std::string& end) {
  const auto at = text.find("\n" + begin + "\n");
  if (at == std::string::npos) return {};
  return text.substr(at + 1, text.find("\n" + end, at + begin.size()) - at);
}

std::string with_hyphens(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '-' ? "\\-" : std::string(1, c);
  return escaped;
}

}  // namespace

TEST_CASE("the manual page has every command with its flags") {
  const Outcome page = run({"help", "--man"});
  CHECK(page.status == kDone);
  CHECK(page.err.empty());
  CHECK(page.out.starts_with(".TH ORDERLAB 1 "));
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    const std::string section = section_of(page.out, ".SS " + std::string(command->name), ".S");
    REQUIRE(!section.empty());
    CHECK(has(section, "Example:"));
    for (const orderlab::Flag* flag : command->flags) {
      CAPTURE(flag->key);
      const std::string name = with_hyphens(flag->long_name());
      CHECK(has(section, (flag->positional ? "\\fI" : "\\fB") + name + "\\fR"));
    }
  }
  for (const char* flag : {"\\-\\-help", "\\-\\-version", "\\-V"}) CHECK(has(page.out, "\\fB" + std::string(flag)));
}

TEST_CASE("completion has every command with its flags, words and names") {
  for (const std::string shell : {"bash", "zsh"}) {
    CAPTURE(shell);
    const Outcome script = run({"help", "--completion", shell});
    CHECK(script.status == kDone);
    CHECK(script.err.empty());
    for (const Command* command : commands()) {
      CAPTURE(command->name);
      const std::string section = section_of(script.out, "    " + std::string(command->name) + ")", "      ;;");
      REQUIRE(!section.empty());
      for (const orderlab::Flag* flag : command->flags) {
        CAPTURE(flag->key);
        if (!flag->positional) CHECK(has(section, flag->long_name()));
        for (const std::string_view word : flag->words) CHECK(has(section, std::string(word)));
        if (flag->list.empty()) continue;
        CHECK(!names_in(flag->list).empty());
        for (const std::string& name : names_in(flag->list)) {
          CHECK(has(section, name));
          CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);  // no quotes
        }
      }
    }
    for (const char* flag : {"--help", "--version"}) CHECK(has(script.out, flag));
  }
}

TEST_CASE("--version prints one line and nothing else") {
  const Outcome outcome = run({"--version"});
  CHECK(run({"-V"}).out == outcome.out);
  CHECK(outcome.status == kDone);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.starts_with("orderlab "));
  CHECK(lines_of(outcome.out).size() == 1);
  CHECK(json_of({"sum", "--values", "1", "--order", "seq"})["orderlab"] ==
        outcome.out.substr(9, outcome.out.size() - 10));
}

TEST_CASE("usage shows required arguments without brackets") {
  const auto usage = [](const char* command) {
    const std::string help = run({command, "--help"}).out;
    const std::size_t from = help.find("Usage: ");
    return help.substr(from, help.find('\n', from) - from);
  };
  CHECK(usage("sweep") == "Usage: orderlab sweep config --db FILE [OPTIONS]");
  CHECK(usage("merge") == "Usage: orderlab merge stores... [OPTIONS]");
  CHECK(usage("report") == "Usage: orderlab report store -o REPORT.html [OPTIONS]");
  CHECK(usage("export") == "Usage: orderlab export store [OPTIONS]");
  CHECK(usage("list") == "Usage: orderlab list [what] [name] [OPTIONS]");
  CHECK(usage("help") == "Usage: orderlab help [command] [OPTIONS]");
  CHECK(usage("sample") == "Usage: orderlab sample [OPTIONS]");
}
