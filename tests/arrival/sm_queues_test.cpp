#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "arrival/arguments.hpp"
#include "arrival/plain_draws.hpp"
#include "order/resolve.hpp"
#include "orderlab/error.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::test;
using namespace orderlab::testing;

namespace {

/// All that may happen on a small grid without delays, with its probability: the model as the page describes it.
class AllOrders {
 public:
  struct Model {
    std::size_t sms, resident;
    double bias, burst;
    std::size_t jitter;
  };

  AllOrders(const Model& model, std::size_t m) : model_(model), m_(m) {
    State start;
    start.queues.resize(model.sms);
    for (std::size_t wave = 0; wave < model.resident; ++wave)
      for (std::size_t sm = 0; sm < model.sms; ++sm)
        if (start.launched < m) start.queues[sm].push_back(static_cast<std::uint32_t>(start.launched++));
    step(start, 1);
  }

  const std::map<ArrivalOrder, double>& probabilities() const { return probabilities_; }

 private:
  struct State {
    std::vector<std::deque<std::uint32_t>> queues;
    std::vector<std::pair<std::uint32_t, std::size_t>> flight;  ///< thread block and its multiprocessor
    std::size_t launched = 0;
    std::size_t finished = 0;
    ArrivalOrder order;
  };

  double speed(const State& state, std::size_t sm) const {
    if (state.queues[sm].empty()) return 0;
    const double ahead = static_cast<double>(state.queues[sm].front()) - static_cast<double>(state.finished);
    return std::clamp(1 - ahead / model_.bias, 0.0, 1.0);
  }

  void step(const State& state, double probability) {
    if (state.order.size() == m_) {
      probabilities_[state.order] += probability;
      return;
    }
    double total = 0;
    for (std::size_t sm = 0; sm < model_.sms; ++sm) total += speed(state, sm);
    if (total == 0)  // all stand still, which small delays do not bring about, or nothing is resident
      return tickets(state, 1, probability, [this](const State& next, double p) { step(next, p); });
    for (std::size_t sm = 0; sm < model_.sms; ++sm)
      if (const double p = speed(state, sm) / total; p > 0) finish(state, sm, state.queues[sm].size(), probability * p);
  }

  /// `left` more of sm are resident since the burst began.
  void finish(State state, std::size_t sm, std::size_t left, double probability) {
    state.flight.emplace_back(state.queues[sm].front(), sm);
    state.queues[sm].pop_front();
    ++state.finished;
    const std::size_t count = state.flight.size() > model_.jitter ? 1 : 0;
    tickets(state, count, probability, [&](const State& next, double p) {
      if (left == 1) return step(next, p);
      if (model_.burst > 0) finish(next, sm, left - 1, p * model_.burst);
      if (model_.burst < 1) step(next, p * (1 - model_.burst));
    });
  }

  /// Gives one ticket, or none.
  template <class Then>
  void tickets(const State& state, std::size_t count, double probability, Then then) {
    if (count == 0) return then(state, probability);
    for (std::size_t i = 0; i < state.flight.size(); ++i) {
      State next = state;
      const auto [block, sm] = next.flight[i];
      next.flight.erase(next.flight.begin() + static_cast<std::ptrdiff_t>(i));
      next.order.push_back(block);
      if (next.launched < m_) next.queues[sm].push_back(static_cast<std::uint32_t>(next.launched++));
      then(next, probability / static_cast<double>(state.flight.size()));
    }
  }

