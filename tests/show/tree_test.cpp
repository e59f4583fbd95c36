#include "show/tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "config/json.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "show/table.hpp"

using namespace orderlab;

namespace {

template <class T>
SummationTree tree_of(const char* order, const std::vector<T>& x, const char* arrival = "") {
  const Formats formats{kFormatOf<T>, kFormatOf<T>, kFormatOf<T>};
  return Evaluator::make(parse_order(order, arrival), view_of(x.data(), x.size()), formats, 1)->tree(0);
}

std::vector<double> counted(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i + 1);
  return x;
}

// A chain as high as it has additions; on the right side if `right`.
SummationTree deep_tree(std::uint64_t n, bool right) {
  SummationTree tree(n);
  SummationTree::Node sum = 0;
  for (SummationTree::Node i = 1; i < n; ++i) {
    const SummationTree::Node children[]{right ? i : sum, right ? sum : i};
    sum = tree.add(Operation::add, Format::fp64, children);
  }
  tree.set_roots({sum});
  return tree;
}

auto occurrences(const std::string& text, char c) { return std::count(text.begin(), text.end(), c); }

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    widest = std::max(widest, display_width(text.substr(at, text.find('\n', at) - at)));
  return widest;
}

}  // namespace

TEST_CASE("a balanced tree is drawn as a tree") {
  const std::vector<float> x{1, 2, 3, 0.1F};
  CHECK(tree_text(tree_of("pairwise", x), view_of(x.data(), x.size()), Format::fp32) ==
        "n6 add fp32 = 0x1.866666p+2  (6.1)\n"
        "├─ n4 add fp32 = 0x1.8p+1  (3)\n"
        "│  └─ x[0] = 1, x[1] = 2\n"
        "└─ n5 add fp32 = 0x1.8cccccp+1  (3.1)\n"
        "   └─ x[2] = 3, x[3] = 0.1\n");
}

TEST_CASE("a chain is drawn as a list with its running sums") {
  const auto x = counted(4);
  CHECK(tree_text(tree_of("seq(from=zero)", x), view_of(x.data(), x.size()), Format::fp64) ==
        "n7 add fp64 = 0x1.4p+3  (10)  in turn:\n"
        "├─ 0\n"
        "├─ x[0] = 1  → n4 = 0x1p+0  (1)\n"
        "├─ x[1] = 2  → n5 = 0x1.8p+1  (3)\n"
        "├─ x[2] = 3  → n6 = 0x1.8p+2  (6)\n"
        "└─ x[3] = 4  → n7 = 0x1.4p+3  (10)\n");
}

TEST_CASE("the drawing shows products, a result in another format, and numbers that are not finite") {
  const std::vector<double> x{1, std::numeric_limits<double>::infinity()};
  const std::vector<double> y{-0.1, 1};
  SummationTree tree(2);
  const SummationTree::Node first[]{0};
  const SummationTree::Node terms[]{tree.add(Operation::round, Format::fp64, first), 1};
  tree.set_roots({tree.add(Operation::fma, Format::fp64, terms)});
  CHECK(tree_text(tree, view_of(x.data(), 2, y.data()), Format::fp32) ==
        "result fp32 = inf  (inf)\n"
        "└─ n3 fma fp64 = inf\n"
        "   ├─ n2 round fp64 = -0x1.999999999999ap-4  (-0.1)\n"
        "   │  └─ x[0]*y[0] = -0.1\n"
        "   └─ x[1]*y[1] = inf\n");
}

TEST_CASE("a group of fma that starts from zero is told from one that starts from a rounded product") {
  const std::vector<double> x{1, 2};
  const std::vector<double> y{3, 5};
  const TermView products = view_of(x.data(), 2, y.data());
  const auto tree = [&](const char* order) { return Evaluator::make(parse_order(order), products, {}, 1)->tree(0); };
  const SummationTree first = tree("seq(acc=fma)");
  const SummationTree zero = tree("seq(acc=fma,from=zero)");
  CHECK(tree_expression(first) == "fma(round(x0),x1)");
  CHECK(tree_expression(zero) == "fma(0,x0,x1)");
  CHECK(tree_text(zero, products, Format::fp64) ==
        "n2 fma fp64 = 0x1.ap+3  (13)\n"
        "├─ 0\n"
        "├─ x[0]*y[0] = 3\n"
        "└─ x[1]*y[1] = 10\n");
  CHECK(tree_dot(first, products).find("n2 round fp64") != std::string::npos);
  CHECK(tree_csv(first, products).find("\n2,round,fp64,0,3,0x4008000000000000\n3,fma,fp64,2 1,13,") !=
        std::string::npos);
  CHECK(tree_csv(zero, products).find("\n2,fma,fp64,0 1,13,") != std::string::npos);
  CHECK(evaluate(first, products).back() == 13);
}

TEST_CASE("drawings of 64 terms stay on the screen") {
  std::vector<double> x(64);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sqrt(static_cast<double>(i + 2)) * 1e-5;
  const TermView terms = view_of(x.data(), x.size());
  const auto warp = tree_of("warp", x, "launch");
  CHECK(widest_line(tree_text(warp, terms, Format::fp64)) <= 132);
  CHECK(widest_line(tree_text(tree_of("sequential", x), terms, Format::fp64)) <= 110);
  CHECK(widest_line(tree_text(deep_tree(64, true), terms, Format::fp64)) <= 132);
  const std::string text = tree_text(warp, terms, Format::fp64);
  for (std::size_t i = 0; i < 64; ++i) CHECK(text.find("x[" + std::to_string(i) + "] = ") != std::string::npos);
  for (auto node = warp.term_count(); node < warp.node_count(); ++node)
    CHECK(text.find("n" + std::to_string(node) + " ") != std::string::npos);
}

