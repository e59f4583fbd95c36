template <class T> __global__ void k(T* x) { extern __shared__ T s[]; __syncthreads(); }
#define L(f) f<<<1, \
  2>>>(x)
int main() { dim3 gridDim(2); k<float><<<gridDim, 4, 5 >> 1>>>(x); L(k); }
