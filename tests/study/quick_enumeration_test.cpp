// When all orders are enumerated without being asked for.
#include "study/quick_enumeration.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "orderlab/order.hpp"

using namespace orderlab;
using namespace orderlab::study;

namespace {

/// An evaluator of so many partial sums that gives none of them away.
class Unread final : public Evaluator {
 public:
  Unread(const Order& order, std::size_t partial_sums) : Evaluator(compile(order, partial_sums, {}), {}, 1) {}

  std::optional<std::uint64_t> constant_height() const override { read(); }
  std::unique_ptr<Scratch> make_scratch() const override { read(); }
  Evaluation evaluate(std::uint64_t, Scratch&) const override { read(); }
  SummationTree tree(std::uint64_t) const override { read(); }
  std::vector<double> random_inputs() const override { read(); }
  Evaluation evaluate_arranged(std::span<const std::uint32_t>, Scratch&) const override { read(); }
  SummationTree tail_tree() const override { read(); }
  RunningError fixed_error() const override { read(); }

 private:
  [[noreturn]] static void read() { throw std::logic_error("read"); }
};

}  // namespace

TEST_CASE("whether orders are enumerated is asked of the number of partial sums before the partial sums are copied") {
  const auto ask = [&](std::size_t partial_sums) {
    return enumerate_if_quick(Unread(parse_order("random"), partial_sums), 0x1p30, 1, {});
  };
  const QuickEnumeration none = ask(kMostPartialSums + 1);
  CHECK(!none.all);
  CHECK(none.note.empty());
  CHECK_THROWS_AS(ask(kMostPartialSums), std::logic_error);
}
