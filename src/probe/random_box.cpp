#include "probe/random_box.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "probe/few_terms.hpp"
#include "probe/order_text.hpp"
#include "probe/peel.hpp"
#include "probe/random_places.hpp"
#include "probe/stable_clusters.hpp"

namespace orderlab {

namespace {

using Node = TreeShape::Node;

constexpr std::size_t kMostTold = 5;        // clusters whose (2k - 3)!! trees are told apart
constexpr std::size_t kDraws = 200;         // calls that are
constexpr std::size_t kTriedInputs = 2000;  // the one that tells most trees apart is taken

// A binary tree over clusters. Equal trees have equal texts.
struct TopTree {
  TreeShape shape;
  std::string text;
};

class TopTrees {
 public:
  explicit TopTrees(std::size_t clusters) {
    std::vector<Part> parts;
    for (std::size_t c = 0; c < clusters; ++c) parts.push_back({static_cast<Node>(c), "c" + std::to_string(c)});
    join(TreeShape(clusters), parts);
  }

  std::vector<TopTree> trees;

 private:
  struct Part {
    Node node;
    std::string text;
  };

  // Joins two of the parts, sorted by text, in every way.
  void join(const TreeShape& shape, const std::vector<Part>& parts) {
    if (parts.size() == 1) {
      if (seen_.insert(parts.front().text).second) trees.push_back({shape, parts.front().text});
      return;
    }
    for (std::size_t a = 0; a < parts.size(); ++a)
      for (std::size_t b = a + 1; b < parts.size(); ++b) {
        TreeShape larger = shape;
        std::vector<Part> left = parts;
        left[a] = {larger.join(std::array{parts[a].node, parts[b].node}),
                   "(" + parts[a].text + "+" + parts[b].text + ")"};
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(b));
        std::sort(left.begin(), left.end(), [](const Part& x, const Part& y) { return x.text < y.text; });
        join(larger, left);
      }
  }

  std::set<std::string> seen_;
};

// A chain adds one cluster after the other: no two sums of clusters are added.
bool is_chain(const std::string& tree) { return tree.find(")+(") == std::string::npos; }

// One number for each cluster, so that different trees over them have different sums where that can be.
class TellingInput {
 public:
  TellingInput(const std::vector<TopTree>& tops, std::size_t clusters, Format terms, const Formats& formats) {
    std::vector<SummationTree> trees;
    for (const TopTree& top : tops) trees.push_back(tree_of(top.shape, {formats}));
    // What a tree rounds away shows in the result where the numbers nearly cancel.
    const auto widest_spread =
        static_cast<std::size_t>(std::max(info(formats.accumulate).precision - info(terms).precision / 2, 2));
    RandomPlaces draws(clusters, 5);
    for (std::size_t attempt = 0; attempt < kTriedInputs && told_.size() < tops.size(); ++attempt) {
      Terms terms_tried(terms, clusters);
      const std::size_t spread = 2 + attempt % widest_spread;
      double sum = 0;
      for (std::size_t c = 0; c < clusters; ++c) {
        const double fraction =
            static_cast<double>(draws.below(std::size_t{1} << info(terms).precision)) * info(terms).unit_roundoff() + 1;
        const double number =
            (draws.below(2) == 0 ? 1 : -1) * fraction * power_of_two(static_cast<int>(draws.below(spread)));
        terms_tried.set(c, c + 1 == clusters ? -sum : number);
        sum += terms_tried.view().left(c);
      }
      std::map<std::uint64_t, Told> told;
      for (std::size_t t = 0; t < trees.size(); ++t) {
        const double result = evaluate(trees[t], terms_tried.view())[trees[t].roots()[0]];
        Told& trees_told = told[round_to_bits(formats.result, result)];
        trees_told.text += (trees_told.text.empty() ? "" : " or ") + tops[t].text;
        (is_chain(tops[t].text) ? trees_told.chain : trees_told.other) = true;
      }
      if (score(told) <= score(told_)) continue;
      told_ = std::move(told);
      values_.clear();
      for (std::size_t c = 0; c < clusters; ++c) values_.push_back(terms_tried.view().left(c));
    }
  }

  double value(std::size_t cluster) const { return values_[cluster]; }

  /// Trees that have one sum.
  struct Told {
    std::string text = {};  ///< joined by "or"
    bool chain = false;     ///< one of them is a chain
    bool other = false;     ///< one of them is none
  };

  /// The trees that have this sum; null if none has.
  const Told* find(std::uint64_t bits) const {
    const auto found = told_.find(bits);
    return found == told_.end() ? nullptr : &found->second;
  }

 private:
  // Sums that tell trees apart, twice where they tell chains from others.
  static std::size_t score(const std::map<std::uint64_t, Told>& told) {
    std::size_t clear = told.size();
    for (const auto& [bits, trees] : told) clear += trees.chain && trees.other ? 0 : 1;
    return clear;
  }

