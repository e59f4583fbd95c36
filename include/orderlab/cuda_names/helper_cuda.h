// Helpers of CUDA's samples: checks of errors, and the choice of a device.
#pragma once

#include "cuda_runtime.h"
#include "helper_string.h"

// NOLINTBEGIN(readability-identifier-naming): the names are those of CUDA's samples
template <class T>
void check(T result, const char* function, const char* file, int line) {
  if (!result) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d \"%s\" \n", file, line, static_cast<int>(result), function);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) orderlab_check_last(text, __FILE__, __LINE__)
#define printLastCudaError(text) orderlab_check_last(text, __FILE__, __LINE__)
inline void orderlab_check_last(const char* text, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s(%d) : %s : (%d) %s.\n", file, line, text, static_cast<int>(error), cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
inline int _ConvertSMVer2Cores(int, int) { return 64; }
inline const char* _ConvertSMVer2ArchName(int, int) { return "Ampere"; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int gpuDeviceInit(int) { return 0; }
inline int findCudaDevice(int, const char**) {
  const cudaDeviceProp properties;
  printf("GPU Device 0: \"%s\" with compute capability %d.%d\n\n", properties.name, properties.major, properties.minor);
  return 0;
}
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) {
  const cudaDeviceProp properties;
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
inline int ftoi(float value) { return value >= 0 ? static_cast<int>(value + 0.5F) : static_cast<int>(value - 0.5F); }
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
// NOLINTEND(readability-identifier-naming)
