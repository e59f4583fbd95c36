#include "order/each.hpp"

#include <span>
#include <string>
#include <utility>

#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

Steps steps_of_each(const std::vector<StageCall>& each, std::size_t m, Format accumulate, bool add_all) {
  if (m == 0) return {};
  std::vector<Step> all;
  for (const StageCall& call : each) {
    const Steps steps = describe(call, m, accumulate);
    all.insert(all.end(), steps.begin(), steps.end());
    m = count_left(steps, m);
  }
  if (add_all && m > 1) all.push_back(steps::add_runs(m));
  return {std::move(all)};
}

namespace {

// A Within has the first chunks, of one size, and all others in its rest.
Steps reduce_chunks(const std::vector<StageCall>& each, std::span<const EqualChunks> chunks, Format accumulate,
                    bool add_all) {
  while (!chunks.empty() && chunks.front().count * chunks.front().size == 0) chunks = chunks.subspan(1);
  if (chunks.empty()) return {};
  const auto [count, size] = chunks.front();
  return {{steps::Within{.size = size,
                         .full = steps_of_each(each, size, accumulate, add_all),
                         .rest = reduce_chunks(each, chunks.subspan(1), accumulate, add_all),
                         .runs = count}}};
}

}  // namespace

Step reduce_each(const std::vector<StageCall>& each, const std::vector<EqualChunks>& chunks, Format accumulate,
                 bool add_all) {
  return reduce_chunks(each, chunks, accumulate, add_all).front();
}

void check_each(const std::vector<StageCall>& each, std::size_t m, std::string_view stage) {
  bool reduced = false;
  for (const StageCall& call : each) {
    if (call.stage->check_count != nullptr) call.stage->check_count(call.arguments, m);
    const Steps steps = describe(call, m, Format::fp64);
    if (reduced && fuses(steps))
      throw Error(ErrorKind::usage, std::string(stage) + ": each=" + Order({}, each).expression() +
                                        " has acc=fma after another reducing stage, where no products are left; move "
                                        "it to the first one");
    m = count_left(steps, m);
    reduced = reduced || call.stage->reduces;
  }
}

}  // namespace orderlab
