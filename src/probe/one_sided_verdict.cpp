#include "probe/one_sided_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "probe/accumulate_formats.hpp"
#include "probe/few_terms.hpp"
#include "probe/first_answers.hpp"
#include "probe/random_places.hpp"
#include "probe/triples.hpp"

namespace orderlab {

namespace {

constexpr int kWholeSums = 8;
constexpr std::size_t kWholeTerms = 24;  // each at most 3: their squares add up to 216, exact in 8 bits
constexpr std::size_t kMostOnes = 32;    // in one call: one more or less is seen in 8 bits, below a square root too
constexpr std::size_t kAskedAtLast = 16;
constexpr int kSevenDigits = 7;

// What the box makes of a summand, or of a sum of them.
double finished(Summands summands, double sum) { return summands == Summands::norm ? std::sqrt(sum) : sum; }
double summand_of(Summands summands, double x) { return summands == Summands::magnitudes ? std::fabs(x) : x * x; }

std::string wrong_whole_sum(AskedBox& box) {
  const Summands summands = box.summands();
  Terms terms(box.setting().format, box.n());
  RandomPlaces places(box.n(), 25);
  for (int k = 0; k < kWholeSums; ++k) {
    const auto some = places.some(std::min(kWholeTerms, box.n()));
    // As many equal ones as a square number have a whole root.
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(some.size())));
    const std::size_t count = summands == Summands::norm ? root * root : some.size();
    const double equal = 1 + static_cast<double>(places.below(3));
    double sum = 0;
    for (std::size_t t = 0; t < count; ++t) {
      const double x = summands == Summands::norm ? equal : 1 + static_cast<double>(places.below(3));
      terms.set(some[t], x);
      sum += summand_of(summands, x);
    }
    const double answer = box.sum(terms.view());
    for (const std::size_t place : some) terms.set(place, 0);
    if (answer != finished(summands, sum))
      return "whole numbers whose " + std::string(summands == Summands::magnitudes ? "magnitudes" : "squares") +
             " add up to " + shortest(sum) + " gave " + shortest(answer);
  }
  if (const double nothing = box.sum(terms.view()); nothing != 0) return "zeros gave " + shortest(nothing);
  return {};
}

// Ones, some at a time, so that every term is asked for.
std::string miscounted_ones(AskedBox& box) {
  Terms terms(box.setting().format, box.n());
  const bool rooted = box.summands() == Summands::norm;
  for (std::size_t begin = 0; begin < box.n(); begin += kMostOnes) {
    const std::size_t end = std::min(begin + kMostOnes, box.n());
    for (std::size_t i = begin; i < end; ++i) terms.set(i, 1);
    const double answer = box.sum(terms.view());
    for (std::size_t i = begin; i < end; ++i) terms.set(i, 0);
    const double counted = rooted ? answer * answer : answer;
    if (!(std::fabs(counted - static_cast<double>(end - begin)) < 0.5))
      return "ones at places " + std::to_string(begin) + " to " + std::to_string(end - 1) + " gave " + shortest(answer);
  }
  return {};
}

class OneSidedBox {
 public:
  OneSidedBox(AskedBox& box, BoxReplay& replay, const ProbeOptions& options)
      : box_(box), replay_(replay), options_(options) {}

  Judgement judge() {
    const BoxSetting& setting = box_.setting();
    const std::size_t again = std::max<std::size_t>(options_.repeats, 2) - 1;
    box_.begin("sums of a few terms", 10);
    replay_.answer(0);  // before all else: the first calls can differ from later ones
    if (const std::string wrong = wrong_whole_sum(box_); !wrong.empty()) return no_sum(wrong);
    if (const std::string wrong = miscounted_ones(box_); !wrong.empty()) return no_sum(wrong);
    if (replay_.varies(BoxReplay::kRepeatedInputs, again)) return random();
    require_digits(box_, kSevenDigits);
    Judgement found = judge_steady();
    if (found.verdict == ProbeVerdict::not_a_sum) return found;
    found.setting = setting;
    if (replay_.varies(kAskedAtLast, 1)) return random();
    if (found.verdict != ProbeVerdict::data_dependent)
      found.compared = BoxReplay::kRepeatedInputs * again + BoxReplay::kInputs + kAskedAtLast;
    return found;
  }

 private:
  Judgement no_sum(std::string reason) const {
    return judged(box_.setting(), ProbeVerdict::not_a_sum, std::move(reason));
  }

  Judgement random() const {
    return judged(box_.setting(), ProbeVerdict::random,
                  "calls with the same terms differ; summands of one sign do not show the tree of a single call");
  }

