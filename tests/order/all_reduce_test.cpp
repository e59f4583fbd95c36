// The all-reduce orders against their ranks one by one (all_reduce_emulation.hpp), bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "order/all_reduce_emulation.hpp"
#include "order/pipelines.hpp"
#include "order/telling_terms.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Numbers of ranks: all small ones, and odd and even ones about powers of two and between.
std::vector<std::size_t> rank_counts() {
  std::vector<std::size_t> counts = boundary_sizes(1024);
  counts.insert(counts.end(), {72, 100, 250, 333, 1000});
  return counts;
}

std::string call(const std::string& order, std::size_t argument) {
  return order + "(" + std::to_string(argument) + ")";
}

template <class T>
void compare_rings(const Terms<T>& terms, std::size_t& ends_differ) {
  const std::size_t n = terms.array.size();
  const std::vector<T> nccl = RingEmulation<T>::nccl(terms.array);
  const std::vector<T> open_mpi = RingEmulation<T>::open_mpi(terms.array);
  std::set<std::size_t> chunks{0, n / 2, n - 1};
  for (std::size_t chunk = 0; n <= 40 && chunk < n; ++chunk) chunks.insert(chunk);
  for (const std::size_t chunk : chunks) {
    CAPTURE(chunk);
    CHECK(terms.sum(call("nccl_ring", chunk)) == bits_of(nccl[chunk]));
    CHECK(terms.sum(call("ompi_ring", chunk)) == bits_of(open_mpi[chunk]));
    if (bits_of(nccl[chunk]) != bits_of(open_mpi[chunk])) ++ends_differ;
  }
  CHECK(terms.sum("nccl_ring") == bits_of(nccl[0]));
  CHECK(terms.sum("ompi_ring") == bits_of(open_mpi[0]));
}

template <class T>
void compare_trees(const Terms<T>& terms, std::size_t& trees_differ, std::size_t& patterns_differ) {
  const std::size_t n = terms.array.size();
  const auto sum = [&](std::size_t gpus, const std::string& tree, const std::string& pattern) {
    const std::string order = "nccl_tree(" + std::to_string(gpus) + "," + tree + "," + pattern + ")";
    CAPTURE(order);
    const std::uint64_t bits = terms.sum(order);
    CHECK(bits == bits_of(TreeEmulation(n, gpus, tree, pattern).sum(terms.array)));
    return bits;
  };
  for (const std::size_t gpus : {1u, 2u, 3u, 4u, 8u, 2000u}) {
    std::set<std::uint64_t> of_tree;
    for (const char* tree : {"first", "second"}) {
      std::set<std::uint64_t> of_pattern;
      for (const char* pattern : {"balanced", "split", "tree"}) of_pattern.insert(sum(gpus, tree, pattern));
      if (of_pattern.size() == 3) ++patterns_differ;
      of_tree.merge(of_pattern);
    }
    if (of_tree.size() > 3) ++trees_differ;
  }
  CHECK(terms.sum("nccl_tree") == sum(8, "first", "balanced"));
}

template <class T>
void compare_reduces(const Terms<T>& terms, std::size_t& orders_differ) {
  using Tree = ReduceEmulation::Tree;
  const std::size_t n = terms.array.size();
  std::vector<T> from_last(terms.array.rbegin(), terms.array.rend());
  T linear = from_last.front();
  for (std::size_t i = 1; i < n; ++i) linear = linear + from_last[i];
  CHECK(terms.sum("ompi_linear") == bits_of(linear));
  CHECK(terms.sum("ompi_in_order") == bits_of(ReduceEmulation(n, Tree::in_order).sum(terms.array)));
  for (const std::size_t root : std::set<std::size_t>{0, n / 3, n - 1}) {
    CAPTURE(root);
    std::vector<T> from_root = terms.array;
    std::rotate(from_root.begin(), from_root.begin() + static_cast<std::ptrdiff_t>(root), from_root.end());
    std::set<std::uint64_t> sums;
    const auto compare = [&](const char* order, Tree tree) {
      const std::uint64_t bits = terms.sum(call(order, root));
      CHECK(bits == bits_of(ReduceEmulation(n, tree).sum(from_root)));
      sums.insert(bits);
    };
    compare("ompi_binary", Tree::binary);
    compare("mpi_binomial", Tree::binomial);
    compare("ompi_chain", Tree::chain);
    if (sums.size() == 3) ++orders_differ;
  }
}

/// Element e of rank r is term r + e, so that the elements have sums of their own.
template <class T>
std::vector<std::vector<T>> vectors(const std::vector<T>& x, std::size_t elements) {
  std::vector<std::vector<T>> ranks(x.size());
  for (std::size_t rank = 0; rank < x.size(); ++rank)
    for (std::size_t e = 0; e < elements; ++e) ranks[rank].push_back(x[(rank + e) % x.size()]);
  return ranks;
}