  std::map<std::uint64_t, Told> told_;
  std::vector<double> values_;
};

// A number of either sign and of some size, so that sums of several round differently in different orders.
double any_value(RandomPlaces& draws, Format format) {
  const double fraction = static_cast<double>(draws.below(std::size_t{1} << info(format).precision));
  const double value = (fraction * info(format).unit_roundoff() + 1) * power_of_two(static_cast<int>(draws.below(8)));
  return draws.below(2) == 0 ? value : -value;
}

// Whether every call added one cluster after the other, as far as the sums tell.
bool count_trees(AskedBox& box, const StableClusters& clusters, ProbedOrder& result) {
  bool chains = true;
  const std::size_t k = clusters.leaves.size();
  std::map<std::uint64_t, std::uint64_t> sums;
  std::map<std::string, std::uint64_t> drawn;
  std::optional<TellingInput> telling;
  if (k <= kMostTold) telling.emplace(TopTrees(k).trees, k, box.setting().format, result.formats);
  Terms terms = zeros(box);
  RandomPlaces draws(box.n(), 6);
  for (std::size_t c = 0; c < k; ++c)
    terms.set(clusters.leaves[c].front(), telling ? telling->value(c) : any_value(draws, box.setting().format));
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    const std::uint64_t bits = round_to_bits(result.formats.result, box.sum(terms.view()));
    ++sums[bits];
    if (!telling) continue;
    const TellingInput::Told* told = telling->find(bits);
    ++drawn[told == nullptr ? "another tree" : told->text];
    chains = chains && told != nullptr && told->chain;
  }
  result.draws = kDraws;
  result.different_sums = sums.size();
  if (sums.size() > 1)
    for (const auto& [tree, count] : drawn) result.drawn.push_back({tree, count});
  std::stable_sort(result.drawn.begin(), result.drawn.end(),
                   [](const DrawnTree& a, const DrawnTree& b) { return a.count > b.count; });
  return chains;
}

// All orders of input k, if their sums can be listed.
std::optional<OrderSpace> listed_space(const Order& order, const Formats& formats, BoxReplay& replay, std::size_t k) {
  const auto evaluator = Evaluator::make(order, replay.input(k).view(), formats, 1);
  RecognizedSpace recognized = order_space(*evaluator);
  if (!recognized.space || !quickly_enumerable(*recognized.space)) return std::nullopt;
  return std::move(recognized.space);
}

// Whether the order, which draws, can give the answer on input k; false where its sums are too many to list.
bool can_give(const Order& order, const Formats& formats, BoxReplay& replay, std::size_t k) {
  const auto space = listed_space(order, formats, replay, k);
  const auto all = space ? enumerate(*space, {.threads = 1}) : std::nullopt;
  return all && all->find(round_to_bits(formats.result, replay.answer(k))) != nullptr;
}

// The pipeline `below` and then what it leaves in order of arrival, where all trees seen are chains; or any tree of it.
std::vector<std::string> orders_above(const std::vector<StageCall>& below, bool chains, bool from_zero) {
  const std::string first = below.empty() ? "" : Order({}, below).expression() + " | ";
  std::vector<std::string> orders;
  if (chains) orders.push_back(first + (from_zero ? "arrive | seq(from=zero)" : "arrive | seq"));
  orders.push_back(first + "shuffle | tree");
  return orders;
}

}  // namespace

void probe_random(PairSizes& sizes, BoxReplay& replay, ProbedOrder& result) {
  result.verdict = ProbeVerdict::random;
  sizes.box().begin("stable clusters", sizes.n() * 16);
  std::optional<StableClusters> clusters = find_stable_clusters(sizes);
  if (!clusters) {
    result.reason = "no stable clusters: what is added first varies from call to call within every set of terms";
    return;
  }
  if (clusters->leaves.size() == 1) {
    result.reason = "calls differed, but not while clusters were looked for: the order changes rarely";
    return;
  }
  result.clusters = clusters->leaves;
  sizes.box().begin("drawn trees", kDraws);
  const bool chains = count_trees(sizes.box(), *clusters, result);
  if (result.different_sums == 1 && clusters->leaves.size() > 2) {
    result.reason = "calls differed, but not those of one input: the order changes rarely";
    result.clusters.clear();
    return;
  }

  const bool single = clusters->leaves.size() == sizes.n();
  std::vector<std::vector<StageCall>> ways{{}};
  if (!single) ways = peel(clusters->shape, result.formats.accumulate);
  sizes.box().begin("replay", BoxReplay::kInputs);
  for (const std::vector<StageCall>& below : ways)
    for (const std::string& text : orders_above(below, chains, replay.starts_from_zero())) {
      const Order order = parse_order(text);
      if (!gives_all(order, result.formats, replay)) continue;
      result.replayed = BoxReplay::kInputs;
      result.orders.push_back(written(order, sizes.n()));
      break;
    }
  std::stable_partition(result.orders.begin(), result.orders.end(), [](const WrittenOrder& order) {
    return order.text != order.order.expression();  // those with names first
  });
}

bool sums_are_listed(const Order& order, const Formats& formats, BoxReplay& replay) {
  try {
    return listed_space(order, formats, replay, 0).has_value();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::usage) return true;  // not an order of so many terms: none
    if (error.kind() != ErrorKind::unsupported) throw;
    return false;
  }
}

bool gives_all(const Order& order, const Formats& formats, BoxReplay& replay) {
  try {
    for (std::size_t k = 0; k < BoxReplay::kInputs; ++k)
      if (!can_give(order, formats, replay, k)) return false;
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage && error.kind() != ErrorKind::unsupported) throw;
    return false;  // not an order of so many terms, or too many sums
  }
}

}  // namespace orderlab
