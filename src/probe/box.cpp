#include <utility>

#include "orderlab/probe.hpp"

namespace orderlab {

namespace {

class FunctionBox : public Box {
 public:
  explicit FunctionBox(std::function<double(const TermView&)> sum) : sum_(std::move(sum)) {}

  double sum(const TermView& terms) override { return sum_(terms); }

 private:
  std::function<double(const TermView&)> sum_;
};

}  // namespace

void Box::sums(std::span<const TermView> inputs, std::span<double> results) {
  for (std::size_t i = 0; i < inputs.size(); ++i) results[i] = sum(inputs[i]);
}

BoxMaker function_box(std::string name, std::function<double(const TermView&)> sum, bool products) {
  return {std::move(name), products,
          [sum = std::move(sum)](const BoxSetting&) { return std::make_unique<FunctionBox>(sum); }};
}

}  // namespace orderlab
