// A family of boxes that are no fixed order of plain additions, one line each, and what a probe may say of them. Their
// thresholds are no numbers that a probe uses.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "orderlab/exact.hpp"
#include "probe/model_boxes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using Numbers = std::vector<float>;
using Sum = std::function<float(Numbers)>;

float backwards(const Numbers& x) { return in_turn(Numbers(x.rbegin(), x.rend())); }

float halves(const Numbers& x, std::size_t begin, std::size_t end) {
  if (begin == end) return 0;
  if (end - begin == 1) return x[begin];
  const std::size_t middle = begin + (end - begin + 1) / 2;
  return halves(x, begin, middle) + halves(x, middle, end);
}
float paired(const Numbers& x) { return halves(x, 0, x.size()); }

float in_double(const Numbers& x) {
  double sum = 0;
  for (const float term : x) sum += static_cast<double>(term);
  return static_cast<float>(sum);
}

float exactly(const Numbers& x) {
  return static_cast<float>(value_of_bits(Format::fp32, exact_sum(view_of(x.data(), x.size())).round_to(Format::fp32)));
}

float neumaier(const Numbers& x) {
  float sum = 0;
  float lost = 0;
  for (const float term : x) {
    const float total = sum + term;
    lost += std::fabs(sum) >= std::fabs(term) ? (sum - total) + term : (term - total) + sum;
    sum = total;
  }
  return sum + lost;
}

float kahan(const Numbers& x) {
  float sum = 0;
  float lost = 0;
  for (const float term : x) {
    const float less = term - lost;
    const float total = sum + less;
    lost = (total - sum) - less;
    sum = total;
  }
  return sum;
}

bool by_size(float a, float b) { return std::fabs(a) < std::fabs(b); }
float peak(const Numbers& x) { return std::fabs(*std::max_element(x.begin(), x.end(), by_size)); }
float smallest(const Numbers& x) { return std::fabs(*std::min_element(x.begin(), x.end(), by_size)); }
std::size_t place_of_largest(const Numbers& x) {
  return static_cast<std::size_t>(std::max_element(x.begin(), x.end(), by_size) - x.begin());
}
std::uint32_t last_bit(float x) { return std::bit_cast<std::uint32_t>(x) & 1; }
template <class Is>
auto count_of(const Numbers& x, Is is) {
  return std::count_if(x.begin(), x.end(), is);
}
auto negative_ones(const Numbers& x) {
  return count_of(x, [](float term) { return term < 0; });
}
int exponent_of(float x) { return x == 0 ? -1000 : std::ilogb(x); }
std::size_t distinct(Numbers x) {
  std::sort(x.begin(), x.end());
  return static_cast<std::size_t>(std::unique(x.begin(), x.end()) - x.begin());
}
template <class Before>
Numbers sorted(Numbers x, Before before) {
  std::stable_sort(x.begin(), x.end(), before);
  return x;
}
template <class Is>
Numbers those(Numbers x, Is is) {
  std::erase_if(x, [&](float term) { return !is(term); });
  return x;
}
template <class Change>
Numbers changed(Numbers x, Change change) {
  for (float& term : x) term = change(term);
  return x;
}

// Plain where `is` holds, else in another order.
template <class Is>
Sum unless(Is is) {
  return [is](const Numbers& x) { return is(x) ? backwards(x) : in_turn(x); };
}
template <class Is>
Sum pairs_if(Is is) {
  return [is](const Numbers& x) { return is(x) ? paired(x) : in_turn(x); };
}
template <class Is>
Sum otherwise(Is is, float (*sum)(const Numbers&)) {
  return [is, sum](const Numbers& x) { return is(x) ? sum(x) : in_turn(x); };
}

// Terms moved by their values and then added in turn.
template <class Before>
Sum sorts_by(Before before) {
  return [before](const Numbers& x) { return in_turn(sorted(x, before)); };
}

// In [0, 1).
double uniform_of(std::mt19937& draw) { return static_cast<double>(draw()) * 0x1p-32; }

