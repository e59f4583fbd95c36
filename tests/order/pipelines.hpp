// Pipelines to try: a list that covers every stage and option, random ones, and trees as text.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

/// Valid for every n >= 1 and for numbers as well as products. Every stage, accumulator and start is in it; a new stage
/// adds lines here.
inline constexpr const char* kPipelines[] = {
    "seq",
    "seq(from=zero)",
    "seq(3) | seq",
    "seq(acc=kahan)",
    "seq(7,acc=neumaier) | seq(acc=atomic)",
    "chunks(5) | seq",
    "chunks(3,acc=kahan) | seq",
    "chunks(4,from=zero) | pairwise",
    "chunks(3,chunk=2) | seq",
    "chunks(2,acc=neumaier,chunk=5) | seq",
    "chunks(3,each=halving(4) | adjacent(2,rest=keep)) | seq",
    "chunks(2,chunk=7,each=strided(2,rest=keep) | lanes(2,1,rest=keep,to=1)) | arrive | seq(from=zero)",
    "chunks(2,chunk=6,each=strided(4,rest=first)) | seq",
    "queue(2,3)",
    "queue(3,2,cv=0.4,late=2) | seq",
    "queue(4,2,sizes=guided)",
    "seq(2) | queue(2,5,cv=1,sizes=guided,each=strided(2,rest=keep) | halving(2,rest=keep))",
    "strided(4) | halving(4)",
    "strided(8,from=zero) | adjacent(8)",
    "strided(3,acc=neumaier) | seq",
    "strided(4,rest=first) | seq",
    "strided(2,from=zero,rest=first,u=2) | lanes(2,2) | seq",
    "strided(4,rest=keep) | halving(4,rest=keep) | seq",
    "strided(4,u=2,from=zero,rest=keep) | lanes(4,2,rest=keep) | seq",
    "strided(3,acc=kahan,rest=keep) | seq(3,acc=atomic,rest=keep) | seq",
    "lanes(4,3) | seq",
    "lanes(8,2,rows=adjacent,to=2) | seq",
    "lanes(3,2,acc=neumaier,rest=keep) | pairwise",
    "lanes(4,2,from=zero,to=1,rest=carry) | seq",
    "tile(4,2) | halving(4) | seq(acc=atomic)",
    "tile(4,2,3) | adjacent(4) | seq(from=zero)",
    "tile(32,1,2,acc=atomic) | halving(32) | seq",
    "tile(8,3,1000) | seq(acc=neumaier)",
    "tile(1,1) | seq",
    "halving(1) | seq",
    "halving(32) | seq",
    "halving(4) | halving(4) | seq",
    "halving(2^20) | halving(2^20)",
    "halving(16,to=4) | halving(4,rest=keep) | seq",
    "halving(8,to=8,rest=keep) | seq",
    "adjacent(1) | seq",
    "adjacent(5) | pairwise",
    "adjacent(5,rest=keep) | seq(4,rest=keep) | seq",
    "adjacent(32) | adjacent(32) | seq",
    "pairwise",
    "pairwise(8)",
    "pairwise(3,acc=kahan)",
    "pairwise(5,from=zero)",
    "pairwise(half=down)",
    "pairwise(6,acc=neumaier,half=down)",
    "numpy",
    "seq(2) | numpy",
    "polars",
    "strided(700) | polars",
    "cub_tile(1) | adjacent(32) | seq",
    "cub_tile(2,striped) | adjacent(32) | seq(8) | arrive | seq(acc=atomic)",
    "cub_rake(5) | seq",
    "cub_rake(64) | adjacent(32) | seq",
    "cub_rake(96,commutative_only) | adjacent(32) | seq",
    "power_of_two | seq",
    "seq(3) | power_of_two | tree",
    "double_tree(1)",
    "double_tree(3,second,split)",
    "double_tree(2,first,tree)",
    "chunks(5) | double_tree(2,second)",
    "rank_tree",
    "reverse | rank_tree(binomial)",
    "chunks(11) | rank_tree(in_order)",
    "seq(3) | rank_tree(levels)",
    "rotate(0,last) | seq",
    "shuffle | rotate(0) | seq",
    "reverse | seq",
    "sort(asc) | seq",
    "sort(desc) | pairwise",
    "sort(abs_asc) | seq",
    "sort(abs_desc) | seq(acc=kahan)",
    "shuffle | seq",
    "shuffle | tree",
    "tree",
    "shuffle | numpy",
    "seq(3) | shuffle | sort(abs_asc) | tree",
    "shuffle | seq(4) | shuffle | seq(4) | tree",
    "arrive | seq(acc=atomic)",
    "arrive(launch) | seq",
    "arrive(jitter(2)) | seq",
    "halving(8) | arrive(slots(4,0.2)) | seq(acc=atomic)",
    "tile(4,2) | halving(4) | arrive | strided(3) | seq",
    "chunks(7) | arrive | seq(2) | reverse | shuffle | seq",
};

