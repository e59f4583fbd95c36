#include "crosscheck/usual_orders.hpp"

#include <string>

#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

std::string followed(const std::string& stage) { return stage.empty() ? "" : stage + " | "; }

// What a thread adds.
std::vector<std::string> of_threads(const LaunchShape& shape, const std::string& grid, const std::string& accumulate) {
  const std::string items = std::to_string(shape.items);
  const bool one_term = shape.items == 1 && shape.grid == 0;
  std::vector<std::string> stages;
  if (one_term) stages.emplace_back();
  if (!one_term || !accumulate.empty()) stages.push_back("tile(" + grid + accumulate + ")");
  if (shape.items > 1) stages.push_back("seq(" + items + accumulate + ")");
  return stages;
}

// What a warp or a thread block adds.
std::vector<std::string> of_blocks(unsigned threads) {
  const std::string b = std::to_string(threads);
  std::vector<std::string> stages{"halving(" + b + ")", "adjacent(" + b + ")"};
  if (threads > kWarp) {
    const std::string warps = std::to_string((threads + kWarp - 1) / kWarp);
    stages.push_back("halving(32) | halving(" + warps + ")");
    stages.push_back("adjacent(32) | adjacent(" + warps + ")");
    stages.emplace_back("halving(32)");
    stages.emplace_back("adjacent(32)");
  }
  stages.emplace_back();
  return stages;
}

// Trees of 96 threads are none.
void add_if_valid(const std::string& text, std::vector<WrittenOrder>& orders) {
  try {
    orders.push_back({text, parse_order(text)});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
  }
}

}  // namespace

std::vector<WrittenOrder> usual_orders(const LaunchShape& shape, bool products) {
  const std::string b = std::to_string(shape.threads);
  std::string grid = b + "," + std::to_string(shape.items);
  if (shape.grid != 0) grid += "," + std::to_string(shape.grid);
  std::vector<std::string> texts;
  for (const std::string& accumulate :
       products ? std::vector<std::string>{",acc=fma", ""} : std::vector<std::string>{""}) {
    for (const std::string& thread : of_threads(shape, grid, accumulate))
      for (const std::string& block : of_blocks(shape.threads)) {
        texts.push_back(followed(thread) + followed(block) + "seq(from=zero)");
        if (!block.empty())
          texts.push_back(followed(thread) + followed(block) + "strided(" + b + ",from=zero) | " + block);
      }
  }
  texts.push_back("tprc_neumaier(" + grid + ")");
  std::vector<WrittenOrder> orders;
  for (const std::string& text : texts) add_if_valid(text, orders);
  return orders;
}

}  // namespace orderlab
