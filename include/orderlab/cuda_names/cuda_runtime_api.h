// CUDA's runtime API on the simulated GPUs of a host program. Long, as it is a list of names.
#pragma once

#include "orderlab/host_program.hpp"
#include "vector_types.h"

#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define CUDARTAPI
#define CUDART_CB

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()

// ---- Errors
#define ORDERLAB_CUDA_ERRORS(X) \
  X(cudaSuccess, 0, "no error") \
  X(cudaErrorInvalidValue, 1, "invalid argument") \
  X(cudaErrorMemoryAllocation, 2, "out of memory") \
  X(cudaErrorInitializationError, 3, "initialization error") \
  X(cudaErrorCudartUnloading, 4, "driver shutting down") \
  X(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool") \
  X(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()") \
  X(cudaErrorProfilerAlreadyStarted, 7, "profiler already started") \
  X(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped") \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol") \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer") \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer") \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference") \
  X(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer") \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor") \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
  X(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type") \
  X(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type") \
  X(cudaErrorStubLibrary, 34, "CUDA driver is a stub library") \
  X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  X(cudaErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver") \
  X(cudaErrorInvalidSurface, 37, "invalid surface reference") \
  X(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name") \
  X(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name") \
  X(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name") \
  X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable") \
  X(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context") \
  X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured") \
  X(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches") \
  X(cudaErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds " \
    "cudaLimitDevRuntimeSyncDepth") \
  X(cudaErrorLaunchPendingCountExceeded, 69, "launch failed because launch would exceed " \
    "cudaLimitDevRuntimePendingLaunchCount") \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
  X(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license") \
  X(cudaErrorStartupFailure, 127, "startup failure in cuda runtime") \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid") \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context") \
  X(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed") \
  X(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed") \
  X(cudaErrorArrayIsMapped, 207, "array is mapped") \
  X(cudaErrorAlreadyMapped, 208, "resource already mapped") \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  X(cudaErrorAlreadyAcquired, 210, "resource already acquired") \
  X(cudaErrorNotMapped, 211, "resource not mapped") \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered") \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture") \
  X(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread") \
  X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
  X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed") \
  X(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context") \
  X(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution") \
  X(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found") \
  X(cudaErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain.") \
  X(cudaErrorInvalidSource, 300, "device kernel image is invalid") \
  X(cudaErrorFileNotFound, 301, "file not found") \
  X(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found") \
  X(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed") \
  X(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS") \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
  X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state") \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found") \
  X(cudaErrorNotReady, 600, "device not ready") \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
  X(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode") \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
  X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process") \
  X(cudaErrorContextIsDestroyed, 709, "context is destroyed") \
  X(cudaErrorAssert, 710, "device-side assert triggered") \
  X(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted") \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
  X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  X(cudaErrorHardwareStackError, 714, "hardware stack error") \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered") \
  X(cudaErrorMisalignedAddress, 716, "misaligned address") \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space") \
  X(cudaErrorInvalidPc, 718, "invalid program counter") \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch") \
  X(cudaErrorNotPermitted, 800, "operation not permitted") \
  X(cudaErrorNotSupported, 801, "operation not supported") \
  X(cudaErrorSystemNotReady, 802, "system not yet initialized") \
  X(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination") \
  X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing") \
  X(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture") \
  X(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began") \
  X(cudaErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a capturing stream") \
  X(cudaErrorTimeout, 909, "wait operation timed out") \
  X(cudaErrorGraphExecUpdateFailure, 910, "the graph update was not performed because it included changes " \
    "which violated constraints specific to instantiated graph update") \
  X(cudaErrorUnknown, 999, "unknown error")
enum cudaError {
#define ORDERLAB_ERROR(NAME, VALUE, TEXT) NAME = VALUE,
  ORDERLAB_CUDA_ERRORS(ORDERLAB_ERROR)
#undef ORDERLAB_ERROR
};
typedef cudaError cudaError_t;

inline const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define ORDERLAB_ERROR(NAME, VALUE, TEXT) \
  case NAME:                              \
    return TEXT;
    ORDERLAB_CUDA_ERRORS(ORDERLAB_ERROR)
