#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/program.hpp"
#include "orderlab/error.hpp"
#include "orderlab/graph_sage.hpp"

using namespace orderlab;
using orderlab::cli::TemporaryFolder;

namespace {

/// A .npy file of 32-bit integers.
std::string npy(const std::string& shape, const std::vector<std::int32_t>& numbers) {
  std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int32_t));
  return bytes;
}

void write_graph() {
  TemporaryFolder::write("labels.npy", npy("4,", {0, 1, 2, 1}));
  TemporaryFolder::write("split.npy", npy("4,", {1, 3, 2, 0}));
  TemporaryFolder::write("edges.npy", npy("2, 3", {1, 2, 3, 0, 0, 3}));
  TemporaryFolder::write("features.npy", npy("2, 4", {0, 0, 3, 0, 1, 4, 0, 1}));
}

}  // namespace

TEST_CASE("a graph is read as its files have it") {
  const TemporaryFolder folder;
  write_graph();
  const NodeGraph graph = read_graph(".");
  CHECK(graph.nodes == 4);
  CHECK(graph.classes == 3);
  CHECK(graph.source == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(graph.target == std::vector<std::uint32_t>{0, 0, 3});
  CHECK(graph.features.columns == 5);
  CHECK(graph.features.row_begin == std::vector<std::uint32_t>{0, 2, 2, 2, 3});
  CHECK(graph.features.column == std::vector<std::uint32_t>{1, 4, 0});
  CHECK(graph.features.value == std::vector<float>{2, 1, 1});
  CHECK(graph.label == std::vector<std::uint32_t>{0, 1, 2, 1});
  CHECK(graph.count(NodeUse::train) == 1);
  CHECK(graph.count(NodeUse::unused) == 1);
  CHECK(graph.hash() == read_graph(".").hash());
}

TEST_CASE("a file that does not fit is named with what is wrong") {
  const auto refuses = [](const char* file, const std::string& content, const char* message) {
    const TemporaryFolder folder;
    write_graph();
    TemporaryFolder::write(file, content);
    CHECK_THROWS_WITH_AS(read_graph("."), message, Error);
  };
  refuses("labels.npy", npy("4,", {0, 1, -2, 1}),
          "./labels.npy: number 2 is -2; a class (fewer than nodes) must be at least 0 and below 4");
  refuses("labels.npy", npy("2, 2", {0, 1, 2, 1}), "./labels.npy: has shape 2x2; it must be one number for each node");
  refuses("split.npy", npy("3,", {1, 2, 3}), "./split.npy: has shape 3; it must be that of labels.npy");
  refuses("split.npy", npy("4,", {1, 2, 3, 4}),
          "./split.npy: number 3 is 4; 0 unused, 1 train, 2 validation, 3 test: it must be at least 0 and below 4");
  refuses("split.npy", npy("4,", {1, 1, 1, 1}),
          "./split.npy: has no node of use 2; some must train (1), validate (2) and test (3)");
  refuses("edges.npy", npy("6,", {1, 2, 3, 0, 0, 3}), "./edges.npy: has shape 6; it must be 2 x edges");
  refuses("edges.npy", npy("2, 3", {1, 2, 4, 0, 0, 3}),
          "./edges.npy: number 2 is 4; a node must be at least 0 and below 4");
  refuses("features.npy", npy("2, 1", {0, -1}),
          "./features.npy: number 1 is -1; a feature must be at least 0 and below 0");
}

TEST_CASE("a missing file is named") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(read_graph("."), Error);
}

TEST_CASE("communities: edges in both directions, sorted, mostly inside; nodes split as asked") {
  const Communities what{.nodes = 600, .classes = 4, .features = 40, .degree = 6, .own = 0.7, .seed = 3};
  const NodeGraph graph = planted_communities(what);
  CHECK(graph.hash() == planted_communities(what).hash());
  CHECK(graph.hash() !=
        planted_communities({.nodes = 600, .classes = 4, .features = 40, .degree = 6, .seed = 4}).hash());
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::size_t inside = 0;
  for (std::size_t e = 0; e < graph.source.size(); ++e) {
    edges.emplace(graph.source[e], graph.target[e]);
    if (graph.label[graph.source[e]] == graph.label[graph.target[e]]) ++inside;
  }
  CHECK(edges.size() == graph.source.size());
  for (const auto& [source, target] : edges) CHECK(edges.contains({target, source}));
  CHECK(std::is_sorted(graph.target.begin(), graph.target.end()));
  // 0.7 drawn from the own community, a quarter of the others by chance: 0.775; sd of the share below 0.013
  const double share = static_cast<double>(inside) / static_cast<double>(graph.source.size());
  CHECK(share > 0.775 - 5 * 0.013);
  CHECK(share < 0.775 + 5 * 0.013);
  CHECK(graph.count(NodeUse::train) == 80);
  CHECK(graph.count(NodeUse::validation) + graph.count(NodeUse::test) + graph.count(NodeUse::unused) == 520);
  CHECK(graph.count(NodeUse::test) > 100);
}

TEST_CASE("communities that cannot be are refused") {
  CHECK_THROWS_AS(planted_communities({.nodes = 10, .classes = 1}), Error);
  CHECK_THROWS_AS(planted_communities({.nodes = 100, .classes = 5, .train_each = 20}), Error);
  CHECK_THROWS_AS(planted_communities({.own = 1.5}), Error);
  CHECK_THROWS_AS(planted_communities({.degree = -1}), Error);
}
