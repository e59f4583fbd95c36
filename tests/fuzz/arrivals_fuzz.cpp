// Arrival models: what is printed is parsed to the same, and every draw is a permutation.
#include <vector>

#include "fuzz/fuzz.hpp"
#include "order/resolve.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/order.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(arrivals) {
  Choices choices(input);
  const std::size_t m = 1 + choices.below(200);
  const std::uint64_t sample = choices.word(2);
  const ArrivalCall call = parse_arrival(std::string(choices.text()));
  const std::string text = to_string(call);
  if (text.find("xxh3:") == std::string::npos)  // a file stands as its hash
    require_equal("the canonical text and what is read from it", text,
                  accepted("the canonical text", [&] { return to_string(parse_arrival(text)); }));
  call.model->check(*call.arguments, m);
  std::vector<std::uint32_t> order(m);
  call.model->draw(*call.arguments, RandomStream(1, streams::kFirstStage, sample), order);
  std::vector<bool> arrived(m);
  for (const std::uint32_t unit : order) {
    require(unit < m && !arrived[unit], "an arrival order is a permutation");
    arrived[unit] = true;
  }
  if (m < 2) return;
  const double tau = kendall_tau(order);
  require(tau >= -1 && tau <= 1, "Kendall's tau lies in [-1, 1]");
}
