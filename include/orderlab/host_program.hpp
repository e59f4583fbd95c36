// What whole CUDA programs call on the host, below the names of CUDA's API in orderlab/cuda_names: memory, copies and
// launches on the simulated GPUs of the program. `orderlab host` compiles and runs such programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orderlab/simt.hpp"
#include "orderlab/simt_thread.hpp"

namespace orderlab::host_program {

using Where = std::source_location;

/// What a call gives back: values of cudaError_t.
enum class Status : std::uint16_t {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  invalid_configuration = 9,
  invalid_device_pointer = 17,
  invalid_copy_direction = 21,
  invalid_device = 101,
  invalid_handle = 400,
  not_ready = 600,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  already_registered = 712,
  not_registered = 713,
};

// ---- GPUs: each OS thread has a current one
std::size_t gpu_count();
std::size_t current_gpu();
Status use_gpu(int gpu);

/// Kernels of the current GPU may access memory of `peer`, or not any more.
Status set_peer_access(int peer, bool enabled);

// ---- Streams and events
struct Stream {
  std::size_t number;  ///< from make_stream
};
inline constexpr Stream kDefaultStream{~std::size_t{0}};     ///< of the current GPU
inline constexpr Stream kThreadStream{~std::size_t{0} - 1};  ///< of the OS thread, on the current GPU

/// No stream is named: that of the OS thread from now on, as nvcc --default-stream per-thread compiles it.
void use_thread_streams();

/// Of the current GPU. `joins_default`: it and the default stream wait for each other.
std::size_t make_stream(bool joins_default);

/// `host_waits` is cudaStreamSynchronize, `is_done` is cudaStreamQuery. Null: the default stream.
void host_waits(const Stream* stream);
bool is_done(const Stream* stream);
void host_waits_for_gpu();

/// A call of the host when the stream comes to it.
void give_call(const Stream* stream, void (*call)(void* data), void* data, const Where& where);

struct Event {
  std::vector<std::uint64_t> progress;  ///< of each stream, what comes before it; empty: it has not been recorded
  unsigned long long ticks = 0;
};
void record(Event& event, const Stream* stream);
void stream_waits(const Stream* stream, const Event& event);
void host_waits(const Event& event);
bool is_done(const Event& event);

// ---- Memory
enum class Memory : std::uint8_t {
  device,   ///< of kernels and copies alone
  managed,  ///< of the host, too
  pinned,   ///< the host's, which kernels may use
};

/// How a copy stands in a stream. Null: the default stream.
struct Queue {
  const Stream* stream = nullptr;
  bool host_waits = true;
};

/// Null where there is no more.
void* allocate(std::size_t bytes, Memory memory, const Where& where);
Status release(void* array, const Where& where);
Status release_in(const Stream* stream, void* array, const Where& where);

/// All arrays of the current GPU are freed, as by cudaDeviceReset.
void release_all();

/// Memory of the program's own that kernels may use until it is dropped.
Status register_memory(void* memory, std::size_t bytes, const Where& where);
Status unregister_memory(void* memory, const Where& where);

/// Memory that `address` is in; `gpu` is where it was allocated.
struct KnownMemory {
  bool is_known = false;
  Memory memory = Memory::pinned;
  std::size_t gpu = 0;
};
KnownMemory known_memory(const void* address);

/// Bytes of the GPU's memory, and those that are not allocated.
inline constexpr std::size_t kMemoryBytes = std::size_t{80} << 30;
std::size_t free_memory();

/// Values of cudaMemcpyKind.
enum class Direction : std::uint8_t { host_to_host, host_to_device, device_to_host, device_to_device, by_address };

/// The type of numbers that are copied, as far as it is known.
enum class NumberType : std::uint8_t { bytes, fp16, bf16, fp32, fp64, int32, uint32, int64, uint64 };

template <class T>
constexpr NumberType number_type() {
  using Number = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Number, float>) return NumberType::fp32;
  if constexpr (std::is_same_v<Number, double>) return NumberType::fp64;
  if constexpr (std::is_integral_v<Number> && sizeof(Number) == 4)
    return std::is_signed_v<Number> ? NumberType::int32 : NumberType::uint32;
  if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8)
    return std::is_signed_v<Number> ? NumberType::int64 : NumberType::uint64;
  return NumberType::bytes;
}

/// As cudaMemcpy. A copy that no GPU could do is reported with the line of the call.
Status copy(void* to, const void* from, std::size_t bytes, Direction direction, NumberType type, const Where& where,
            const Queue& queue = {});

/// As cudaMemset.
Status fill(void* array, int byte, std::size_t bytes, const Where& where, const Queue& queue = {});

/// As cudaMemcpyToSymbol and cudaMemcpyFromSymbol: `symbol` is the address of a __device__ variable.
Status copy_to_variable(const void* symbol, std::size_t offset, const void* from, std::size_t bytes,
                        const Where& where);
Status copy_from_variable(void* to, const void* symbol, std::size_t offset, std::size_t bytes, NumberType type,
                          const Where& where);

/// The status of the last call that failed, and sets it to success where asked to.
Status last_error(bool forget);
void set_last_error(Status status);

// ---- Launches
struct Configuration {
  simt::Dim3 grid;
  simt::Dim3 block;
  std::size_t shared_bytes = 0;
  Where where;
  bool cooperative = false;
  const Stream* stream = nullptr;  ///< null: the default stream
  bool of_library = false;         ///< of the stand-in of a library, in which no line says what the program did wrong
};