// Every `period`th call is another one.
template <class Other>
Sum every(int period, Other other) {
  return [period, other, call = std::make_shared<int>(0)](const Numbers& x) {
    return ++*call % period == 0 ? other(x) : in_turn(x);
  };
}
template <class Other>
Sum at_random(double share, Other other) {
  return [share, other, draw = std::make_shared<std::mt19937>(5)](const Numbers& x) {
    return uniform_of(*draw) < share ? other(x) : in_turn(x);
  };
}
template <class Other>
Sum first_calls(int calls, Other other) {
  return [calls, other, call = std::make_shared<int>(0)](const Numbers& x) {
    return ++*call <= calls ? other(x) : in_turn(x);
  };
}

Sum shuffles(int period) {
  return every(period, [draw = std::make_shared<std::mt19937>(7)](Numbers x) {
    std::shuffle(x.begin(), x.end(), *draw);
    return in_turn(x);
  });
}

float without(Numbers x, std::size_t place) {
  x.erase(x.begin() + static_cast<std::ptrdiff_t>(place % x.size()));
  return in_turn(x);
}
float without_last(const Numbers& x) { return without(x, x.size() - 1); }

// Each addition rounded up or down, the nearer one more often.
template <class Added>
Sum rounds_at_random(Added added) {
  return [added, draw = std::make_shared<std::mt19937>(11)](const Numbers& x) {
    const auto add = [&](float a, float b) {
      const double exact = static_cast<double>(a) + static_cast<double>(b);
      const auto near = static_cast<float>(exact);
      const double off = exact - static_cast<double>(near);
      if (off == 0 || !std::isfinite(near)) return near;
      const float other = std::nextafter(near, off > 0 ? HUGE_VALF : -HUGE_VALF);
      const double share = off / (static_cast<double>(other) - static_cast<double>(near));
      return uniform_of(*draw) < share ? other : near;
    };
    return added(x, add);
  };
}

template <class Round>
Sum rounded_by(Round round) {
  return [round](const Numbers& x) {
    float sum = 0;
    for (const float term : x) sum = round(static_cast<double>(sum) + static_cast<double>(term));
    return sum;
  };
}
float toward_zero(double exact) {
  const auto near = static_cast<float>(exact);
  return std::fabs(static_cast<double>(near)) > std::fabs(exact) ? std::nextafter(near, 0.0f) : near;
}
float upwards(double exact) {
  const auto near = static_cast<float>(exact);
  return static_cast<double>(near) < exact ? std::nextafter(near, HUGE_VALF) : near;
}

// Answers kept by some terms of the input.
template <class Key>
Sum remembers(Key key) {
  using Kept = std::pair<decltype(key(Numbers{})), float>;
  return [key, kept = std::make_shared<std::vector<Kept>>()](const Numbers& x) {
    const auto now = key(x);
    for (const Kept& one : *kept)
      if (one.first == now) return one.second;
    kept->assign(1, {now, in_turn(x)});
    return kept->back().second;
  };
}

struct Misleading {
  const char* name;
  std::function<Sum()> make;
  std::vector<ProbeVerdict> truths;  ///< words that are true of it
};

using V = ProbeVerdict;
const std::vector<V> kByValue{V::data_dependent};
const std::vector<V> kVaries{V::random};
const std::vector<V> kNoSum{V::not_a_sum};
const std::vector<V> kTreeOnly{V::revealed};
const std::vector<V> kByValueOrNoSum{V::data_dependent, V::not_a_sum};

