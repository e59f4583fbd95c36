// When a command enumerates of its own accord.
#include "cli/enumerating.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>

#include "cli/program.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

/// An evaluator of so many partial sums that gives none of them away.
class Unread final : public Evaluator {
 public:
  Unread(const Order& order, std::size_t partial_sums) : Evaluator(order, {}, {}, 1) { random_count_ = partial_sums; }

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
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err};
  const auto ask = [&](std::size_t partial_sums) {
    return enumerate_if_quick(session, Unread(parse_order("random"), partial_sums), 0x1p30, 1, false);
  };
  const QuickEnumeration none = ask(kMostPartialSums + 1);
  CHECK(!none.all);
  CHECK(none.note.empty());
  CHECK_THROWS_AS(ask(kMostPartialSums), std::logic_error);
}

TEST_CASE("enumerate counts the partial sums before it looks for what else stands in the way") {
  const std::vector<std::string> compensated{"enumerate", "--order", "shuffle | seq(acc=kahan)", "--n"};
  const auto says = [&](const std::string& n, std::string_view why) {
    const Outcome outcome = run(compensated + std::vector<std::string>{n});
    CHECK(outcome.status == kFailed);
    CHECK(outcome.err.find(why) != std::string::npos);
  };
  says("10000", "acc=kahan keeps more state");
  says("10001", "10001 partial sums: at most 10000 can be enumerated");
}