inline Configuration configuration(simt::Dim3 grid, simt::Dim3 block, std::size_t shared_bytes = 0,
                                   const Stream* stream = nullptr, const Where& where = Where::current()) {
  return {.grid = grid, .block = block, .shared_bytes = shared_bytes, .where = where, .stream = stream};
}

/// A launch that CUDA refuses is reported and gives its status; undefined behaviour in the kernel is reported and ends
/// the program. A kernel that a kernel launches runs behind that one.
Status launch(std::string_view name, const Configuration& configuration, const simt::KernelCall& call);
Status allow_dynamic_shared(const void* kernel, std::size_t bytes);

/// Memory of __managed__ variables.
void set_managed_variables(std::byte* begin, const std::byte* end);

namespace detail {

// The linker's names of the section that __managed__ variables of this program are in.
[[gnu::weak, gnu::visibility("hidden")]] extern std::byte kFirstManaged[] __asm__("__start_orderlab_managed");
[[gnu::weak, gnu::visibility("hidden")]] extern std::byte kLastManaged[] __asm__("__stop_orderlab_managed");

inline const bool kManagedIsKnown = (set_managed_variables(kFirstManaged, kLastManaged), true);

}  // namespace detail

/// In a kernel: ends the program where it has launched kernels, which it cannot wait for.
void wait_in_kernel(const Where& where);

/// Time on the simulated GPU: threads that have run, and calls of this.
unsigned long long ticks();

/// What each thread of a launch runs. `orderlab host` knows it by its name: of a program that is compiled twice, with
/// and without checks of accesses, a thread block runs one or the other.
template <class Body>
void run_body(const void* body) {
  (*static_cast<const Body*>(body))();
}

template <class Body>
Status launch_body(std::string_view name, const Configuration& configuration, const void* kernel, const Body& body) {
  return launch(
      name, configuration,
      {&body, sizeof body, run_body<Body>, kernel, kernel == nullptr ? 0 : simt::detail::max_threads(kernel)});
}

/// A kernel with its configuration, to be called with its arguments, which are converted to its parameters where all
/// are there. `generic` calls the kernel by its name, and so takes default arguments.
template <class Generic, class... Parameters>
class Launch {
 public:
  Launch(std::string_view name, const Configuration& configuration, void (*kernel)(Parameters...), Generic generic)
      : name_(name), configuration_(configuration), kernel_(kernel), generic_(std::move(generic)) {}

  Status operator()(std::type_identity_t<Parameters>... values) const {
    const auto body = [values..., generic = generic_] { generic(values...); };
    return launch_body(name_, configuration_, reinterpret_cast<const void*>(kernel_), body);
  }
  template <class... Values>
  requires(sizeof...(Values) < sizeof...(Parameters)) Status operator()(Values... values) const {
    const auto body = [values..., generic = generic_] { generic(values...); };
    return launch_body(name_, configuration_, reinterpret_cast<const void*>(kernel_), body);
  }

 private:
  std::string_view name_;
  Configuration configuration_;
  void (*kernel_)(Parameters...);
  Generic generic_;
};

/// The same of a kernel whose template arguments follow from its arguments, or of one of several of that name.
template <class Generic>
class DeducedLaunch {
 public:
  DeducedLaunch(std::string_view name, const Configuration& configuration, Generic generic)
      : name_(name), configuration_(configuration), generic_(std::move(generic)) {}

  template <class... Values>
  Status operator()(Values... values) const {
    const auto body = [values..., generic = generic_] { generic(values...); };
    return launch_body(name_, configuration_, nullptr, body);
  }

 private:
  std::string_view name_;
  Configuration configuration_;
  Generic generic_;
};

/// Makes a launch of a kernel, or is not able to where that is not one function.
struct Binder {
  std::string_view name;
  Configuration configuration;

  template <class Generic, class... Parameters>
  auto one(void (*kernel)(Parameters...), Generic generic) const {
    return Launch<Generic, Parameters...>(name, configuration, kernel, std::move(generic));
  }
  template <class Generic>
  auto deduced(Generic generic) const {
    return DeducedLaunch<Generic>(name, configuration, std::move(generic));
  }
};

}  // namespace orderlab::host_program

#define ORDERLAB_UNPARENTHESISED(...) __VA_ARGS__

/// (kernel), grid, block...: what `kernel<<<grid, block...>>>` stands for, to be called with the kernel's arguments.
#define ORDERLAB_LAUNCH(KERNEL, ...)                                                                    \
  [&](auto orderlab_binder) {                                                                           \
    const auto orderlab_generic = [=](const auto&... orderlab_values) {                                 \
      ORDERLAB_UNPARENTHESISED KERNEL(orderlab_values...);                                              \
    };                                                                                                  \
    if constexpr (requires { orderlab_binder.one(ORDERLAB_UNPARENTHESISED KERNEL, orderlab_generic); }) \
      return orderlab_binder.one(ORDERLAB_UNPARENTHESISED KERNEL, orderlab_generic);                    \
    else                                                                                                \
      return orderlab_binder.deduced(orderlab_generic);                                                 \
  }(::orderlab::host_program::Binder{#KERNEL, ::orderlab::host_program::configuration(__VA_ARGS__)})

/// Inline PTX, which ends a program that comes to it.
#define ORDERLAB_PTX(...) \
  ::orderlab::simt::unsupported("runs inline PTX, which the host does not know", std::source_location::current())
