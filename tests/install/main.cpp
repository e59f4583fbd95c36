// Uses the installed library: three questions about three doubles, whose exact sum is not 0 though it looks like it.
#include <iostream>
#include <orderlab/study/check.hpp>
#include <orderlab/study/enumerate.hpp>
#include <orderlab/study/sample.hpp>

int main() {
  using namespace orderlab;
  const study::Input input = study::given_input({0.1, 0.2, -0.3});
  const double left_to_right = study::sum(input, {.order = parse_order("sequential")}).value();
  const auto all = study::enumerate(input, {.order = parse_order("random")});
  const auto judged = study::check(input, {.order = parse_order("random"), .results = {left_to_right, 1}});
  std::cout << input.facts.exact.decimal(17) << '\n';
  const bool good = input.facts.exact.decimal(17) == "2.7755575615628914e-17" &&  // 2^-55
                    left_to_right == 0.1 + 0.2 - 0.3 && all->order.enumeration.orders == 6 &&
                    judged->result.values[0].verdict == Verdict::explained &&
                    judged->result.values[1].verdict == Verdict::impossible;
  return good ? 0 : 1;
}
