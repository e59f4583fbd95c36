// Every vector extension that this machine has and this program was compiled for, one after the other.
#pragma once

#include <doctest/doctest.h>
#include <hwy/highway.h>

#include <cstdint>

namespace orderlab::testing {

/// While it lives, code that is dispatched at run time takes `target`, an HWY_* bit.
class OnTarget {
 public:
  explicit OnTarget(std::int64_t target) { choose(target); }
  OnTarget(const OnTarget&) = delete;
  OnTarget& operator=(const OnTarget&) = delete;
  ~OnTarget() { choose(0); }

 private:
  static void choose(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Calls check() on each of them.
template <class Check>
void on_each_target(Check check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    const OnTarget on(target);
    check();
  }
}

}  // namespace orderlab::testing
