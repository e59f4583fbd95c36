#include "box/child_box.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "box/one_line.hpp"
#include "core/float_environment.hpp"
#include "core/text.hpp"

namespace orderlab {

ChildBox::ChildBox(const std::string& name, const BoxLimits& limits, const BoxSetting& setting)
    : name_(one_line(name)), limits_(limits), setting_(setting) {}

double ChildBox::sum(const TermView& terms) {
  double result = 0;
  sums({&terms, 1}, {&result, 1});
  return result;
}

void ChildBox::sums(std::span<const TermView> inputs, std::span<double> results) {
  const FloatEnvironment environment;
  assert(inputs.size() == results.size());
  if (failure_) std::rethrow_exception(failure_);
  try {
    answer(inputs, results);
  } catch (const std::exception&) {
    failure_ = std::current_exception();
    child_.reset();
    throw;
  }
}

void ChildBox::fail(const std::string& problem) const {
  throw Error(ErrorKind::input, name_ + ": " + problem + few_files_hint());
}

bool ChildBox::wait(std::span<pollfd> files, const Deadline& limit, const std::string& hint) {
  switch (child_->wait(files, limit)) {
    case Child::Wake::ready:
      return true;
    case Child::Wake::exited:
      return false;
    case Child::Wake::stopped:
      fail("stopped before it answered");
    default:
      fail("no answer within " + shortest(limits_.seconds) + " s" + hint);
  }
}

void ChildBox::fail_exited(const std::string& where) { fail(child_->ending(where)); }

Deadline ChildBox::deadline() const {
  constexpr double kLongest = 1e9;  // 30 years, which the clock can still count
  const std::chrono::duration<double> limit(std::min(limits_.seconds, kLongest));
  return {std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit),
          limits_.stop};
}

}  // namespace orderlab