#undef ORDERLAB_ERROR
  }
  return "unrecognized error code";
}
inline const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define ORDERLAB_ERROR(NAME, VALUE, TEXT) \
  case NAME:                              \
    return #NAME;
    ORDERLAB_CUDA_ERRORS(ORDERLAB_ERROR)
#undef ORDERLAB_ERROR
  }
  return "unrecognized error code";
}
#undef ORDERLAB_CUDA_ERRORS
inline cudaError_t cudaGetLastError() { return static_cast<cudaError_t>(orderlab::host_program::last_error(true)); }
inline cudaError_t cudaPeekAtLastError() { return static_cast<cudaError_t>(orderlab::host_program::last_error(false)); }
namespace orderlab::host_program {
inline cudaError_t failed(cudaError_t error) {
  set_last_error(static_cast<Status>(error));
  return error;
}
inline cudaError_t as_error(Status status) { return static_cast<cudaError_t>(status); }
}  // namespace orderlab::host_program

// ---- Streams and events
struct CUstream_st : orderlab::host_program::Stream {};
typedef CUstream_st* cudaStream_t;
inline constexpr unsigned cudaStreamDefault = 0;
inline constexpr unsigned cudaStreamNonBlocking = 1;
namespace orderlab::host_program {
inline CUstream_st legacy_stream{kDefaultStream};
inline CUstream_st thread_stream{kThreadStream};
}  // namespace orderlab::host_program
inline cudaStream_t const cudaStreamLegacy = &orderlab::host_program::legacy_stream;
inline cudaStream_t const cudaStreamPerThread = &orderlab::host_program::thread_stream;
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
namespace orderlab::host_program {
inline const bool kUsesThreadStreams = (use_thread_streams(), true);
}
#endif
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  *stream = new CUstream_st{{orderlab::host_program::make_stream((flags & cudaStreamNonBlocking) == 0)}};
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  orderlab::host_program::host_waits(stream);
  return cudaSuccess;
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return orderlab::host_program::is_done(stream) ? cudaSuccess : cudaErrorNotReady;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
struct CUevent_st : orderlab::host_program::Event {};
typedef CUevent_st* cudaEvent_t;
inline constexpr unsigned cudaEventDefault = 0;
inline constexpr unsigned cudaEventBlockingSync = 1;
inline constexpr unsigned cudaEventDisableTiming = 2;
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned = 0) {
  *event = new CUevent_st{};
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return cudaEventCreate(event); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
  orderlab::host_program::record(*event, stream);
  return cudaSuccess;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr, unsigned = 0) {
  return cudaEventRecord(event, stream);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  orderlab::host_program::host_waits(*event);
  return cudaSuccess;
}
inline cudaError_t cudaEventQuery(cudaEvent_t event) {
  return orderlab::host_program::is_done(*event) ? cudaSuccess : cudaErrorNotReady;
}
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (start->progress.empty() || end->progress.empty())  // not recorded
    return orderlab::host_program::failed(cudaErrorInvalidResourceHandle);
  *milliseconds = static_cast<float>(end->ticks - start->ticks) * 1e-6F;  // the GPU's time: the same in every run
  return cudaSuccess;
}
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
namespace orderlab::host_program {
struct Callback {
  cudaStreamCallback_t function;
  cudaStream_t stream;
  void* data;
};
}  // namespace orderlab::host_program
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned,
                                         ORDERLAB_WHERE) {
  using orderlab::host_program::Callback;
  const auto call = [](void* given) {
    const std::unique_ptr<Callback> all(static_cast<Callback*>(given));
    all->function(all->stream, cudaSuccess, all->data);
  };
  orderlab::host_program::give_call(stream, call, new Callback{callback, stream, data}, where);
  return cudaSuccess;
}
typedef void (*cudaHostFn_t)(void* data);
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, ORDERLAB_WHERE) {
  orderlab::host_program::give_call(stream, function, data, where);
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned = 0) {
  orderlab::host_program::stream_waits(stream, *event);
  return cudaSuccess;
}