TEST_CASE("an expression has parentheses around every operation") {
  const auto x = counted(4);
  CHECK(tree_expression(tree_of("pairwise", x)) == "((x0+x1)+(x2+x3))");
  CHECK(tree_expression(tree_of("seq", x)) == "(((x0+x1)+x2)+x3)");
  CHECK(tree_expression(tree_of("seq(from=zero)", x)) == "((((0+x0)+x1)+x2)+x3)");
  CHECK(tree_expression(tree_of("seq(acc=kahan)", x)) == "kahan(x0,x1,x2,x3)");
  const std::vector<float> one{1, 2};
  CHECK(tree_expression(tree_of("seq(acc=atomic)", one)) == "ftz(ftz(0+x0)+x1)");
  CHECK(tree_expression(tree_of("sequential", counted(1))) == "x0");
}

TEST_CASE("Newick names every node, nests any number of children and ends with a semicolon") {
  const auto x = counted(4);
  CHECK(tree_newick(tree_of("pairwise", x)) == "((x0,x1)n4,(x2,x3)n5)n6;");
  CHECK(tree_newick(tree_of("seq(acc=kahan)", x)) == "(x0,x1,x2,x3)n4;");
  CHECK(tree_newick(tree_of("sequential", counted(1))) == "x0;");
  for (const std::size_t n : {1U, 2U, 31U, 32U, 33U, 64U, 65U}) {
    const auto terms = counted(n);
    const auto tree = tree_of("warp", terms, "launch");
    const std::string text = tree_newick(tree);
    const auto inner = static_cast<std::ptrdiff_t>(tree.node_count() - tree.term_count());
    CHECK(occurrences(text, '(') == inner);
    CHECK(occurrences(text, ')') == inner);
    CHECK(occurrences(text, 'x') == static_cast<std::ptrdiff_t>(n));
    CHECK(text.back() == ';');
  }
}

TEST_CASE("Graphviz gets a box for a term, an ellipse for an operation, and an edge for an operand") {
  const std::vector<float> x{1, 0.1F};
  const std::string dot = tree_dot(tree_of("sequential", x), view_of(x.data(), 2));
  CHECK(dot.starts_with("digraph summation {\n"));
  CHECK(dot.find("  n1 [shape=box, label=\"x[1]\\n0.1\"];\n") != std::string::npos);
  CHECK(dot.find("  n2 [shape=ellipse, label=\"n2 add fp32\\n0x1.19999ap+0\\n1.1\", peripheries=2];\n") !=
        std::string::npos);
  CHECK(dot.ends_with("  n0 -> n2;\n  n1 -> n2;\n}\n"));
}

TEST_CASE("JSON lists all nodes, leaves first, with values and bits") {
  const std::vector<float> x{1, std::numeric_limits<float>::infinity()};
  CHECK(Json::parse(tree_json(tree_of("sequential", x), view_of(x.data(), 2))).dump() ==
        R"({"terms":2,"height":1,"nodes":[)"
        R"({"id":0,"operation":"term","format":"fp32","children":[],"value":1.0,"bits":"0x3f800000"},)"
        R"({"id":1,"operation":"term","format":"fp32","children":[],"value":"inf","bits":"0x7f800000"},)"
        R"({"id":2,"operation":"add","format":"fp32","children":[0,1],"value":"inf","bits":"0x7f800000"}],)"
        R"("roots":[2]})");
  const std::vector<Half> h{Half(0.5)};
  const auto json = Json::parse(tree_json(SummationTree(1), view_of(h.data(), 1, h.data())));
  CHECK(json["nodes"][0].dump() == R"({"id":0,"operation":"term","format":"fp64","children":[],)"
                                   R"("factors":[0.5,0.5],"value":0.25,"bits":"0x3fd0000000000000"})");
}

TEST_CASE("a tree as high as it has nodes is written without overflowing the stack") {
  constexpr std::uint64_t kTerms = 100'000;
  const std::vector<double> x(kTerms, 1.0);
  const TermView terms = view_of(x.data(), x.size());
  for (const bool right : {false, true}) {
    const SummationTree tree = deep_tree(kTerms, right);
    const auto newick = tree_newick(tree);
    CHECK(occurrences(newick, '(') == kTerms - 1);
    CHECK(occurrences(newick, ')') == kTerms - 1);
    CHECK(occurrences(tree_expression(tree), '+') == kTerms - 1);
    CHECK(tree_dot(tree, terms).ends_with("}\n"));
    const auto json = Json::parse(tree_json(tree, terms));
    CHECK(json["nodes"].size() == 2 * kTerms - 1);
    CHECK(json["nodes"].back()["value"] == static_cast<double>(kTerms));
    CHECK(json["height"] == kTerms - 1);
    CHECK(occurrences(tree_text(tree, terms, Format::fp64), '\n') > static_cast<std::ptrdiff_t>(kTerms) - 5);
  }
}

TEST_CASE("terms that are not those of the tree are refused") {
  const auto x = counted(3);
  const TermView terms = view_of(x.data(), 3);
  const SummationTree tree = deep_tree(4, false);
  CHECK_THROWS_AS(tree_text(tree, terms, Format::fp64), Error);
  CHECK_THROWS_AS(tree_dot(tree, terms), Error);
  CHECK_THROWS_AS(tree_json(tree, terms), Error);
}
