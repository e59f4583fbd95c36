// Dynamic shared memory of any type.
#pragma once

namespace orderlab::cuda {

/// The dynamic shared memory of this thread block, as an array of T.
template <class T>
__device__ T* dynamic_shared_array() {
  extern __shared__ __align__(16) unsigned char dynamic_shared[];
  return reinterpret_cast<T*>(dynamic_shared);
}

}  // namespace orderlab::cuda