template <class T>
void compare_doubling(const Terms<T>& terms, std::size_t& elements_differ) {
  constexpr std::size_t kElements = 5;
  const auto ranks = vectors(terms.array, kElements);
  const std::vector<T> scattered = DoublingEmulation<T>::reduce_scatter(ranks);
  const auto doubled = DoublingEmulation<T>::recursive_doubling(ranks);
  std::set<std::uint64_t> sums;
  for (std::size_t e = 0; e < kElements; ++e) {
    CAPTURE(e);
    std::vector<double> numbers = terms.numbers;
    std::rotate(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(e % numbers.size()), numbers.end());
    const Terms<T> element(numbers);
    const std::uint64_t bits = element.sum("mpi_recursive_doubling");
    for (const auto& rank : doubled) CHECK(bits == bits_of(rank[e]));  // all have the same bits
    CHECK(element.sum("mpi_rabenseifner") == bits_of(scattered[e]));
    CHECK(bits_of(scattered[e]) == bits);
    sums.insert(bits);
  }
  if (sums.size() > 1) ++elements_differ;
}

std::string all_reduce_shape(const std::string& order, std::size_t n) {
  const TypedTerms terms(Format::fp64, std::vector<double>(n, 1));
  return text_of(Evaluator::make(parse_order(order), terms.view(), {}, 1)->tree(0));
}