// ---- Memory
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
namespace orderlab::host_program {
template <class T>
cudaError_t allocate_as(T** pointer, std::size_t bytes, Memory memory, const Where& where) {
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = static_cast<T*>(allocate(bytes, memory, where));
  return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
template <class To, class From>
cudaError_t copy_as(To* to, const From* from, std::size_t bytes, cudaMemcpyKind kind, const Where& where,
                    const Queue& queue = {}) {
  constexpr NumberType kTo = number_type<To>();
  constexpr NumberType kType = kTo == NumberType::bytes ? number_type<From>() : kTo;
  return as_error(copy((void*)to, (const void*)from, bytes, static_cast<Direction>(kind), kType, where, queue));
}
}  // namespace orderlab::host_program
template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes, ORDERLAB_WHERE) {
  return orderlab::host_program::allocate_as(pointer, bytes, orderlab::host_program::Memory::device, where);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t, ORDERLAB_WHERE) {
  return cudaMalloc(pointer, bytes, where);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width, std::size_t height, ORDERLAB_WHERE) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(pointer, *pitch * height, where);
}
inline constexpr unsigned cudaMemAttachGlobal = 1;
inline constexpr unsigned cudaMemAttachHost = 2;
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes, unsigned = cudaMemAttachGlobal, ORDERLAB_WHERE) {
  return orderlab::host_program::allocate_as(pointer, bytes, orderlab::host_program::Memory::managed, where);
}
inline constexpr unsigned cudaHostAllocDefault = 0;
inline constexpr unsigned cudaHostAllocPortable = 1;
inline constexpr unsigned cudaHostAllocMapped = 2;
inline constexpr unsigned cudaHostAllocWriteCombined = 4;
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned = 0, ORDERLAB_WHERE) {
  return orderlab::host_program::allocate_as(pointer, bytes, orderlab::host_program::Memory::pinned, where);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned = 0, ORDERLAB_WHERE) {
  return cudaMallocHost(pointer, bytes, 0, where);
}
inline constexpr unsigned cudaHostRegisterDefault = 0;
inline constexpr unsigned cudaHostRegisterPortable = 1;
inline constexpr unsigned cudaHostRegisterMapped = 2;
inline cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned, ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(orderlab::host_program::register_memory(memory, bytes, where));
}
inline cudaError_t cudaHostUnregister(void* memory, ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(orderlab::host_program::unregister_memory(memory, where));
}
enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const orderlab::host_program::KnownMemory known = orderlab::host_program::known_memory(pointer);
  *attributes = {cudaMemoryTypeUnregistered, -1, nullptr, (void*)pointer};
  if (!known.is_known) return cudaSuccess;
  constexpr cudaMemoryType kTypes[] = {cudaMemoryTypeDevice, cudaMemoryTypeManaged, cudaMemoryTypeHost};
  attributes->type = kTypes[static_cast<int>(known.memory)];
  attributes->device = static_cast<int>(known.gpu);
  attributes->devicePointer = (void*)pointer;
  if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
  return cudaSuccess;
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** pointer, void* host, unsigned) {
  *pointer = static_cast<T*>(host);
  return cudaSuccess;
}
inline cudaError_t cudaFree(const void* pointer, ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(orderlab::host_program::release((void*)pointer, where));
}
inline cudaError_t cudaFreeAsync(const void* pointer, cudaStream_t stream, ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(orderlab::host_program::release_in(stream, (void*)pointer, where));
}
inline cudaError_t cudaFreeHost(const void* pointer, ORDERLAB_WHERE) { return cudaFree(pointer, where); }
template <class To, class From>
cudaError_t cudaMemcpy(To* to, const From* from, std::size_t bytes, cudaMemcpyKind kind, ORDERLAB_WHERE) {
  return orderlab::host_program::copy_as(to, from, bytes, kind, where);
}
template <class To, class From>
cudaError_t cudaMemcpyAsync(To* to, const From* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                            ORDERLAB_WHERE) {
  return orderlab::host_program::copy_as(to, from, bytes, kind, where, {stream, false});
}
template <class To, class From>
cudaError_t cudaMemcpy2D(To* to, std::size_t to_pitch, const From* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind, ORDERLAB_WHERE) {
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error =
        cudaMemcpy((To*)((char*)to + row * to_pitch), (const From*)((const char*)from + row * from_pitch), width, kind,
                   where);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
template <class To, class From>
cudaError_t cudaMemcpy2DAsync(To* to, std::size_t to_pitch, const From* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                              ORDERLAB_WHERE) {
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemcpyAsync((To*)((char*)to + row * to_pitch),
                                              (const From*)((const char*)from + row * from_pitch), width, kind, stream,
                                              where);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
template <class To, class From>
cudaError_t cudaMemcpyPeer(To* to, int, const From* from, int, std::size_t bytes, ORDERLAB_WHERE) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice, where);
}
template <class To, class From>
cudaError_t cudaMemcpyPeerAsync(To* to, int, const From* from, int, std::size_t bytes, cudaStream_t stream = nullptr,
                                ORDERLAB_WHERE) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream, where);
}
inline cudaError_t cudaMemset(void* array, int byte, std::size_t bytes, ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(orderlab::host_program::fill(array, byte, bytes, where));
}
inline cudaError_t cudaMemsetAsync(void* array, int byte, std::size_t bytes, cudaStream_t stream = nullptr,
                                   ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(
      orderlab::host_program::fill(array, byte, bytes, where, {stream, false}));
}
inline cudaError_t cudaMemset2D(void* array, std::size_t pitch, int byte, std::size_t width, std::size_t height,
                                ORDERLAB_WHERE) {
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemset(static_cast<char*>(array) + row * pitch, byte, width, where);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice, ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(
      orderlab::host_program::copy_to_variable((const void*)&symbol, offset, from, bytes, where));
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, std::size_t bytes, std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = nullptr,
                                    ORDERLAB_WHERE) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind, where);
}
template <class To, class T>
cudaError_t cudaMemcpyFromSymbol(To* to, const T& symbol, std::size_t bytes, std::size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost, ORDERLAB_WHERE) {
  return orderlab::host_program::as_error(orderlab::host_program::copy_from_variable(
      (void*)to, (const void*)&symbol, offset, bytes, orderlab::host_program::number_type<To>(), where));
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** address, const T& symbol) {
  *address = (P*)&symbol;
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
  *bytes = sizeof symbol;
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = orderlab::host_program::free_memory();
  *total = orderlab::host_program::kMemoryBytes;
  return cudaSuccess;
}
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
inline constexpr int cudaCpuDeviceId = -1;
inline cudaError_t cudaMemPrefetchAsync(const void*, std::size_t, int, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) { return cudaSuccess; }

