// Threads without an order that write to one place, as the argument says: equal values are a note, all else is a fault.
#include <stdio.h>
#include <string.h>

__global__ void mark(bool* changed) { *changed = true; }  // MARK

// Each thread reads behind its own write, as a loop `for (...; !found; ...)` does.
__global__ void search(const int* x, int wanted, int* at) {
  __shared__ bool found;
  found = false;  // RESET
  for (int i = threadIdx.x; i < 256 && !found; i += blockDim.x) {
    __syncthreads();
    if (x[i] == wanted) {
      atomicMax(at, i);
      found = true;  // FOUND
    }
    __syncthreads();
  }
}

__global__ void number(int* x) { *x = threadIdx.x / 32; }  // NUMBER

__global__ void look(int* x, int* seen) {
  if (threadIdx.x < 32)
    *x = 1;
  else
    *seen = *x;  // LOOK
}

// The second value comes behind one of the equal ones, but not behind the other.
__global__ void change(int* x) {
  if (threadIdx.x % 32 == 0) *x = 1;
  if (threadIdx.x == 32) *x = 2;  // CHANGE
}

// The threads share the first number only.
__global__ void part(float4* x) {
  if (threadIdx.x == 0) x->x = 1;
  if (threadIdx.x == 32) *x = make_float4(1, 2, 3, 4);  // PART
}

__global__ void exchange(int* x) {
  if (threadIdx.x == 0) atomicExch(x, 1);
  if (threadIdx.x == 32) *x = 1;  // EXCHANGE
}

int main(int, char** argv) {
  auto is = [&](const char* name) { return strcmp(argv[1], name) == 0; };
  int *x, *out, h_x[256], h_out[4];
  for (int i = 0; i < 256; i++) h_x[i] = i % 32;
  cudaMalloc(&x, sizeof h_x);
  cudaMalloc(&out, sizeof h_out);
  cudaMemcpy(x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof h_out);
  if (is("mark"))
    for (int i = 0; i < 3; i++) mark<<<4, 64>>>((bool*)out);
  if (is("status")) mark<<<4, 64>>>((bool*)out);
  if (is("search")) search<<<2, 64>>>(x, 8, out);
  if (is("number")) number<<<1, 64>>>(out);
  if (is("more")) mark<<<64, 64>>>((bool*)out);
  if (is("look")) look<<<1, 64>>>(out, out + 1);
  if (is("change")) change<<<1, 64>>>(out);
  if (is("part")) part<<<1, 64>>>((float4*)out);
  if (is("exchange")) exchange<<<1, 64>>>(out);
  cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost);
  printf("first %d\n", h_out[0]);
  cudaFree(x);
  cudaFree(out);
  return is("status") ? 4 : 0;
}
