#include "cli/kept_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/sample_request.hpp"
#include "core/input_file.hpp"
#include "orderlab/error.hpp"
#include "show/input_json.hpp"
#include "study/order_run.hpp"

namespace orderlab::cli {

namespace {

// What files of one experiment have in common, and what this one was asked for.
CountsFile file_of(const CommandLine& line, const study::InputFacts& input, const study::SampleRequest& request) {
  std::vector<study::AskedOrder> asked;
  CountsFile file;
  for (const Order& order : request.orders) {
    asked.push_back({order.expression(), study::arrival_of(order)});
    file.orders.push_back({order.expression(), order.random()});
  }
  file.samples = request.samples;
  const std::string baseline = request.baseline ? request.baseline->expression() : "";
  file.config = sampling_config_json(input, asked, {request.seed, request.samples, request.max_distinct, baseline});
  file.config.erase("samples");
  Json flags = Json::object();
  for (const Flag* flag : experiment_flags()) {
    if (!line.has(*flag)) continue;
    if (line.array(*flag) != nullptr || (flag->kind == FlagKind::reads && line.text(*flag) == "-")) return file;
    flags[flag->long_name()] = line.texts(*flag);
  }
  file.flags = std::move(flags);
  return file;
}

// "--input x.npy --with y.npy have"
std::string files_in_words(const CommandLine& line) {
  std::string text;
  for (const Flag* flag : {&kInput, &kWith})
    if (line.has(*flag)) text += line.quoted(*flag) + " ";
  return text.empty() ? "this orderlab generates" : text + (line.has(kWith) ? "have" : "has");
}

// Nothing where no file is.
std::string bytes_of_file(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return {};
  return InputFile(path, "name a file of counts, or one that is not there yet").rest();
}

}  // namespace

KeptCounts::KeptCounts(const CommandLine& line) : line_(line) {
  if (!line.has(kCounts)) return;
  path_ = line.text(kCounts);
  file_.emplace(path_);
}

void KeptCounts::follow(const study::InputFacts& input, study::SampleRequest& request, Session& session) {
  if (!wanted()) return;
  if (std::none_of(request.orders.begin(), request.orders.end(), [](const Order& order) { return order.random(); }))
    throw Error(ErrorKind::usage, line_.quoted(kCounts) + ": a fixed order has one result, and nothing to count");
  content_ = file_of(line_, input, request);
  const std::string bytes = bytes_of_file(path_);
  written_ = hash_of(bytes);
  if (!bytes.empty()) {
    CountsFile there = counts_from_bytes(bytes, path_);
    require_same_experiment(content_, "what is asked for", there, path_);
    for (const CountedOrder& order : there.orders)
      if (const auto& ranges = order.drawn.samples.ranges(); !ranges.empty() && ranges.back().second > content_.samples)
        throw Error(ErrorKind::usage, fmt::format("{}: has samples up to {} of {}; ask for as many, --samples {}",
                                                  path_, ranges.back().second, there.samples, there.samples));
    content_.orders = std::move(there.orders);
  }
  for (const CountedOrder& order : content_.orders) request.known.push_back(order.drawn);
  request.keep = [this, &session](std::size_t order, const CountedSamples& samples) {
    content_.orders[order].drawn = samples;
    write(session);
  };
}

std::string KeptCounts::state() const {
  return fmt::format("{} of {} samples are in {}", content_.drawn().size(), content_.samples, path_);
}

// Of two processes that write one file, the second finds out: each would lose what the other has drawn.
void KeptCounts::write(Session& session) {
  if (hash_of(bytes_of_file(path_)) != written_)
    throw Error(ErrorKind::input, path_ +
                                      ": another process has written it meanwhile; give every process a file of its "
                                      "own, such as part-{shard}.counts");
  const std::string bytes = to_bytes(content_);
  file_->commit(session, bytes);
  written_ = hash_of(bytes);
}

study::SampleFinding finding_of(const CountsFile& file, const std::string& path, const CommandLine& more,
                                Session& session) {
  if (!file.flags.is_object())
    throw Error(ErrorKind::input, path +
                                      ": its terms came from a program or standard input; to see its results, run "
                                      "`sample` on them with --counts " +
                                      path);
  CommandLine line(find_command("sample")->flags);
  for (const auto& [name, values] : file.flags.members()) {
    const Flag* const flag = line.find_flag(name);
    if (flag == nullptr) throw Error(ErrorKind::input, path + ": is damaged: " + name + " is no flag of sample");
    std::vector<std::string> texts;
    for (const Json& value : values) texts.push_back(value.text());
    line.give(*flag, std::move(texts));
  }
  line.give(kSampleCount, {std::to_string(file.samples)});
  line.give(kThreads, {more.text(kThreads)});
  if (more.has(kQuiet)) line.give(kQuiet, std::vector<std::string>());
  study::SampleRequest request = parse_sample(line, session.files);
  request.draws = false;
  return sample_as_asked(line, request, session, [&](const study::InputFacts& input) {
    if (!(file_of(line, input, request).config == file.config))
      throw Error(ErrorKind::input, path + ": its samples are of other terms than " + files_in_words(line) + " now");
    for (const CountedOrder& order : file.orders) request.known.push_back(order.drawn);
  });
}

}  // namespace orderlab::cli