  Model model_;
  std::size_t m_;
  std::map<ArrivalOrder, double> probabilities_;
};

void check_frequencies(const AllOrders::Model& model, std::size_t m) {
  constexpr std::size_t kDraws = 100'000;
  CAPTURE(model.sms);
  CAPTURE(model.resident);
  CAPTURE(model.bias);
  CAPTURE(model.burst);
  CAPTURE(model.jitter);
  CAPTURE(m);
  const AllOrders all(model, m);
  std::map<ArrivalOrder, std::size_t> counts;
  const Arguments arguments = sm_queues(model.sms, model.resident, model.bias, model.burst, model.jitter, 0, 0, 1);
  for (std::size_t sample = 0; sample < kDraws; ++sample)
    ++counts[draw(orderlab::test::model("sm_queues"), arguments, m, 3, sample)];
  double total = 0;
  for (const auto& [order, p] : all.probabilities()) {
    total += p;
    // Bernstein: a count is off by t with probability at most 2 exp(-t^2 / (2 (v + t / 3))), v = n p (1 - p) its
    // variance; 1e-9 at t = l / 3 + sqrt(l^2 / 9 + 2 l v), l = log 2e9. Places are rounded to 2^-24 of the bias, which
    // changes a probability of at most 10 factors by less than 10 * 2^-24.
    const double l = std::log(2e9);
    const double n = kDraws;
    const double limit = l / 3 + std::sqrt(l * l / 9 + 2 * l * n * p * (1 - p)) + n * 10 * 0x1p-24;
    CHECK(std::abs(static_cast<double>(counts[order]) - n * p) <= limit);
    counts.erase(order);
  }
  CHECK(std::abs(total - 1) < 1e-9);  // a few thousand sums of products, each rounded to 1e-16
  CHECK(counts.empty());              // what cannot happen
}

/// The model with one number at a time and queues that are lists.
ArrivalOrder one_by_one(const Arguments& arguments, std::size_t m, const RandomStream& stream) {
  const std::size_t sms = std::min<std::size_t>(arguments.count(0), m);
  const std::size_t resident = arguments.count(1);
  const double bias = arguments.real(2), burst = arguments.real(3), delay = arguments.real(5),
               first = arguments.real(7);
  const double kept = fixed::exp(-1 / arguments.real(6)), added = std::sqrt(1 - kept * kept);
  const double growth = (1 - first) / (2 * (static_cast<double>(sms) * static_cast<double>(resident)));
  const double stops = 0x1p24 / bias;
  std::vector<std::int64_t> places(m);
  double x = 0;
  for (std::size_t b = 0; b < m; ++b) {
    const double n = normal(stream.block(b)), index = static_cast<double>(b);
    x = b == 0 ? n : kept * x + added * n;
    places[b] = static_cast<std::int64_t>((index + delay * std::min(first + growth * index, 1.0) * x) * stops);
  }
  std::vector<std::deque<std::uint32_t>> queues(sms);
  std::vector<std::pair<std::uint32_t, std::size_t>> flight;
  std::size_t launched = 0, finished = 0;
  ArrivalOrder order;
  const auto ticket = [&] {
    const std::size_t i = (std::uint64_t{stream.block(order.size())[3]} * flight.size()) >> 32;
    const auto [block, sm] = flight[i];
    flight[i] = flight.back();
    flight.pop_back();
    order.push_back(block);
    if (launched < m) queues[sm].push_back(static_cast<std::uint32_t>(launched++));
  };
  const auto finish = [&](std::size_t sm, double u) {
    std::size_t left = queues[sm].size();
    double power = 1;
    do {
      flight.emplace_back(queues[sm].front(), sm);
      queues[sm].pop_front();
      ++finished;
      if (flight.size() > arguments.count(4)) ticket();
      power *= burst;
    } while (--left > 0 && u < power);
    if (launched < m || !queues[sm].empty()) return;
    queues[sm] = queues.back();
    queues.pop_back();
  };
  for (std::size_t wave = 0; wave < resident && launched < m; ++wave)
    for (std::size_t sm = 0; sm < sms && launched < m; ++sm)
      queues[sm].push_back(static_cast<std::uint32_t>(launched++));
  std::uint64_t tries = 0, choices = 0;
  while (order.size() < m) {
    if (finished == launched) {
      ticket();
      continue;
    }
    const auto front = static_cast<std::int64_t>(static_cast<double>(finished) * stops);
    bool taken = false;
    for (int i = 0; i < 96 && !taken; ++i, ++tries) {
      const RandomStream::Block words = stream.block(tries / 2, 1);
      const std::uint64_t product = std::uint64_t{words[2 * (tries % 2)]} * queues.size();
      const auto& queue = queues[product >> 32];
      taken = !queue.empty() && places[queue.front()] <= front + (words[2 * (tries % 2) + 1] >> 8);
      if (taken) finish(product >> 32, open_uniform(static_cast<std::uint32_t>(product)));
    }
    if (taken) continue;
    const RandomStream::Block words = stream.block(choices++, 2);
    std::vector<std::uint64_t> speeds;
    std::uint64_t total = 0;
    std::size_t behind = 0;
    const auto place = [&](std::size_t sm) { return queues[sm].empty() ? INT64_MAX / 2 : places[queues[sm].front()]; };
    for (std::size_t sm = 0; sm < queues.size(); ++sm) {
      speeds.push_back(
          static_cast<std::uint64_t>(std::clamp<std::int64_t>((1 << 24) - (place(sm) - front), 0, 1 << 24)));
      total += speeds.back();
      if (place(sm) < place(behind)) behind = sm;
    }
    __extension__ using Wide = unsigned __int128;
    auto rest = static_cast<std::uint64_t>((Wide{words[0] | (std::uint64_t{words[1]} << 32)} * total) >> 64);
    std::size_t sm = 0;
    while (total > 0 && rest >= speeds[sm]) rest -= speeds[sm++];
    finish(total > 0 ? sm : behind, open_uniform(words[2]));
  }
  return order;
}

}  // namespace

TEST_CASE("sm_queues draws every order of a small grid with the probability that the model gives it") {
  check_frequencies({2, 2, 3, 0.4, 1}, 5);
  check_frequencies({3, 1, 10, 0.9, 0}, 5);   // nothing else is resident: no bursts
  check_frequencies({2, 3, 1.5, 1, 0}, 6);    // all of a multiprocessor finish at once
  check_frequencies({2, 1, 5, 0, 3}, 5);      // all are in flight, and nothing is resident
  check_frequencies({4, 2, 1e9, 0.5, 0}, 4);  // fewer than are resident
}