/// The same for products: what fuses them.
inline constexpr const char* kFusedPipelines[] = {
    "seq(acc=fma)",
    "seq(acc=fma,from=zero)",
    "seq(4,acc=fma) | seq",
    "chunks(3,acc=fma) | numpy",
    "chunks(2,each=strided(8,acc=fma) | halving(8)) | arrive | seq(from=zero)",
    "chunks(2,chunk=4,each=seq(3,acc=fma,rest=keep)) | seq",
    "strided(8,acc=fma) | halving(8)",
    "strided(8,acc=fma,rest=keep) | halving(8,rest=keep) | seq",
    "lanes(4,3,acc=fma,to=1,rest=carry) | seq",
    "tile(4,2,acc=fma) | halving(4) | arrive | seq(acc=atomic)",
    "pairwise(4,acc=fma)",
    "pairwise(acc=fma,from=zero)",
    "reverse | seq(3,acc=fma) | seq(acc=neumaier)",
    "shuffle | seq(acc=fma)",
    "sort(abs_desc) | seq(acc=fma)",
    "sort(asc) | strided(3,acc=fma) | tree",
    "arrive | seq(5,acc=fma,from=zero) | shuffle | seq(acc=kahan)",
};

inline bool is_fused(std::string_view pipeline) { return pipeline.find("fma") != std::string_view::npos; }

/// Every named order with its defaults, and kPipelines.
inline std::vector<std::string> numeric_pipelines() {
  std::vector<std::string> all(std::begin(kPipelines), std::end(kPipelines));
  for (const NamedOrder& order : named_orders()) all.emplace_back(order.name);
  return all;
}

/// numeric_pipelines() and kFusedPipelines.
inline std::vector<std::string> product_pipelines() {
  std::vector<std::string> all = numeric_pipelines();
  all.insert(all.end(), std::begin(kFusedPipelines), std::end(kFusedPipelines));
  return all;
}