// ---- The devices: all alike, with few multiprocessors, so that grids made for it are small
struct cudaUUID_t {
  char bytes[16];
};
struct cudaDeviceProp {
  char name[256] = "orderlab's simulated GPU";
  cudaUUID_t uuid = {};
  std::size_t totalGlobalMem = orderlab::host_program::kMemoryBytes;
  std::size_t sharedMemPerBlock = orderlab::simt::kSharedBytes;
  int regsPerBlock = 65536;
  int warpSize = 32;
  std::size_t memPitch = 0x7FFFFFFF;
  int maxThreadsPerBlock = 1024;
  int maxThreadsDim[3] = {1024, 1024, 64};
  int maxGridSize[3] = {0x7FFFFFFF, 65535, 65535};
  int clockRate = 1410000;
  std::size_t totalConstMem = 65536;
  int major = __CUDA_ARCH__ / 100;
  int minor = __CUDA_ARCH__ / 10 % 10;
  std::size_t textureAlignment = 512;
  std::size_t texturePitchAlignment = 32;
  int deviceOverlap = 1;
  int multiProcessorCount = 8;
  int kernelExecTimeoutEnabled = 0;
  int integrated = 0;
  int canMapHostMemory = 1;
  int computeMode = 0;
  int maxTexture1D = 131072;
  int maxTexture2D[2] = {131072, 65536};
  int maxTexture3D[3] = {16384, 16384, 16384};
  int maxTexture1DLayered[2] = {32768, 2048};
  int maxTexture2DLayered[3] = {32768, 32768, 2048};
  std::size_t surfaceAlignment = 512;
  int concurrentKernels = 1;
  int ECCEnabled = 0;
  int pciBusID = 0;
  int pciDeviceID = 0;
  int pciDomainID = 0;
  int tccDriver = 0;
  int asyncEngineCount = 1;
  int unifiedAddressing = 1;
  int memoryClockRate = 1215000;
  int memoryBusWidth = 5120;
  int l2CacheSize = 40 << 20;
  int persistingL2CacheMaxSize = 0;
  int maxThreadsPerMultiProcessor = 2048;
  int streamPrioritiesSupported = 1;
  int globalL1CacheSupported = 1;
  int localL1CacheSupported = 1;
  std::size_t sharedMemPerMultiprocessor = std::size_t{164} << 10;
  int regsPerMultiprocessor = 65536;
  int managedMemory = 1;
  int isMultiGpuBoard = 0;
  int multiGpuBoardGroupID = 0;
  int hostNativeAtomicSupported = 0;
  int singleToDoublePrecisionPerfRatio = 2;
  int pageableMemoryAccess = 0;
  int concurrentManagedAccess = 1;
  int computePreemptionSupported = 1;
  int canUseHostPointerForRegisteredMem = 0;
  int cooperativeLaunch = 1;
  int cooperativeMultiDeviceLaunch = 0;
  std::size_t sharedMemPerBlockOptin = std::size_t{163} << 10;
  int pageableMemoryAccessUsesHostPageTables = 0;
  int directManagedMemAccessFromHost = 0;
  int maxBlocksPerMultiProcessor = 32;
};
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || static_cast<std::size_t>(device) >= orderlab::host_program::gpu_count())
    return orderlab::host_program::failed(cudaErrorInvalidDevice);
  *properties = {};
  return cudaSuccess;
}
#define ORDERLAB_ATTRIBUTES(X)                                                   \
  X(cudaDevAttrMaxThreadsPerBlock, 1, maxThreadsPerBlock)                        \
  X(cudaDevAttrMaxBlockDimX, 2, maxThreadsDim[0])                                \
  X(cudaDevAttrMaxBlockDimY, 3, maxThreadsDim[1])                                \
  X(cudaDevAttrMaxBlockDimZ, 4, maxThreadsDim[2])                                \
  X(cudaDevAttrMaxGridDimX, 5, maxGridSize[0])                                   \
  X(cudaDevAttrMaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                    \
  X(cudaDevAttrWarpSize, 10, warpSize)                                           \
  X(cudaDevAttrMaxRegistersPerBlock, 12, regsPerBlock)                           \
  X(cudaDevAttrClockRate, 13, clockRate)                                         \
  X(cudaDevAttrMultiProcessorCount, 16, multiProcessorCount)                     \
  X(cudaDevAttrComputeMode, 20, computeMode)                                     \
  X(cudaDevAttrMemoryClockRate, 36, memoryClockRate)                             \
  X(cudaDevAttrGlobalMemoryBusWidth, 37, memoryBusWidth)                         \
  X(cudaDevAttrL2CacheSize, 38, l2CacheSize)                                     \
  X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)     \
  X(cudaDevAttrUnifiedAddressing, 41, unifiedAddressing)                         \
  X(cudaDevAttrComputeCapabilityMajor, 75, major)                                \
  X(cudaDevAttrComputeCapabilityMinor, 76, minor)                                \
  X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor) \
  X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)         \
  X(cudaDevAttrManagedMemory, 83, managedMemory)                                 \
  X(cudaDevAttrConcurrentManagedAccess, 89, concurrentManagedAccess)             \
  X(cudaDevAttrCooperativeLaunch, 95, cooperativeLaunch)                         \
  X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)         \
  X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)
