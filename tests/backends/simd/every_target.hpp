/// Repeats a test on every instruction set this build and this processor have.
#pragma once

#include <gtest/gtest.h>

#include "backends/simd/tiles/enabled_targets.hpp"

#include <hwy/targets.h>

namespace gpcv::simd {

template <class Test>
void on_every_target(const Test& test) {
  // hwy::SupportedTargets is what the processor has; those of them compiled in are HWY_TARGETS.
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    test();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace gpcv::simd