  Judgement named(const ReplayedOrders& replayed, bool certified, std::string reason = {}) const {
    Judgement found = judged(box_.setting(), ProbeVerdict::named, std::move(reason));
    found.orders = replayed.orders;
    found.formats = replayed.formats;
    found.replayed = BoxReplay::kInputs;
    found.certified = certified;
    found.tree = replay_.tree(found.orders.front().order, found.formats);
    return found;
  }

  Judgement judge_steady() {
    const std::optional<int> precision = box_.n() > 1 ? precision_of_answers(box_) : std::nullopt;
    if (precision || box_.n() == 1) {
      Triples triples(box_, precision.value_or(info(box_.setting().format).precision));
      if (loses_small_summands(triples)) return judge_plain(triples, precision);
    }
    const Candidates candidates(box_, replay_, accumulate_formats(box_.setting().format, {}), options_);
    // Of compensated sums, and of those in a wider format, most bits are the same.
    const auto plain = [](const Order& order) {
      return !sorts(order) && !has_accumulator(order, {"kahan", "neumaier"});
    };
    const char* hidden = "small summands are not lost beside large ones, so these show no tree";
    if (const ReplayedOrders replayed = candidates.evident_ones(plain); !replayed.orders.empty())
      return named(replayed, false, std::string("by its bits alone: ") + hidden);
    if (replay_.faithful())
      return judged(box_.setting(), ProbeVerdict::compensated,
                    std::string("its answers are within an ulp of the exact ones; ") + hidden);
    return judged(box_.setting(), ProbeVerdict::data_dependent,
                  std::string("no order known here has its bits; ") + hidden +
                      ", as where terms are scaled before they are squared");
  }

  // Formats that lose small summands where the box does.
  std::vector<Format> formats_of(std::optional<int> precision) const {
    std::vector<Format> formats = accumulate_formats(box_.setting().format, {});
    if (precision) std::erase_if(formats, [&](Format format) { return info(format).precision != *precision; });
    return formats;
  }

  Judgement judge_plain(Triples& triples, std::optional<int> precision) {
    const std::vector<Format> accumulate = formats_of(precision);
    const Candidates candidates(box_, replay_, accumulate, options_);
    std::optional<TreeShape> proven;
    std::vector<TreeShape> wrong;
    ReplayedOrders replayed;
    for (const Candidate& candidate : candidates.all()) {
      if (sorts(candidate.order.order)) continue;
      const TreeShape shape = TreeShape::of(replay_.tree(candidate.order.order, candidate.formats));
      if (!shape.binary() || std::find(wrong.begin(), wrong.end(), shape) != wrong.end()) continue;
      if (!proven) {
        box_.begin("certificate", box_.n());
        if (certify(shape, triples))
          proven = shape;
        else
          wrong.push_back(shape);
      }
      if (proven && *proven == shape && candidates.replays_all(candidate)) replayed.add(candidate);
    }
    if (!replayed.orders.empty()) return named(replayed, true);
    return judge_revealed(triples, proven, accumulate);
  }

  Judgement judge_revealed(Triples& triples, std::optional<TreeShape> shape, const std::vector<Format>& accumulate) {
    if (!shape) {
      box_.begin("revelation", box_.n());
      shape = reveal(triples);
    }
    if (!shape || !certify(*shape, triples))
      return judged(box_.setting(), ProbeVerdict::data_dependent,
                    "no single tree fits its answers to large terms: values choose the order, or its additions are "
                    "not plain ones");
    if (const ReplayedOrders names = orders_with_shape(box_, replay_, *shape, accumulate); !names.orders.empty())
      return named(names, true);
    Judgement found = judged(box_.setting(), ProbeVerdict::revealed, "no pipeline of stages gives this tree");
    const Format format = accumulate.empty() ? box_.setting().format : accumulate.front();
    found.formats = replay_.formats_in(format);
    found.tree = tree_of(*shape, {found.formats, {}});
    if (replay_.equal_all(*found.tree, found.formats.result))
      found.replayed = BoxReplay::kInputs;
    else
      found.reason = "its additions do not have the bits of plain ones in a format known here";
    return found;
  }

  AskedBox& box_;
  BoxReplay& replay_;
  const ProbeOptions& options_;
};

}  // namespace

Judgement judge_one_sided(AskedBox& box, BoxReplay& replay, const ProbeOptions& options) {
  return OneSidedBox(box, replay, options).judge();
}

}  // namespace orderlab