enum cudaDeviceAttr {
#define ORDERLAB_ATTRIBUTE(NAME, VALUE, MEMBER) NAME = VALUE,
  ORDERLAB_ATTRIBUTES(ORDERLAB_ATTRIBUTE)
#undef ORDERLAB_ATTRIBUTE
      cudaDevAttrMemoryPoolsSupported = 115
};
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  const cudaDeviceProp properties;
  *value = 0;
  switch (attribute) {
#define ORDERLAB_ATTRIBUTE(NAME, VALUE, MEMBER)      \
  case NAME:                                         \
    *value = static_cast<int>(properties.MEMBER);    \
    break;
    ORDERLAB_ATTRIBUTES(ORDERLAB_ATTRIBUTE)
#undef ORDERLAB_ATTRIBUTE
    default:
      break;
  }
  return cudaSuccess;
}
#undef ORDERLAB_ATTRIBUTES
enum cudaComputeMode {
  cudaComputeModeDefault,
  cudaComputeModeExclusive,
  cudaComputeModeProhibited,
  cudaComputeModeExclusiveProcess
};
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = static_cast<int>(orderlab::host_program::gpu_count());
  return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int* device) {
  *device = static_cast<int>(orderlab::host_program::current_gpu());
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  return orderlab::host_program::as_error(orderlab::host_program::use_gpu(device));
}
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }
inline constexpr unsigned cudaDeviceScheduleAuto = 0;
inline constexpr unsigned cudaDeviceScheduleSpin = 1;
inline constexpr unsigned cudaDeviceScheduleYield = 2;
inline constexpr unsigned cudaDeviceScheduleBlockingSync = 4;
inline constexpr unsigned cudaDeviceMapHost = 8;
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize(ORDERLAB_WHERE) {
  if (orderlab::simt::in_kernel())
    orderlab::host_program::wait_in_kernel(where);
  else
    orderlab::host_program::host_waits_for_gpu();
  return cudaSuccess;
}
inline cudaError_t cudaThreadSynchronize(ORDERLAB_WHERE) { return cudaDeviceSynchronize(where); }
inline cudaError_t cudaThreadExit() { return cudaSuccess; }
inline cudaError_t cudaDeviceReset() {
  orderlab::host_program::release_all();
  return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = device != peer ? 1 : 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return orderlab::host_program::as_error(orderlab::host_program::set_peer_access(peer, true));
}
inline cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return orderlab::host_program::as_error(orderlab::host_program::set_peer_access(peer, false));
}
inline cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth };
inline cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) { return cudaSuccess; }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

