#include "cli/kept_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/sample_request.hpp"
#include "cli/shard.hpp"
#include "core/printable.hpp"
#include "orderlab/error.hpp"
#include "show/input_json.hpp"
#include "study/order_run.hpp"
#include "study/sample_options.hpp"

namespace orderlab::cli {

namespace {

// Whether its terms cannot be read a second time.
bool is_stream(const Flag& flag, const std::string& address) {
  return flag.kind == FlagKind::reads && is_pipe(file_address(address).path);
}

// What files of one sampling have in common, and what this one was asked for.
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
  for (const Flag* flag : sampling_flags()) {
    if (!line.has(*flag)) continue;
    if (line.array(*flag) != nullptr || is_stream(*flag, line.text(*flag))) return file;
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

}  // namespace

KeptCounts::KeptCounts(const CommandLine& line) : line_(line) {
  if (line.has(kCounts)) file_.emplace(line.text(kCounts));
}

void KeptCounts::follow(const study::InputFacts& input, study::SampleRequest& request, Session& session) {
  if (!wanted()) return;
  if (std::none_of(request.orders.begin(), request.orders.end(), [](const Order& order) { return order.random(); }))
    throw Error(ErrorKind::usage, line_.quoted(kCounts) + ": a fixed order has one result, and nothing to count");
  content_ = file_of(line_, input, request);
  const std::string bytes = file_->read();
  if (!bytes.empty()) take_over(counts_from_bytes(bytes, file_->path()), request);
  for (const CountedOrder& order : content_.orders) request.known.push_back(order.drawn);
  request.keep = [this, &session](std::size_t order, const CountedSamples& samples) {
    content_.orders[order].drawn = samples;
    file_->write(session, to_bytes(content_));
  };
}

void KeptCounts::take_over(const CountsFile& there, const study::SampleRequest& request) {
  const std::string& path = file_->path();
  require_same_sampling(content_, "what is asked for", there, path);
  for (const CountedOrder& order : there.orders) {
    const SampleRanges& samples = order.drawn.samples;
    if (samples.empty()) continue;
    if (samples.ranges().back().second > content_.samples)
      throw Error(ErrorKind::usage, fmt::format("{}: has samples up to {} of {}; ask for as many, --samples {}", path,
                                                samples.ranges().back().second, there.samples, there.samples));
    if (line_.has(kShard) && samples.within(*request.range) != samples)
      throw Error(ErrorKind::usage, fmt::format("{}: has samples {}, and {} of {} is {}:{}; name a new file, or draw "
                                                "what is missing with --range",
                                                path, samples.text(3), line_.quoted(kShard), content_.samples,
                                                request.range->first, request.range->second));
  }
  content_.orders = there.orders;
}

std::string KeptCounts::state() const {
  std::uint64_t drawn = 0;
  std::uint64_t wanted = 0;
  for (const CountedOrder& order : content_.orders) {
    if (!order.random) continue;
    drawn += order.drawn.samples.size();
    wanted += content_.samples;
  }
  return fmt::format("{} of {} samples are in {}", drawn, wanted, printable(file_->path()));
}

study::SampleFinding finding_of(const CountsFile& file, const std::string& path, const CommandLine& more,
                                Session& session) {
  if (!file.flags.is_object())
    throw Error(ErrorKind::input, path +
                                      ": its terms came from a program or standard input; to see its results, run "
                                      "`sample` on them with --counts " +
                                      path);
  const Command& sample = *find_command("sample");
  CommandLine line(sample.flags, sample.options);
  for (const auto& [name, values] : file.flags.members()) {
    const Flag* const flag = line.find_flag(name);
    const auto own = sampling_flags();
    if (std::find(own.begin(), own.end(), flag) == own.end() || values.empty())
      throw Error(ErrorKind::input, path + ": is damaged: " + name + " does not say what was sampled");
    std::vector<std::string> texts;
    for (const Json& value : values) texts.push_back(value.text());
    line.give(*flag, std::move(texts));
  }
  line.give(study::kSamples, {std::to_string(file.samples)});
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