/// A pipeline drawn at random, valid for every n; `fused`: its first reducing stage may fuse products.
inline std::string random_pipeline(IndexGenerator& draw, bool fused) {
  const auto pick = [&](const auto& list) { return std::string(list[below(draw, std::size(list))]); };
  const auto number = [&](std::uint64_t low, std::uint64_t high) {
    return std::to_string(low + below(draw, high - low + 1));
  };
  const char* const arranging[] = {
      "shuffle",        "reverse", "sort(asc)",      "sort(desc)",          "sort(abs_asc)",
      "sort(abs_desc)", "arrive",  "arrive(launch)", "arrive(jitter(1.5))", "arrive(slots(3,0.5,0))"};
  const char* const plain[] = {"", "", "acc=kahan", "acc=neumaier", "acc=atomic", "from=zero", "from=first"};
  const char* const fusing[] = {"acc=fma", "acc=fma,from=zero", "from=zero,acc=fma"};
  const std::uint64_t length = 1 + below(draw, 4);
  bool first = fused;
  std::string text;
  const auto append = [&](const std::string& stage) { text += (text.empty() ? "" : " | ") + stage; };
  const auto kept = [&] { return chance(draw, 3) ? std::string(",rest=keep") : std::string(); };
  const auto with_options = [&](const std::string& name, const std::string& argument, bool has_rest = false) {
    std::string option = first && chance(draw, 2) ? pick(fusing) : pick(plain);
    first = false;
    const bool fused_start = option.find("fma") != std::string::npos && option.find("zero") != std::string::npos;
    if (has_rest && !fused_start && chance(draw, 3)) option += option.empty() ? "rest=keep" : ",rest=keep";
    const std::string comma = argument.empty() || option.empty() ? "" : ",";
    append(argument.empty() && option.empty() ? name : name + "(" + argument + comma + option + ")");
  };
  for (std::uint64_t i = 0; i < length; ++i) {
    if (chance(draw, 2)) append(pick(arranging));
    switch (below(draw, 7)) {
      case 0:
        with_options("seq", number(1, 9), true);
        break;
      case 1:
        with_options("chunks", number(1, 9));
        break;
      case 2:
        with_options("strided", number(1, 9), true);
        break;
      case 3:
        append("tile(" + number(1, 5) + "," + number(1, 4) + (chance(draw, 2) ? "," + number(1, 4) : "") + ")");
        first = false;
        break;
      case 4:
        append("halving(" + std::to_string(1u << below(draw, 6)) + kept() + ")");
        first = false;
        break;
      case 5:
        with_options("lanes", number(1, 5) + "," + number(1, 4), true);
        break;
      default:
        append("adjacent(" + number(1, 9) + kept() + ")");
        first = false;
    }
  }
  switch (below(draw, 4)) {
    case 0:
      append("numpy");
      break;
    case 1:
      append("tree");
      break;
    case 2:
      with_options("pairwise", number(1, 5));
      break;
    default:
      with_options("seq", "");
  }
  return text;
}

/// 1 .. 40 and the numbers about each power of two up to `largest`.
inline std::vector<std::size_t> boundary_sizes(std::size_t largest) {
  std::vector<std::size_t> sizes(40);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  for (std::size_t k = 64; k <= largest; k *= 2) sizes.insert(sizes.end(), {k - 1, k, k + 1});
  return sizes;
}

/// One evaluation with buffers of its own.
inline Evaluation evaluate_once(const Evaluator& evaluator, std::uint64_t sample = 0) {
  return evaluator.evaluate(sample, *evaluator.make_scratch());
}

/// The sum of `terms` in one format by the order `text`, sample 0.
inline std::uint64_t sum_bits_of(std::string_view text, const TermView& terms, const Formats& formats,
                                 std::uint64_t seed = 1) {
  return evaluate_once(*Evaluator::make(parse_order(text), terms, formats, seed)).bits;
}

/// A subtree as text: a leaf is its number, a + b plain, a ~ b with flushing, 0+a and 0~a started, r(a) rounded,
/// kahan[a,b], and so on.
inline std::string text_of(const SummationTree& tree, SummationTree::Node node) {
  if (tree.leaf(node)) return std::to_string(node);
  const auto children = tree.children(node);
  const auto child = [&](std::size_t i) { return text_of(tree, children[i]); };
  switch (tree.operation(node)) {
    case Operation::add:
      return "(" + child(0) + "+" + child(1) + ")";
    case Operation::add_ftz:
      return "(" + child(0) + "~" + child(1) + ")";
    case Operation::start:
      return "0+" + child(0);
    case Operation::start_ftz:
      return "0~" + child(0);
    case Operation::round:
      return "r(" + child(0) + ")";
    default:
      break;
  }
  std::string text(name_of(tree.operation(node)));
  for (std::size_t i = 0; i < children.size(); ++i) text += (i == 0 ? "[" : ",") + child(i);
  return text + "]";
}

inline std::string text_of(const SummationTree& tree) { return text_of(tree, tree.roots()[0]); }

/// A file that lives as long as this does.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    static int count = 0;
    path_ = (std::filesystem::temp_directory_path() /
             ("orderlab_test_" + std::to_string(::getpid()) + "_" + std::to_string(count++) + ".txt"))
                .string();
    std::ofstream(path_) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace orderlab::testing
