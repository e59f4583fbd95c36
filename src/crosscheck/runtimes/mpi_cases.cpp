#include "crosscheck/runtimes/mpi_cases.hpp"

#include <algorithm>
#include <bit>

namespace orderlab {

namespace {

const std::vector<std::size_t> kRanks{2, 3, 4, 5, 7, 8, 13, 17};  // and every number up to 17 in full
constexpr std::size_t kMostRanksInFull = 17;
const std::vector<std::size_t> kCounts{1, 2, 3, 7, 100, 600, 1000, 1500, 10000};
const std::vector<std::size_t> kLongCounts{1, 40000, 70000, 140000};  // in full
constexpr std::size_t kRanksOfLong = 8;
const std::vector<std::size_t> kForcedCounts{1, 3, 100, 1000};
constexpr std::size_t kCalls = 2;
constexpr std::size_t kCallsInFull = 6;  // a library may change its algorithm after a few on one communicator

std::vector<OrderPart> parts_of(MpiOrder order, const MpiMessage& m) {
  const std::string root = "(" + std::to_string(m.root) + ")";
  switch (order) {
    case MpiOrder::linear:
      return {{0, "ompi_linear"}};
    case MpiOrder::chain:
      return {{0, "ompi_chain" + root}};
    case MpiOrder::binary:
      return {{0, "ompi_binary" + root}};
    case MpiOrder::binomial:
      return {{0, "mpi_binomial" + root}};
    case MpiOrder::in_order:
      return {{0, "ompi_in_order"}};
    case MpiOrder::recursive_doubling:
      return {{0, "mpi_recursive_doubling"}};
    case MpiOrder::rabenseifner:
      return {{0, "mpi_rabenseifner"}};
    case MpiOrder::ring:
      break;
  }
  std::vector<OrderPart> blocks;  // the first ones have an element more
  std::size_t first = 0;
  for (std::size_t block = 0; block < m.ranks; ++block) {
    blocks.push_back({first, "ompi_ring(" + std::to_string(block) + ")"});
    first += m.count / m.ranks + (block < m.count % m.ranks ? 1 : 0);
  }
  return blocks;
}

std::string rule_of(MpiOrder order) {
  static constexpr const char* kRules[] = {"ompi_linear",        "ompi_chain(root)", "ompi_binary(root)",
                                           "mpi_binomial(root)", "ompi_in_order",    "mpi_recursive_doubling",
                                           "mpi_rabenseifner",   "ompi_ring(block)"};
  return kRules[static_cast<std::size_t>(order)];
}

RuntimeCase mpi_case(bool all, const std::string& label, Format format, MpiMessage message, MpiChoice choice) {
  message.bytes = message.count * (static_cast<std::size_t>(info(format).bits) / 8);
  const MpiOrder order = choice(message);
  RuntimeCase one;
  one.call = all ? "MPI_Allreduce" : "MPI_Reduce";
  one.label = label.empty() ? one.call : one.call + ", " + label;
  one.format = format;
  one.n = message.ranks;
  one.outputs = message.count;
  one.workers = message.ranks;
  one.parameter = message.root;
  one.rule = rule_of(order);
  one.orders = parts_of(order, message);
  for (const MpiOrder other :
       {MpiOrder::linear, MpiOrder::chain, MpiOrder::binary, MpiOrder::binomial, MpiOrder::recursive_doubling})
    one.others.push_back(parts_of(other, message).front().order);
  return one;
}

RuntimeSetting setting_of(const RuntimeScope& scope, const std::vector<std::string>& launcher,
                          const MpiAlgorithm& algorithm, std::size_t ranks, std::size_t root,
                          const std::vector<std::size_t>& counts) {
  RuntimeSetting setting;
  setting.launcher = launcher;
  setting.launcher.insert(setting.launcher.end(), algorithm.arguments.begin(), algorithm.arguments.end());
  setting.launcher.insert(setting.launcher.end(), {"-np", std::to_string(ranks)});
  setting.environment = algorithm.environment;
  for (const bool all : {false, true})
    if (const MpiChoice choice = all ? algorithm.allreduce : algorithm.reduce)
      for (const Format format : scope.formats)
        for (const std::size_t count : counts)
          setting.cases.push_back(mpi_case(all, algorithm.label, format, {ranks, count, 0, root}, choice));
  for (RuntimeCase& one : setting.cases) one.calls = scope.full && algorithm.label.empty() ? kCallsInFull : kCalls;
  return setting;
}

}  // namespace

bool MpiMessage::fills_power_of_two() const { return count >= std::bit_floor(ranks); }

std::vector<RuntimeSetting> mpi_settings(const RuntimeScope& scope, std::size_t most_ranks,
                                         const std::vector<std::string>& launcher, const MpiAlgorithm& chosen,
                                         const std::vector<MpiAlgorithm>& forced) {
  std::vector<std::size_t> all_ranks;
  for (std::size_t ranks = 2; ranks <= (scope.full ? kMostRanksInFull : most_ranks); ++ranks)
    if (scope.full || std::find(kRanks.begin(), kRanks.end(), ranks) != kRanks.end()) all_ranks.push_back(ranks);
  std::vector<RuntimeSetting> settings;
  for (const std::size_t ranks : all_ranks) {
    const std::vector<std::size_t>& counts = scope.sizes.empty() ? kCounts : scope.sizes;
    const std::size_t root = std::min<std::size_t>(2, ranks - 1);
    settings.push_back(setting_of(scope, launcher, chosen, ranks, root, counts));
    if (!scope.full) continue;
    settings.push_back(setting_of(scope, launcher, chosen, ranks, 0,
                                  scope.sizes.empty() && ranks <= kRanksOfLong ? kLongCounts : counts));
    if (std::find(kRanks.begin(), kRanks.end(), ranks) == kRanks.end()) continue;
    for (const MpiAlgorithm& algorithm : forced)
      settings.push_back(
          setting_of(scope, launcher, algorithm, ranks, ranks - 1, scope.sizes.empty() ? kForcedCounts : scope.sizes));
  }
  return settings;
}

}  // namespace orderlab