TEST_CASE("sm_queues draws the orders of single numbers and lists") {
  const std::vector<Arguments> all = {sm_queues(80, 18, 511, 0.32, 3, 382, 55, 0.37),
                                      sm_queues(7, 3, 10, 0.5, 2, 30, 4, 0),
                                      sm_queues(5, 1, 3, 0.5, 9, 5, 0, 1),
                                      sm_queues(3, 40, 1, 1, 0, 500, 1e9, 0.5),
                                      sm_queues(300, 2, 1e9, 0, 20, 0, 1, 1),
                                      sm_queues(16, 4, 1, 0.2, 1, 1000, 10, 1),
                                      sm_queues(4, 4, 300, 0.9, 7, 20, 3, 0.1),        // queues run empty
                                      sm_queues(10, 200, 500, 0.995, 4, 20, 3, 0.1)};  // bursts of hundreds
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnTarget on(target);
    CAPTURE(hwy::TargetName(target));
    for (const Arguments& arguments : all)
      for (const std::size_t m : {1u, 2u, 79u, 257u, 3000u}) {
        CAPTURE(m);
        CHECK(draw(model("sm_queues"), arguments, m, 6, m) ==
              one_by_one(arguments, m, RandomStream(6, streams::kFirstStage, m)));
      }
  }
}

TEST_CASE("one multiprocessor keeps launch order unless several thread blocks are in flight") {
  for (const std::size_t m : {1u, 2u, 100u, 5000u}) {
    CHECK(draw(model("sm_queues"), sm_queues(1, 7, 100, 0.5, 0, 1000, 50, 1), m) == launch_order(m));
    CHECK(draw(model("sm_queues"), sm_queues(1, 1, 100, 0.5, 20, 1000, 50, 1), m) == launch_order(m));
  }
  CHECK(draw(model("sm_queues"), sm_queues(1, 7, 100, 0.5, 2, 0, 50, 1), 100) != launch_order(100));
}

TEST_CASE("multiprocessors that stop at once when ahead take thread blocks in launch order") {
  CHECK(draw(model("sm_queues"), sm_queues(80, 20, 1, 0, 0, 0, 50, 1), 5000) == launch_order(5000));
}

TEST_CASE("thread blocks that share a delay stay together") {
  constexpr std::size_t m = 20000;
  // Delays that all share move nobody past another; delays of their own move every one.
  const auto tau = [](double length) {
    return kendall_tau(draw(model("sm_queues"), sm_queues(100, 10, 1, 0, 0, 1000, length, 1), m));
  };
  CHECK(tau(1e9) > tau(1000));
  CHECK(tau(1000) > tau(10));
}

TEST_CASE("any number of resident thread blocks, of thread blocks in flight and of multiprocessors is fine") {
  const std::uint64_t any = ~std::uint64_t{0};
  CHECK(is_permutation_of_launch(draw(model("sm_queues"), sm_queues(80, any, 100, 0.5, any, 100, 50, 0.1), 5000)));
  CHECK(is_permutation_of_launch(draw(model("sm_queues"), sm_queues(65536, 1, 1e9, 1, 0, 1e9, 1e9, 1), 100'000)));
}

TEST_CASE("extrapolations have the published Kendall tau and say that nothing was recorded") {
  struct Published {
    std::string_view name;
    double low, high;
  };
  for (const Published& published :
       {Published{"v100_loaded_guess", 0.80, 0.87}, {"gh200_guess", 0.66, 0.70}, {"mi250x_guess", 0.61, 0.69}}) {
    CAPTURE(published.name);
    const auto named = std::find_if(named_arrivals().begin(), named_arrivals().end(),
                                    [&](const NamedArrival& arrival) { return arrival.name == published.name; });
    REQUIRE(named != named_arrivals().end());
    CHECK(named->summary.find("extrapolation, no recording") == 0);
    const ArrivalCall call = parse_arrival(std::string(published.name));
    constexpr std::size_t kDraws = 60;
    double sum = 0;
    for (std::size_t i = 0; i < kDraws; ++i) sum += kendall_tau(draw(*call.model, *call.arguments, 7813, 1, i));
    CHECK(sum / kDraws >= published.low);
    CHECK(sum / kDraws <= published.high);
  }
}

TEST_CASE("the first order of seed 1 has the bits of bits_version 2") {
  CHECK(draw(model("sm_queues"), sm_queues(3, 2, 5, 0.4, 1, 3, 2, 0.5), 12) ==
        ArrivalOrder{1, 2, 4, 0, 3, 7, 5, 6, 9, 10, 8, 11});
  static_assert(kBitsVersion == 5);
}