/// Calls compare(terms) for telling and for troublesome terms of every number of ranks.
template <class T, class Compare>
void for_all_ranks(std::uint64_t seed, Compare compare) {
  for (const std::size_t ranks : rank_counts()) {
    ++seed;
    CAPTURE(info(kFormatOf<T>).name);
    CAPTURE(ranks);
    CAPTURE(seed);
    for (const Terms<T>& terms : draw_terms<T>(seed, ranks)) compare(terms);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("ring all-reduces add as their ranks do, each chunk in its own order", T, double, float, Half,
                   Bfloat16) {
  std::size_t ends_differ = 0;
  for_all_ranks<T>(70'000, [&](const Terms<T>& terms) { compare_rings(terms, ends_differ); });
  CHECK(ends_differ > 100);  // else the terms do not tell where a ring starts
}

TEST_CASE_TEMPLATE("NCCL's trees add as their ranks do, in every pattern", T, double, float, Half, Bfloat16) {
  std::size_t trees_differ = 0;
  std::size_t patterns_differ = 0;
  for_all_ranks<T>(80'000, [&](const Terms<T>& terms) { compare_trees(terms, trees_differ, patterns_differ); });
  CHECK(trees_differ > 50);
  CHECK(patterns_differ > 20);
}

TEST_CASE_TEMPLATE("recursive doubling and Rabenseifner's all-reduce give every rank the same bits", T, double, float,
                   Half, Bfloat16) {
  std::size_t elements_differ = 0;
  for_all_ranks<T>(90'000, [&](const Terms<T>& terms) { compare_doubling(terms, elements_differ); });
  CHECK(elements_differ > 50);
}

TEST_CASE_TEMPLATE("MPI_Reduce adds as its ranks do, to any root", T, double, float, Half, Bfloat16) {
  std::size_t orders_differ = 0;
  for_all_ranks<T>(95'000, [&](const Terms<T>& terms) { compare_reduces(terms, orders_differ); });
  CHECK(orders_differ > 50);
}

TEST_CASE("children of a rank are those of Open MPI's trees") {
  CHECK(all_reduce_shape("ompi_binary", 1) == "0");
  CHECK(all_reduce_shape("ompi_binary", 4) == "((0+(1+3))+2)");
  CHECK(all_reduce_shape("ompi_binary", 12) == "((0+((1+((3+7)+11))+(5+9)))+((2+(4+8))+(6+10)))");
  CHECK(all_reduce_shape("ompi_binary(2)", 4) == "((2+(3+1))+0)");
  CHECK(all_reduce_shape("mpi_binomial", 7) == "(((0+1)+(2+3))+((4+5)+6))");
  CHECK(all_reduce_shape("mpi_binomial", 5) == "(((0+1)+(2+3))+4)");
  CHECK(all_reduce_shape("mpi_binomial(root=1)", 3) == "((1+2)+0)");
  CHECK(all_reduce_shape("ompi_chain", 4) == "(((3+2)+1)+0)");
  CHECK(all_reduce_shape("ompi_chain(2)", 4) == "(((1+0)+3)+2)");
  CHECK(all_reduce_shape("ompi_linear", 4) == "(((3+2)+1)+0)");
  CHECK(all_reduce_shape("ompi_in_order", 2) == "(1+0)");
  CHECK(all_reduce_shape("ompi_in_order", 9) == "((8+((7+6)+(5+4)))+((3+2)+(1+0)))");
}

TEST_CASE("chunk c of NCCL's ring ends at rank c, block k of Open MPI's starts at rank k") {
  CHECK(all_reduce_shape("nccl_ring", 1) == "0");
  CHECK(all_reduce_shape("nccl_ring", 4) == "(((1+2)+3)+0)");
  CHECK(all_reduce_shape("nccl_ring(2)", 4) == "(((3+0)+1)+2)");
  CHECK(all_reduce_shape("nccl_ring(chunk=3)", 4) == "(((0+1)+2)+3)");
  CHECK(all_reduce_shape("ompi_ring", 4) == "(((0+1)+2)+3)");
  CHECK(all_reduce_shape("ompi_ring(block=3)", 4) == "(((3+0)+1)+2)");
}

TEST_CASE("a host is a chain from its end, and child hosts send to the ranks of the pattern") {
  CHECK(all_reduce_shape("nccl_tree", 1) == "0");
  CHECK(all_reduce_shape("nccl_tree", 4) == "(0+(1+(2+3)))");
  CHECK(all_reduce_shape("nccl_tree(1)", 4) == "(0+((2+1)+3))");
  CHECK(all_reduce_shape("nccl_tree(1,second)", 4) == "(3+((1+2)+0))");
  CHECK(all_reduce_shape("nccl_tree(1,second)", 5) == "(1+(0+((3+2)+4)))");
  CHECK(all_reduce_shape("nccl_tree(2)", 4) == "((0+1)+(2+3))");
  CHECK(all_reduce_shape("nccl_tree(2)", 8) == "((0+1)+((4+(5+(2+3)))+(6+7)))");
  CHECK(all_reduce_shape("nccl_tree(2,pattern=split)", 8) == "(0+(1+(4+((5+(2+3))+(6+7)))))");
  CHECK(all_reduce_shape("nccl_tree(2,pattern=tree)", 8) == "((0+1)+(((4+5)+(2+3))+(6+7)))");
  CHECK(all_reduce_shape("nccl_tree(2,second)", 3) == "(2+(0+1))");
}

TEST_CASE("pairs of the first ranks are added until a power of two is left") {
  CHECK(all_reduce_shape("mpi_recursive_doubling", 1) == "0");
  CHECK(all_reduce_shape("mpi_recursive_doubling", 4) == "((0+1)+(2+3))");
  CHECK(all_reduce_shape("mpi_recursive_doubling", 5) == "(((0+1)+2)+(3+4))");
  CHECK(all_reduce_shape("mpi_recursive_doubling", 7) == "(((0+1)+(2+3))+((4+5)+6))");
  CHECK(all_reduce_shape("mpi_rabenseifner", 7) == all_reduce_shape("mpi_recursive_doubling", 7));
  CHECK(all_reduce_shape("power_of_two | halving(4)", 6) == "(((0+1)+4)+((2+3)+5))");
}

TEST_CASE("ranks may add terms of their own first") {
  CHECK(all_reduce_shape("chunks(3) | nccl_ring(1)", 7) == "(((5+6)+((0+1)+2))+(3+4))");
  CHECK(all_reduce_shape("strided(3) | mpi_recursive_doubling", 6) == "(((0+3)+(1+4))+(2+5))");
}

TEST_CASE("a chunk that no rank has is refused, and says which there are") {
  const auto complaint = [](const std::string& order, std::size_t ranks) {
    try {
      parse_order(order).check(ranks, false, Format::fp32);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(complaint("nccl_ring(3)", 4) == "none");
  CHECK(complaint("nccl_ring(4)", 4) ==
        "rotate(4): there is no rank or chunk of that number among 4 partial sums; k must be from 0 to 3");
  CHECK(complaint("ompi_ring(1)", 1) ==
        "rotate(1): there is no rank or chunk of that number among 1 partial sums; k must be 0");
  CHECK(complaint("mpi_binomial(4)", 4) == complaint("nccl_ring(4)", 4));
  CHECK(complaint("chunks(4) | ompi_ring(4)", 100) == complaint("nccl_ring(4)", 4));
  CHECK(complaint("ompi_ring(18446744073709551615)", 4).starts_with("rotate(18446744073709551615): "));
  CHECK_THROWS_WITH_AS(parse_order("nccl_tree(0)"),
                       "order 'nccl_tree(0)': position 11: nccl_tree: gpus 0: must be at least 1", Error);
  CHECK_THROWS_WITH_AS(parse_order("nccl_tree(8,third)"),
                       "order 'nccl_tree(8,third)': position 13: nccl_tree: tree third: no such choice; known: first "
                       "second",
                       Error);
}
