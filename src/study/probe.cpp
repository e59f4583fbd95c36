#include "orderlab/study/probe.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/float_environment.hpp"
#include "orderlab/error.hpp"
#include "orderlab/plan.hpp"
#include "probe/candidates.hpp"
#include "probe/tree_shape.hpp"
#include "run/heights.hpp"
#include "study/probe_options.hpp"

namespace orderlab::study {

namespace {

constexpr std::size_t kMuchWork = std::size_t{1}
                                  << 20;  // terms that a thread adds in a millisecond: others wake in less

// What masks find is the tree of a box that adds in one format.
Order expected_order(const std::string& text) {
  Order order = parse_order(text);
  if (order.changes_format())
    throw Error(ErrorKind::unsupported, "expected order " + text +
                                            ": rounds between stages or changes the format, and a box is taken to add "
                                            "in one; leave out `round` and `in`");
  return order;
}

class Probe {
 public:
  Probe(const ProbeRequest& request, const Watch& watch) : request_(request), follower_(watch) {
    finding_.box = request.box;
    finding_.box.make = nullptr;  // what it refers to may be gone before the finding is
    finding_.repeats = request.repeats;
    finding_.format = request.format;
    finding_.expected = request.expected;
    watch_.stop = watch.stop;
    watch_.begins = [this](const std::string& stage) { begin(stage); };
    watch_.advances = [this](std::uint64_t done, std::uint64_t total) { advance(done, total); };
    options_.repeats = request.repeats;
  }

  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;
  ~Probe() { end(); }

  std::optional<ProbeFinding> run() {
    kProbeOptions.check(request_);
    if (!request_.expected.empty()) options_.expected = {request_.expected, expected_order(request_.expected)};
    refuse_equal("sizes", request_.sizes);
    refuse_equal("threads", request_.threads);
    refuse_equal("offsets", request_.offsets);
    for (const BoxSetting& setting : settings()) {
      auto probed = probe(setting);
      finding_.partial = !probed;
      if (!probed) break;
      if (finding_.settings.empty()) options_.likely = probed->orders;
      finding_.settings.push_back(std::move(*probed));
    }
    if (finding_.settings.empty()) return std::nullopt;
    look_at_other_sizes();
    judge();
    look_at_more_work();
    return std::move(finding_);
  }

 private:
  // Its errors name the setting where there are several.
  std::optional<ProbedOrder> probe(const BoxSetting& setting) {
    try {
      return probe_setting(request_.box, setting, options_, watch_);
    } catch (const Error& error) {
      if (finding_.settings.empty()) throw;
      throw Error(error.kind(), std::string(error.what()) + " (n = " + std::to_string(setting.n) + ", offset " +
                                    std::to_string(setting.offset) + ")");
    }
  }

  static void refuse_equal(const char* field, std::vector<std::size_t> values) {
    std::sort(values.begin(), values.end());
    const auto twice = std::adjacent_find(values.begin(), values.end());
    if (twice != values.end()) throw RequestError(field, std::to_string(*twice), "is given twice");
  }

  void begin(const std::string& stage) {
    const FloatEnvironment environment;
    end();
    call_back(follower_.begins, stage);
    begun_ = true;
  }

  void advance(std::uint64_t done, std::uint64_t total) const {
    const FloatEnvironment environment;
    call_back(follower_.advances, Progress{done, total, static_cast<double>(done) / static_cast<double>(total)});
  }

  void end() {
    if (begun_) call_back(follower_.ends);
    begun_ = false;
  }

  std::vector<BoxSetting> settings() const {
    BoxSetting first{.n = request_.n, .format = request_.format};
    if (!request_.offsets.empty()) first.offset = request_.offsets.front();
    if (!request_.threads.empty()) first.threads = request_.threads.front();
    std::vector<BoxSetting> all{first};
    const auto vary = [&](const std::vector<std::size_t>& values, std::size_t BoxSetting::*member) {
      for (const std::size_t value : values) {
        BoxSetting other = first;
        other.*member = value;
        if (value != first.*member) all.push_back(other);
      }
    };
    vary(request_.sizes, &BoxSetting::n);
    vary(request_.offsets, &BoxSetting::offset);
    vary(request_.threads, &BoxSetting::threads);
    return all;
  }

  // Names that are equal for n can differ for others: keeps those that hold elsewhere too, if any does.
  void look_at_other_sizes() {
    ProbedOrder& first = finding_.settings.front();
    if (first.verdict != ProbeVerdict::named || !request_.sizes.empty() || finding_.partial) return;
    if (!request_.box.weights.empty()) return;  // for so many terms alone
    for (const std::size_t n : {2 * first.setting.n + 1, 8 * first.setting.n + 5}) {
      if (n > kMostProbedTerms) return;
      BoxSetting setting = first.setting;
      setting.n = n;
      std::optional<std::vector<WrittenOrder>> holding;
      try {
        holding = those_that_hold(setting);
      } catch (const Error& error) {
        finding_.other_sizes.push_back({n, false, error.what()});
        return;
      }
      if (!holding) {
        finding_.partial = true;
        return;
      }
      const auto plain = [](const WrittenOrder& order) { return !sorts(order.order) && !compensates(order.order); };
      if (std::any_of(first.orders.begin(), first.orders.end(), plain))  // few terms have orders of all kinds
        std::erase_if(*holding, std::not_fn(plain));
      finding_.other_sizes.push_back({n, !holding->empty(), {}});
      if (!holding->empty()) first.orders = std::move(*holding);
    }
  }