// ---- Kernels
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
inline constexpr int cudaSharedmemCarveoutMaxShared = 100;
struct cudaFuncAttributes {
  std::size_t sharedSizeBytes = 0;
  std::size_t constSizeBytes = 0;
  std::size_t localSizeBytes = 0;
  int maxThreadsPerBlock = 1024;
  int numRegs = 32;
  int ptxVersion = __CUDA_ARCH__ / 10;
  int binaryVersion = __CUDA_ARCH__ / 10;
  int maxDynamicSharedSizeBytes = static_cast<int>(orderlab::simt::kSharedBytes);
};
template <class F>
cudaError_t cudaFuncSetAttribute(F* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  return orderlab::host_program::as_error(
      orderlab::host_program::allow_dynamic_shared((const void*)kernel, static_cast<std::size_t>(value)));
}
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, F*) {
  *attributes = {};
  return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetSharedMemConfig(F*, cudaSharedMemConfig) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F*, int threads, std::size_t) {
  *blocks = cudaDeviceProp().maxThreadsPerMultiProcessor / threads;
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F*, std::size_t = 0, int limit = 0) {
  const cudaDeviceProp properties;
  *block = limit == 0 ? properties.maxThreadsPerBlock : limit;
  *grid = properties.multiProcessorCount * (properties.maxThreadsPerMultiProcessor / *block);
  return cudaSuccess;
}
namespace orderlab::host_program {
template <class... Parameters, std::size_t... I>
cudaError_t launch_with(void (*kernel)(Parameters...), const Configuration& configuration, void** arguments,
                        std::index_sequence<I...>) {
  const Launch bound("", configuration, kernel, [kernel](const auto&... values) { kernel(values...); });
  return as_error(bound(*static_cast<std::remove_cvref_t<Parameters>*>(arguments[I])...));
}
}  // namespace orderlab::host_program
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr, ORDERLAB_WHERE) {
  return orderlab::host_program::launch_with(kernel, {grid, block, shared_bytes, where, false, stream}, arguments,
                                             std::index_sequence_for<Parameters...>());
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes = 0, cudaStream_t stream = nullptr, ORDERLAB_WHERE) {
  return orderlab::host_program::launch_with(kernel, {grid, block, shared_bytes, where, true, stream}, arguments,
                                             std::index_sequence_for<Parameters...>());
}
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
