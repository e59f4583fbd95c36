// A loop over neighbouring numbers in Highway's portable vectors, for files that are compiled once for each extension.
// Included like highway.h itself, once each time: after foreach_target.h.
#if defined(ORDERLAB_EACH_VECTOR_TARGET) == defined(HWY_TARGET_TOGGLE)  // an include guard for each extension
#ifdef ORDERLAB_EACH_VECTOR_TARGET
#undef ORDERLAB_EACH_VECTOR_TARGET
#else
#define ORDERLAB_EACH_VECTOR_TARGET
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

/// Calls step(tag, i) for vectors of numbers from i on, and with tags of one lane for the rest.
template <class T, class Step>
HWY_INLINE void each_vector(std::size_t n, Step step) {
  const hwy::HWY_NAMESPACE::ScalableTag<T> vectors;
  const std::size_t lanes = hwy::HWY_NAMESPACE::Lanes(vectors);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) step(vectors, i);
  for (; i < n; ++i) step(hwy::HWY_NAMESPACE::CappedTag<T, 1>(), i);
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#endif