  // Names that hold for another number of terms; empty when stopped.
  std::optional<std::vector<WrittenOrder>> those_that_hold(const BoxSetting& setting) {
    const ProbedOrder& first = finding_.settings.front();
    return orders_that_hold(request_.box, setting, first.orders, first.formats, watch_);
  }

  // Whether one of them adds n terms one after the other: chunks that few terms do not fill do not.
  bool any_in_turn(const std::vector<WrittenOrder>& orders, std::size_t n) const {
    return std::any_of(orders.begin(), orders.end(), [&](const WrittenOrder& written) {
      const auto height = compile(written.order, n, finding_.settings.front().formats)->heights().sum;
      return height && *height + 1 >= n;
    });
  }

  // A dynamic schedule gives all to one thread where there is little to do.
  void look_at_more_work() {
    const ProbedOrder& first = finding_.settings.front();
    const bool in_turn =
        first.tree && first.tree->term_count() > 2 && first.tree->height() + 1 == first.tree->term_count();
    if (finding_.verdict != ProbeVerdict::named || request_.threads.size() < 2 || !in_turn || finding_.partial) return;
    if (!request_.box.weights.empty()) return;
    BoxSetting setting = first.setting;
    setting.n = std::max(kMuchWork, 2 * first.setting.n);
    setting.threads = *std::max_element(request_.threads.begin(), request_.threads.end());
    try {
      const auto holding = those_that_hold(setting);
      finding_.partial = !holding;
      if (holding) finding_.one_thread = {setting.n, any_in_turn(*holding, setting.n)};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
    }
  }

  void judge() {
    finding_.verdict = finding_.settings.front().verdict;
    for (const ProbedOrder& probed : finding_.settings)
      if (probed.verdict != ProbeVerdict::named) finding_.verdict = probed.verdict;
    finding_.order = common_order();
    if (finding_.verdict != ProbeVerdict::named && finding_.verdict != ProbeVerdict::revealed) return;
    constexpr std::array<std::pair<std::size_t BoxSetting::*, ProbeVerdict>, 3> kAxes{
        {{&BoxSetting::offset, ProbeVerdict::depends_on_alignment},
         {&BoxSetting::threads, ProbeVerdict::depends_on_threads},
         {&BoxSetting::n, ProbeVerdict::depends_on_n}}};
    for (const auto& [axis, verdict] : kAxes)
      if (depends_on(axis)) {
        finding_.verdict = verdict;
        return;
      }
  }

  // Whether settings that differ from the first one in this alone have other orders, or trees.
  bool depends_on(std::size_t BoxSetting::*axis) const {
    const ProbedOrder& first = finding_.settings.front();
    std::vector<std::string> common = texts(first);
    for (const ProbedOrder& probed : finding_.settings) {
      if (probed.setting.*axis == first.setting.*axis) continue;
      if (probed.verdict != first.verdict || !(probed.formats == first.formats)) return true;
      if (probed.setting.n == first.setting.n && first.tree && probed.tree &&
          !(TreeShape::of(*first.tree) == TreeShape::of(*probed.tree)))
        return true;
      keep_those_of(probed, common);
    }
    return first.verdict == ProbeVerdict::named && common.empty();
  }

  static std::vector<std::string> texts(const ProbedOrder& probed) {
    std::vector<std::string> all;
    for (const WrittenOrder& order : probed.orders) all.push_back(order.text);
    return all;
  }

  static void keep_those_of(const ProbedOrder& probed, std::vector<std::string>& common) {
    const std::vector<std::string> here = texts(probed);
    std::erase_if(common,
                  [&](const std::string& text) { return std::find(here.begin(), here.end(), text) == here.end(); });
  }

  std::string common_order() const {
    std::vector<std::string> common = texts(finding_.settings.front());
    for (const ProbedOrder& probed : finding_.settings) keep_those_of(probed, common);
    return common.empty() ? "" : common.front();
  }

  const ProbeRequest& request_;
  const Watch& follower_;
  bool begun_ = false;
  ProbeWatch watch_;
  ProbeOptions options_;
  ProbeFinding finding_;
};

}  // namespace

std::uint64_t ProbeFinding::calls() const {
  std::uint64_t all = 0;
  for (const ProbedOrder& probed : settings) all += probed.calls;
  return all;
}

bool ProbeFinding::as_expected() const {
  return std::all_of(settings.begin(), settings.end(),
                     [](const ProbedOrder& probed) { return probed.as_expected.value_or(true); });
}

std::optional<ProbeFinding> probe(const ProbeRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  return Probe(request, watch).run();
}

}  // namespace orderlab::study