const Misleading kBoxes[] = {
    // thresholds on values
    {"first term", [] { return unless([](const Numbers& x) { return x[0] > 0.37f; }); }, kByValue},
    {"first term in a range", [] { return unless([](const Numbers& x) { return x[0] > 0.1f && x[0] < 3.3f; }); },
     kByValue},
    {"a term in the middle", [] { return unless([](const Numbers& x) { return x[x.size() / 2] < -0.21f; }); },
     kByValue},
    {"last term is positive", [] { return pairs_if([](const Numbers& x) { return x.back() > 0; }); }, kByValue},
    {"first two terms", [] { return unless([](const Numbers& x) { return x[0] > x[1]; }); }, kByValue},
    {"the sum is negative", [] { return unless([](const Numbers& x) { return in_turn(x) < 0; }); }, kByValue},
    {"the sum is small",
     [] { return otherwise([](const Numbers& x) { return std::fabs(in_turn(x)) < 0.7f; }, exactly); }, kByValue},
    {"cancellation is summed again exactly",
     [] { return otherwise([](const Numbers& x) { return std::fabs(in_turn(x)) < 1e-5f * peak(x); }, exactly); },
     kByValue},
    // on magnitudes
    {"large", [] { return pairs_if([](const Numbers& x) { return peak(x) > 130; }); }, kByValue},
    {"very large", [] { return pairs_if([](const Numbers& x) { return peak(x) > 1e17f; }); }, kByValue},
    {"huge", [] { return pairs_if([](const Numbers& x) { return peak(x) > 3e27f; }); }, kByValue},
    {"small", [] { return pairs_if([](const Numbers& x) { return peak(x) < 1e-3f; }); }, kByValue},
    {"tiny", [] { return pairs_if([](const Numbers& x) { return peak(x) < 1e-18f; }); }, kByValue},
    {"a small term", [] { return pairs_if([](const Numbers& x) { return smallest(x) > 0 && smallest(x) < 1e-4f; }); },
     kByValue},
    {"wide", [] { return pairs_if([](const Numbers& x) { return peak(x) > 2e6f * smallest(x); }); }, kByValue},
    {"one exponent",
     [] {
       return unless([](const Numbers& x) {
         return std::all_of(x.begin(), x.end(), [&](float term) { return exponent_of(term) == exponent_of(x[0]); });
       });
     },
     kByValue},
    // on signs
    {"more negative ones", [] { return unless([](const Numbers& x) { return negative_ones(x) > 32; }); }, kByValue},
    {"all positive", [] { return unless([](const Numbers& x) { return smallest(x) > 0 && negative_ones(x) == 0; }); },
     kByValue},
    {"all negative", [] { return unless([](const Numbers& x) { return negative_ones(x) == std::ssize(x); }); },
     kByValue},
    {"one negative", [] { return unless([](const Numbers& x) { return negative_ones(x) == 1; }); }, kByValue},
    {"signs alternate",
     [] {
       return unless([](const Numbers& x) {
         for (std::size_t i = 1; i < x.size(); ++i)
           if (!(x[i] * x[i - 1] < 0)) return false;
         return true;
       });
     },
     kByValue},
    // on bits
    {"last bit of the first term", [] { return unless([](const Numbers& x) { return last_bit(x[0]) != 0; }); },
     kByValue},
    {"last bit of another term", [] { return unless([](const Numbers& x) { return last_bit(x[17]) != 0; }); },
     kByValue},
    {"parity of all bits",
     [] {
       return unless([](const Numbers& x) {
         std::uint32_t all = 0;
         for (const float term : x) all ^= std::bit_cast<std::uint32_t>(term);
         return (all & 1) != 0;
       });
     },
     kByValue},
    {"all last bits clear",
     [] {
       return unless([](const Numbers& x) {
         return peak(x) < 1e30f && count_of(x, [](float term) { return last_bit(term) != 0; }) == 0 && distinct(x) > 20;
       });
     },
     kByValue},
    {"hash of the bits",
     [] {
       return unless([](const Numbers& x) {
         std::uint32_t hash = 1;
         for (const float term : x) hash = hash * 31 + std::bit_cast<std::uint32_t>(term);
         return (hash >> 20) % 5 == 0;
       });
     },
     kByValue},
    // on counts and places
    {"many zeros",
     [] { return pairs_if([](const Numbers& x) { return count_of(x, [](float t) { return t == 0; }) > 9; }); },
     kByValue},
    {"few different values", [] { return pairs_if([](const Numbers& x) { return distinct(x) < 12; }); }, kByValue},
    {"sorted already", [] { return pairs_if([](const Numbers& x) { return std::is_sorted(x.begin(), x.end()); }); },
     kByValue},
    {"sorted downwards", [] { return pairs_if([](const Numbers& x) { return std::is_sorted(x.rbegin(), x.rend()); }); },
     kByValue},
    {"largest in the first half", [] { return unless([](const Numbers& x) { return place_of_largest(x) < 32; }); },
     kByValue},
    {"largest is first", [] { return unless([](const Numbers& x) { return place_of_largest(x) == 0; }); }, kByValue},
    {"largest is last", [] { return unless([](const Numbers& x) { return place_of_largest(x) + 1 == x.size(); }); },
     kByValue},
    // specials
    {"NaN is left out",
     [] { return [](const Numbers& x) { return in_turn(those(x, [](float t) { return !std::isnan(t); })); }; },
     kByValueOrNoSum},
    {"infinite terms are left out",
     [] {
       return [](const Numbers& x) { return paired(changed(x, [](float t) { return std::isinf(t) ? 0.0f : t; })); };
     },
     kByValueOrNoSum},
    {"infinite terms are clipped",
     [] {
       return [](const Numbers& x) {
         constexpr float kMost = std::numeric_limits<float>::max();
         return in_turn(changed(x, [](float t) { return std::isinf(t) ? std::copysign(kMost, t) : t; }));
       };
     },
     kByValueOrNoSum},
    // terms changed or left out
    {"clipped",
     [] {
       return
           [](const Numbers& x) { return in_turn(changed(x, [](float t) { return std::clamp(t, -900.0f, 900.0f); })); };
     },
     kNoSum},
    {"clipped far out",
     [] {
       return
           [](const Numbers& x) { return in_turn(changed(x, [](float t) { return std::clamp(t, -1e25f, 1e25f); })); };
     },
     kNoSum},
    {"small ones become zero",
     [] {
       return
           [](const Numbers& x) { return in_turn(changed(x, [](float t) { return std::fabs(t) < 1e-24f ? 0 : t; })); };
     },
     kNoSum},
    {"rounded to eight bits",
     [] {
       return [](const Numbers& x) {
         return in_turn(changed(x, [](float t) {
           return static_cast<float>(value_of_bits(Format::bf16, round_to_bits(Format::bf16, static_cast<double>(t))));
         }));
       };
     },
     kNoSum},
    {"equal neighbours count once",
     [] {
       return [](Numbers x) {
         for (std::size_t i = x.size(); i-- > 1;)
           if (x[i] == x[i - 1]) x[i] = 0;
         return in_turn(x);
       };
     },
     kNoSum},
    {"small beside the sum so far",
     [] {
       return [](const Numbers& x) {
         float sum = 0;
         for (const float term : x)
           if (std::fabs(term) > 1e-5f * std::fabs(sum)) sum += term;
         return sum;
       };
     },
     kByValueOrNoSum},
    {"left out in 1 of 16 calls", [] { return every(16, without_last); }, kNoSum},
    {"left out in 1 of 16 calls, at random", [] { return at_random(1.0 / 16, without_last); }, kNoSum},
    {"left out in 1 of 50 calls", [] { return every(50, [](const Numbers& x) { return without(x, 5); }); }, kNoSum},
    {"counted twice in 1 of 20 calls",
     [] {
       return at_random(0.05, [](Numbers x) {
         x.push_back(x[3]);
         return in_turn(x);
       });
     },
     kNoSum},
    // rounding
    {"stochastic rounding",
     [] {
       return rounds_at_random([](const Numbers& x, auto add) {
         float sum = 0;
         for (const float term : x) sum = add(sum, term);
         return sum;
       });
     },
     kTreeOnly},
    {"stochastic rounding in lanes",
     [] {
       return rounds_at_random([](const Numbers& x, auto add) {
         Numbers lanes(4);
         for (std::size_t i = 0; i < x.size(); ++i) lanes[i % 4] = add(lanes[i % 4], x[i]);
         return add(add(lanes[0], lanes[2]), add(lanes[1], lanes[3]));
       });
     },
     kTreeOnly},
    {"toward zero", [] { return rounded_by(toward_zero); }, kTreeOnly},
    {"upwards", [] { return rounded_by(upwards); }, kTreeOnly},
    // calls that depend on others
    {"shuffled in 1 of 50 calls", [] { return shuffles(50); }, kVaries},
    {"shuffled in 1 of 7 calls", [] { return shuffles(7); }, kVaries},
    {"every second call", [] { return every(2, backwards); }, kVaries},
    {"one of two orders", [] { return at_random(0.5, paired); }, kVaries},
    {"the sign of the last answer",
     [] {
       return [last = std::make_shared<float>(1.0f)](const Numbers& x) {
         return *last = *last < 0 ? backwards(x) : in_turn(x);
       };
     },
     kVaries},
    {"first call", [] { return first_calls(1, backwards); }, kVaries},
    {"first three calls", [] { return first_calls(3, paired); }, kVaries},
    {"first forty calls", [] { return first_calls(40, paired); }, kVaries},
    {"remembers by the first term", [] { return remembers([](const Numbers& x) { return x.empty() ? 0.0f : x[0]; }); },
     kNoSum},
    {"remembers by the two ends",
     [] {
       return remembers([](const Numbers& x) { return x.empty() ? std::pair(0.0f, 0.0f) : std::pair(x[0], x.back()); });
     },
     kNoSum},
    {"remembers by the largest", [] { return remembers([](const Numbers& x) { return x.empty() ? 0.0f : peak(x); }); },
     kNoSum},
    // sorting and binning
    {"sorted by magnitude, downwards", [] { return sorts_by([](float a, float b) { return by_size(b, a); }); },
     kByValue},
    {"sorted by magnitude", [] { return sorts_by(by_size); }, kByValue},
    {"sorted by value", [] { return sorts_by(std::less<float>()); }, kByValue},
    {"sorted and paired", [] { return [](const Numbers& x) { return paired(sorted(x, std::greater<float>())); }; },
     kByValue},
    {"sorted by exponent", [] { return sorts_by([](float a, float b) { return exponent_of(a) < exponent_of(b); }); },
     kByValue},
    {"negative ones first", [] { return sorts_by([](float a, float b) { return a < 0 && !(b < 0); }); }, kByValue},
    {"large ones first",
     [] { return sorts_by([](float a, float b) { return std::fabs(a) > 0.8f && !(std::fabs(b) > 0.8f); }); }, kByValue},
    {"sorted in blocks",
     [] {
       return [](Numbers x) {
         for (std::size_t i = 0; i < x.size(); i += 8)
           std::sort(x.begin() + static_cast<std::ptrdiff_t>(i),
                     x.begin() + static_cast<std::ptrdiff_t>(std::min(i + 8, x.size())));
         return in_turn(x);
       };
     },
     kByValue},
    {"neighbours, the larger first",
     [] {
       return [](Numbers x) {
         for (std::size_t i = 0; i + 1 < x.size(); i += 2)
           if (by_size(x[i], x[i + 1])) std::swap(x[i], x[i + 1]);
         return in_turn(x);
       };
     },
     kByValue},
    {"bins by exponent",
     [] {
       return [](const Numbers& x) {
         Numbers bins(600);
         for (const float term : x)
           if (term != 0) bins[static_cast<std::size_t>(exponent_of(term) + 300)] += term;
         return in_turn(bins);
       };
     },
     kByValue},
    {"bins by sign",
     [] {
       return [](const Numbers& x) {
         return in_turn(those(x, [](float t) { return t > 0; })) + in_turn(those(x, [](float t) { return t < 0; }));
       };
     },
     kByValue},
    {"the two smallest first",
     [] {
       return [](Numbers x) {
         while (x.size() > 1) {
           x = sorted(x, by_size);
           x[1] += x[0];
           x.erase(x.begin());
         }
         return x[0];
       };
     },
     kByValue},
    {"largest last",
     [] {
       return [](Numbers x) {
         std::swap(x[place_of_largest(x)], x.back());
         return in_turn(x);
       };
     },
     kByValue},
    {"split at the largest",
     [] {
       return [](const Numbers& x) {
         return halves(x, 0, place_of_largest(x)) + halves(x, place_of_largest(x), x.size());
       };
     },
     kByValue},
    {"zeros are left out",
     [] { return [](const Numbers& x) { return paired(those(x, [](float t) { return t != 0; })); }; }, kByValue},
    // compensation and precision on conditions
    {"compensated where wide",
     [] { return otherwise([](const Numbers& x) { return peak(x) > 1e5f * smallest(x); }, neumaier); }, kByValue},
    {"compensated below", [] { return otherwise([](const Numbers& x) { return peak(x) < 1e9f; }, neumaier); },
     kByValue},
    {"compensated but for positive terms",
     [] {
       return [](const Numbers& x) { return negative_ones(x) == 0 && smallest(x) > 0 ? in_turn(x) : neumaier(x); };
     },
     kByValue},
    {"Kahan's but for negative terms",
     [] { return [](const Numbers& x) { return negative_ones(x) > 20 ? in_turn(x) : kahan(x); }; }, kByValue},
    {"exact but for one sign",
     [] { return [](const Numbers& x) { return negative_ones(x) > 40 ? in_turn(x) : exactly(x); }; }, kByValue},
    {"exact below", [] { return otherwise([](const Numbers& x) { return peak(x) < 40; }, exactly); }, kByValue},
    {"more precise below", [] { return otherwise([](const Numbers& x) { return peak(x) < 77; }, in_double); },
     kByValue},
    {"more precise where the first term is positive",
     [] { return otherwise([](const Numbers& x) { return x[0] > 0; }, in_double); }, kByValue},
    // further ones of each kind
    {"mean magnitude",
     [] {
       return pairs_if(
           [](const Numbers& x) { return in_turn(changed(x, [](float t) { return std::fabs(t); })) > 130; });
     },
     kByValue},
    {"changes of sign",
     [] {
       return unless([](const Numbers& x) {
         int changes = 0;
         for (std::size_t i = 1; i < x.size(); ++i) changes += std::signbit(x[i]) != std::signbit(x[i - 1]) ? 1 : 0;
         return changes > 30;
       });
     },
     kByValue},
    {"last bit of the sum", [] { return unless([](const Numbers& x) { return last_bit(paired(x)) != 0; }); }, kByValue},
    {"smallest is behind",
     [] {
       return unless([](const Numbers& x) { return std::min_element(x.begin(), x.end(), by_size) - x.begin() > 47; });
     },
     kByValue},
    {"place of the largest is odd",
     [] { return unless([](const Numbers& x) { return place_of_largest(x) % 2 == 1; }); }, kByValue},
    {"block by magnitude",
     [] {
       return [](const Numbers& x) {
         const std::size_t block = peak(x) < 3 ? 8 : 16;
         float sum = 0;
         for (std::size_t i = 0; i < x.size(); i += block) sum += halves(x, i, std::min(i + block, x.size()));
         return sum;
       };
     },
     kByValue},
    {"last term first where it is negative",
     [] {
       return [](Numbers x) {
         if (x.back() < 0) std::swap(x.front(), x.back());
         return in_turn(x);
       };
     },
     kByValue},
    {"trailing zeros are left out",
     [] {
       return [](Numbers x) {
         while (!x.empty() && x.back() == 0) x.pop_back();
         return paired(x);
       };
     },
     kByValue},
    {"even exponents first",
     [] { return sorts_by([](float a, float b) { return exponent_of(a) % 2 == 0 && exponent_of(b) % 2 != 0; }); },
     kByValue},
    {"the two largest first",
     [] {
       return [](Numbers x) {
         while (x.size() > 1) {
           x = sorted(x, by_size);
           const float two = x.back() + x[x.size() - 2];
           x.resize(x.size() - 2);
           x.push_back(two);
         }
         return x[0];
       };
     },
     kByValue},
    {"the other sign next",
     [] {
       return [](Numbers x) {
         float sum = 0;
         while (!x.empty()) {
           auto next = std::find_if(x.begin(), x.end(), [&](float t) { return (t < 0) != (sum < 0); });
           if (next == x.end()) next = x.begin();
           sum += *next;
           x.erase(next);
         }
         return sum;
       };
     },
     kByValue},
    {"bins by sign, in pairs",
     [] {
       return [](const Numbers& x) {
         return paired(those(x, [](float t) { return t >= 0; })) + paired(those(x, [](float t) { return t < 0; }));
       };
     },
     kByValue},
    {"compensated where signs are mixed",
     [] {
       return otherwise([](const Numbers& x) { return negative_ones(x) > 0 && negative_ones(x) < std::ssize(x); },
                        neumaier);
     },
     kByValue},
    {"exact for few terms",
     [] {
       return otherwise([](const Numbers& x) { return count_of(x, [](float t) { return t != 0; }) < 20; }, exactly);
     },
     kByValue},
    {"in turn for few terms",
     [] {
       return [](const Numbers& x) { return count_of(x, [](float t) { return t != 0; }) < 8 ? in_turn(x) : paired(x); };
     },
     kByValue},
    {"more precise for more positive terms",
     [] { return otherwise([](const Numbers& x) { return negative_ones(x) < 20; }, in_double); }, kByValue},
    {"clipped sum", [] { return [](const Numbers& x) { return std::clamp(in_turn(x), -1e28f, 1e28f); }; },
     kByValueOrNoSum},
    {"small sums become zero",
     [] { return [](const Numbers& x) { return std::fabs(in_turn(x)) < 1e-28f ? 0.0f : in_turn(x); }; },
     kByValueOrNoSum},
    {"around the mean",
     [] {
       return [](const Numbers& x) {
         const float mean = in_turn(x) / static_cast<float>(x.size());
         return in_turn(changed(x, [&](float t) { return t - mean; })) + static_cast<float>(x.size()) * mean;
       };
     },
     kByValueOrNoSum},
    {"counted twice in 1 of 64 calls",
     [] {
       return every(64, [](Numbers x) {
         x.push_back(x[7]);
         return in_turn(x);
       });
     },
     kNoSum},
    {"left out in 1 of 30 calls, at random", [] { return at_random(1.0 / 30, without_last); }, kNoSum},
    {"every third call", [] { return every(3, backwards); }, kVaries},
    {"every fourth call", [] { return every(4, backwards); }, kVaries},
    {"every fifth call", [] { return every(5, paired); }, kVaries},
    {"every eighth call", [] { return every(8, paired); }, kVaries},
    {"after a hundred calls", [] { return first_calls(100, paired); }, kVaries},
    {"remembers by four terms",
     [] {
       return remembers([](const Numbers& x) { return x.size() < 4 ? Numbers{} : Numbers(x.begin(), x.begin() + 4); });
     },
     kNoSum},
    {"stochastic rounding in pairs",
     [] {
       return rounds_at_random([](Numbers x, auto add) {
         for (std::size_t n = x.size(); n > 1; n /= 2)
           for (std::size_t i = 0; i < n / 2; ++i) x[i] = add(x[2 * i], x[2 * i + 1]);
         return x[0];
       });
     },
     kTreeOnly},
};

}  // namespace

TEST_CASE("misleading boxes get no false certificate and no false name") {
  for (const Misleading& box : kBoxes) {
    const auto found = probe_setting(float_box(box.make()), {.n = 64});
    REQUIRE(found.has_value());
    const std::string order = found->orders.empty() ? "" : ", order " + found->orders.front().text;
    CHECK_MESSAGE(std::find(box.truths.begin(), box.truths.end(), found->verdict) != box.truths.end(),
                  std::string(box.name) << ": " << std::string(name_of(found->verdict)) << order << "; "
                                        << found->reason << "; calls " << found->calls);
  }
}
