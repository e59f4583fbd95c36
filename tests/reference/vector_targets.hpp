// Every vector extension that this machine has and this program was compiled for, one after the other.
#pragma once

#include <hwy/targets.h>

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

}  // namespace orderlab::testing
