// The simulated GPUs of a host program: their memory, their launches, and the record of what was found. One Gpu runs
// all kernels; each array knows which of the program's GPUs it belongs to.
// Long, as one class has what all calls share, behind one lock.
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/float_environment.hpp"
#include "host_program/call_names.hpp"
#include "host_program/record_writer.hpp"
#include "host_program/settings.hpp"
#include "host_program/streams.hpp"
#include "orderlab/host_program.hpp"
#include "simt/gpu.hpp"
#include "simt/host_watch.hpp"
#include "simt/symbols.hpp"

namespace orderlab::host_program {

using RunBody = void(const void* body);

/// Both copies of a run_body of the program: what cuda_source::join_copies writes.
struct RunCopies {
  RunBody* checked;
  RunBody* unchecked;
};

// The linker's names of the addresses of that section, null where there is none.
[[gnu::weak, gnu::visibility("hidden")]] extern const RunCopies kFirstCopies[] __asm__("__start_orderlab_unchecked");
[[gnu::weak, gnu::visibility("hidden")]] extern const RunCopies kLastCopies[] __asm__("__stop_orderlab_unchecked");

namespace {

using simt::AccessKind;
using simt::DeviceArray;
using simt::MemoryRange;

/// Addresses for all arrays that a program ever allocates: they are never used again.
constexpr std::size_t kArenaBytes = std::size_t{1} << 42;

std::string place_of(const Where& where) {
  return std::string(simt::file_name(where.file_name())) + ":" + std::to_string(where.line());
}

std::string byte_count(std::size_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

/// Less where this process may not have so much.
MemoryRange reserve(std::size_t bytes) {
  constexpr std::size_t kLeastBytes = std::size_t{1} << 28;
  for (; bytes >= kLeastBytes; bytes /= 2) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return {static_cast<std::byte*>(memory), bytes};
  }
  constexpr int kCannotRun = 2;
  std::cerr << "orderlab host: no address space for device memory; the limit of this process (ulimit -v) is too low, "
               "unlimited would be right"
            << std::endl;
  std::_Exit(kCannotRun);
}

/// A kernel that is to run, with a copy of its arguments.
struct PendingLaunch {
  std::string kernel;
  Configuration configuration;
  std::shared_ptr<std::vector<std::byte>> parameters;
  simt::KernelCall call;
  std::size_t depth = 0;  ///< 0: launched by the host
};

PendingLaunch pending_launch(std::string_view kernel, const Configuration& configuration, simt::KernelCall call) {
  const auto* const begin = static_cast<const std::byte*>(call.parameters);
  auto parameters = std::make_shared<std::vector<std::byte>>(begin, begin + call.bytes);
  call.parameters = parameters->data();
  if (kernel.starts_with('(') && kernel.ends_with(')')) kernel = kernel.substr(1, kernel.size() - 2);
  while (kernel.ends_with(' ')) kernel.remove_suffix(1);
  return {std::string(kernel), configuration, std::move(parameters), call};
}

thread_local std::size_t gpu_of_this_thread = 0;
thread_local Status last_status = Status::success;  // as in CUDA, each thread of the host has its own

// Set by initialisers of the program, before main:
constinit MemoryRange managed_variables;
constinit bool thread_streams = false;

class Program {
 public:
  static Program& get() {
    static Program* const kProgram = new Program;  // outlives everything that the program destroys at its end
    return *kProgram;
  }

  // ---- GPUs
  std::size_t gpus() const { return peers_.size(); }
  bool has_gpu(int gpu) const { return gpu >= 0 && static_cast<std::size_t>(gpu) < gpus(); }

  Status set_peer_access(int peer, bool enabled) {
    const std::lock_guard lock(mutex_);
    const std::size_t own = gpu_of_this_thread;
    if (!has_gpu(peer) || static_cast<std::size_t>(peer) == own) return last_status = Status::invalid_device;
    const bool was_enabled = enabled ? !peers_[own].insert(static_cast<std::size_t>(peer)).second
                                     : peers_[own].erase(static_cast<std::size_t>(peer)) != 0;
    if (was_enabled != enabled) return Status::success;
    return last_status = enabled ? Status::peer_access_already_enabled : Status::peer_access_not_enabled;
  }

  // ---- Streams
  std::size_t make_stream(bool joins_default) {
    const std::lock_guard lock(mutex_);
    return streams_.create(gpu_of_this_thread, joins_default);
  }

  std::size_t number_of(const Stream* stream) {
    if (stream == nullptr && thread_streams) stream = &kThreadStream;
    if (stream == nullptr || stream->number == kDefaultStream.number) return gpu_of_this_thread;
    if (stream->number != kThreadStream.number) return stream->number;
    thread_local std::map<std::size_t, std::size_t> of_this_thread;  // by GPU
    const auto [entry, is_new] = of_this_thread.try_emplace(gpu_of_this_thread);
    if (is_new) entry->second = make_stream(true);
    return entry->second;
  }

  Progress before_next(const Stream* stream) {
    const std::lock_guard lock(mutex_);
    return streams_.before_next(number_of(stream));
  }

  void stream_waits(const Stream* stream, const Progress& progress) {
    const std::lock_guard lock(mutex_);
    streams_.stream_waits(number_of(stream), progress);
  }

  void host_waits(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    streams_.host_waits(progress);
    watch_shared();
  }

  bool host_asks(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    const bool done = streams_.host_asks(progress);
    watch_shared();
    return done;
  }

  void host_waits_for_gpu() {
    const std::lock_guard lock(mutex_);
    host_waits(streams_.of_gpu(gpu_of_this_thread));
  }

  void give(const Stream* stream, Work work, bool then_waits = false) {
    streams_.give(number_of(stream), std::move(work));
    if (then_waits) streams_.host_waits(streams_.before_next(number_of(stream)));
    watch_shared();
  }

  void give_call(const Stream* stream, void (*call)(void* data), void* data, const Where& where) {
    const std::lock_guard lock(mutex_);
    give(stream, {"call of the host", place_of(where), [call, data] {
                    call(data);
                    return std::vector<MemoryUse>();
                  }});
  }

  // ---- Memory
  void* allocate(std::size_t bytes, Memory memory, const Where& where) {
    const std::lock_guard lock(mutex_);
    if (memory != Memory::pinned && bytes > kMemoryBytes - allocated_) return nullptr;
    gpu_.memory.use_arena(memory == Memory::device ? device_arena_ : host_arena_);
    const std::vector<std::string> names = names_.variables(where, "cuda");
    std::string name = names.empty() ? "" : names[0];
    void* begin = nullptr;
    try {
      begin = gpu_.memory.allocate(nullptr, bytes, true,
                                   memory == Memory::device ? simt::Contents::unwritten : simt::Contents::zeros, name);
    } catch (const std::bad_alloc&) {  // no memory or addresses are left
      return nullptr;
    }
    arrays_[begin] = {.name = std::move(name),
                      .bytes = bytes,
                      .memory = memory,
                      .gpu = gpu_of_this_thread,
                      .allocated = place_of(where)};
    if (memory != Memory::pinned) allocated_ += bytes;
    return begin;
  }

  Status release(void* array, const Where& where, const Stream* stream, bool in_stream) {
    const std::lock_guard lock(mutex_);
    if (array == nullptr) return Status::success;
    const auto found = arrays_.find(array);
    if (found == arrays_.end())
      return refuse(Status::invalid_device_pointer, where,
                    "frees memory that cudaMalloc did not give, or not at its beginning");
    if (!found->second.free_given.empty())
      return refuse(Status::invalid_device_pointer, where,
                    "frees " + named(found->second) + " again; it was freed at " + found->second.free_given);
    found->second.free_given = place_of(where);
    if (in_stream) {
      give(stream, {"cudaFreeAsync", place_of(where), [this, found, place = place_of(where)] {
                      free_array(found->first, found->second, place);
                      return std::vector<MemoryUse>();
                    }});
      return Status::success;
    }
    host_waits(streams_.of_gpu(found->second.gpu));
    free_array(found->first, found->second, place_of(where));
    return Status::success;
  }

  void release_all() {
    const std::lock_guard lock(mutex_);
    host_waits_for_gpu();
    for (auto& [begin, array] : arrays_)
      if (array.freed.empty() && array.gpu == gpu_of_this_thread) free_array(begin, array, "cudaDeviceReset");
  }

  Status register_memory(void* memory, std::size_t bytes, const Where& where) {
    const std::lock_guard lock(mutex_);
    if (memory == nullptr || bytes == 0) return last_status = Status::invalid_value;
    if (gpu_.memory.overlaps_array({static_cast<std::byte*>(memory), bytes}))
      return refuse(Status::already_registered, where, "registers memory of the host that kernels may use already");
    const std::vector<std::string> names = names_.variables(where, "cudaHostRegister");
    std::string name = names.empty() ? "" : names[0];
    gpu_.memory.adopt({static_cast<std::byte*>(memory), bytes}, name);
    arrays_[memory] = {.name = std::move(name),
                       .bytes = bytes,
                       .memory = Memory::pinned,
                       .is_registered = true,
                       .gpu = gpu_of_this_thread,
                       .allocated = place_of(where)};
    return Status::success;
  }

  Status unregister_memory(void* memory, const Where& where) {
    const std::lock_guard lock(mutex_);
    const auto found = arrays_.find(memory);
    if (found == arrays_.end() || !found->second.is_registered)
      return refuse(Status::not_registered, where, "unregisters memory that cudaHostRegister did not get");
    host_waits_for_gpu();
    gpu_.memory.drop(memory);
    arrays_.erase(found);
    return Status::success;
  }

  KnownMemory known_memory(const void* address) {
    const std::lock_guard lock(mutex_);
    const Array* const array = array_at(address);
    if (array == nullptr || !array->freed.empty()) return {};
    return {true, array->memory, array->gpu};
  }

  std::size_t free_memory() {
    const std::lock_guard lock(mutex_);
    return kMemoryBytes - allocated_;
  }

  unsigned long long next_tick() {
    const std::lock_guard lock(mutex_);
    return ++ticks_;
  }

  Status copy(void* to, const void* from, std::size_t bytes, Direction direction, NumberType type, const Where& where,
              const Queue& queue) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0) return Status::success;
    if (direction == Direction::by_address)
      direction = is_of_the_device(to)
                      ? (is_of_the_device(from) ? Direction::device_to_device : Direction::host_to_device)
                      : (is_of_the_device(from) ? Direction::device_to_host : Direction::host_to_host);
    const bool to_device = direction == Direction::host_to_device || direction == Direction::device_to_device;
    const bool from_device = direction == Direction::device_to_host || direction == Direction::device_to_device;
    for (const auto& [is_device, address, what] :
         {std::tuple{to_device, static_cast<const void*>(to), "to"}, std::tuple{from_device, from, "from"}}) {
      const std::string problem = is_device ? device_problem(address, bytes) : host_problem(address, bytes);
      if (problem.empty()) continue;
      note_read(from);  // it was to be
      return refuse(is_device || !is_of_the_device(address) ? Status::invalid_value : Status::invalid_copy_direction,
                    where, "copies " + byte_count(bytes) + " " + what + " " + problem);
    }
    // Memory of the host that is neither pinned nor managed is read at once, and written before the call returns.
    std::shared_ptr<std::vector<std::byte>> read_at_once;
    if (!queue.host_waits && !from_device && array_at(from) == nullptr) {
      const auto* const begin = static_cast<const std::byte*>(from);
      read_at_once = std::make_shared<std::vector<std::byte>>(begin, begin + bytes);
    }
    const bool waits = queue.host_waits || (!to_device && array_at(to) == nullptr);
    std::function<void()> copied = [] {};
    if (direction == Direction::device_to_host) copied = recorded_copy(to, from, bytes, type, where);
    give(queue.stream,
         {"copy", place_of(where),
          [=, this] {
            const void* const source = read_at_once != nullptr ? read_at_once->data()
                                       : from_device           ? stored(from, bytes)
                                                               : from;
            std::memmove(to_device ? stored(to, bytes) : to, source, bytes);
            if (to_device) note_written(to, bytes);
            note_read(from);
            copied();
            std::vector<MemoryUse> uses;
            add_use(uses, to, bytes, AccessKind::write);
            add_use(uses, from, bytes, AccessKind::read);
            return uses;
          }},
         waits);
    return Status::success;
  }

  Status fill(void* array, int byte, std::size_t bytes, const Where& where, const Queue& queue) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0) return Status::success;
    const std::string problem = device_problem(array, bytes);
    if (!problem.empty()) return refuse(Status::invalid_value, where, "sets " + byte_count(bytes) + " of " + problem);
    give(queue.stream,
         {"cudaMemset", place_of(where),
          [=, this] {
            std::memset(stored(array, bytes), byte, bytes);
            note_written(array, bytes);
            std::vector<MemoryUse> uses;
            add_use(uses, array, bytes, AccessKind::write);
            return uses;
          }},
         queue.host_waits);
    return Status::success;
  }

  Status copy_variable(const void* symbol, std::size_t offset, void* to, const void* from, std::size_t bytes,
                       NumberType type, const Where& where) {
    const std::lock_guard lock(mutex_);
    host_waits_for_gpu();
    std::byte* const values = stored(static_cast<const std::byte*>(symbol) + offset, bytes);
    if (values == nullptr)
      return refuse(Status::invalid_value, where,
                    "copies " + byte_count(bytes) + " at byte " + std::to_string(offset) +
                        " of a __device__ variable that does not hold them all");
    if (to == nullptr) {
      std::memcpy(values, from, bytes);
      return Status::success;
    }
    std::memcpy(to, values, bytes);
    recorded_copy(to, symbol, bytes, type, where)();
    return Status::success;
  }

  // ---- Launches
  Status launch(std::string_view kernel, const Configuration& configuration, const simt::KernelCall& call) {
    if (simt::in_kernel()) return launch_behind(kernel, configuration, call);
    const std::lock_guard lock(mutex_);
    PendingLaunch pending = pending_launch(kernel, configuration, call);
    if (pending.kernel.empty()) pending.kernel = names_.kernel(configuration.where);
    const std::size_t gpu = streams_.gpu_of(number_of(configuration.stream));
    if (gpu != gpu_of_this_thread)
      return refuse(Status::invalid_handle, configuration.where,
                    "launches kernel " + pending.kernel + " in a stream of GPU " + std::to_string(gpu) + " while GPU " +
                        std::to_string(gpu_of_this_thread) + " is the current one; call cudaSetDevice first");
    try {
      check(pending);
    } catch (const Error& error) {
      return refuse(Status::invalid_configuration, configuration.where, error.what());
    }
    ticks_ += configuration.grid.count() * configuration.block.count();
    std::string what = "kernel " + pending.kernel;
    give(configuration.stream, {std::move(what), place_of(configuration.where),
                                [this, gpu, pending = std::move(pending)] { return run(pending, gpu); }});
    return Status::success;
  }

  void wait_in_kernel(const Where& where) {
    static constexpr std::string_view kText =
        "waits for kernels that it has launched: they run behind it, as nvcc 12 and later compile it; return from it";
    if (!children_.empty()) simt::unsupported(kText.data(), where);
  }

  Status allow_dynamic_shared(const void* kernel, std::size_t bytes) {
    try {
      gpu_.allow_dynamic_shared(kernel, bytes);
      return Status::success;
    } catch (const Error&) {
      return Status::invalid_value;
    }
  }

 private:
  struct Array {
    std::string name;
    std::size_t bytes = 0;
    Memory memory = Memory::device;
    bool is_registered = false;
    std::size_t gpu = 0;
    std::string allocated;          ///< places
    std::string free_given = {};    ///< place of the call that frees it, perhaps when a stream comes to it
    std::string freed = {};         ///< empty: it is not
    std::string writer = {};        ///< kernel that wrote it last, where nothing has read it since
    std::string written_from = {};  ///< place of its launch
    bool has_atomics_of_host = false;
  };

  Program()
      : gpu_(schedule_of(settings())),
        device_arena_(reserve(kArenaBytes)),
        host_arena_(reserve(kArenaBytes)),
        shared_memory_(host_arena_),
        peers_(settings().gpus),
        streams_(settings().gpus, work_order()),
        record_(settings().record) {
    gpu_.checks = {settings().checked_first, settings().checked_sample};
    gpu_.memory.records_accesses = true;
    gpu_.takes_equal_writes = true;
    gpu_.warp_synchronous = settings().warp_synchronous;
    gpu_.memory.set_managed(managed_variables);
    simt::host_watch = {device_arena_,
                        {},
                        [](const void* address, std::size_t bytes, AccessKind kind, const void* instruction) {
                          get().host_access(address, bytes, kind, instruction);
                        },
                        [](const void* address) { get().host_atomic(address); }};
    for (const RunCopies* each = kFirstCopies; each != kLastCopies; ++each)
      unchecked_.emplace(each->checked, each->unchecked);
    streams_.on_conflict = [this](const DoneWork& first, const DoneWork& second, const SharedBytes& shared) {
      stream_conflict(first, second, shared);
    };
    std::atexit([] { get().end(); });
  }

  static const Settings& settings() {
    static const Settings kAll = [] {
      const char* const text = std::getenv(kSettingsVariable);
      return parse_settings(text == nullptr ? "" : text);
    }();
    return kAll;
  }

  static simt::Schedule schedule_of(const Settings& settings) {
    simt::Schedule schedule;
    schedule.seed = settings.seed;
    schedule.sample = settings.sample;
    return schedule;
  }

  /// Null where there is none.
  RunBody* unchecked_copy(RunBody* checked) const {
    const auto found = unchecked_.find(checked);
    return found == unchecked_.end() ? nullptr : found->second;
  }

  /// The first run does all work at once; others draw. Launches count from 1, so the stream of launch 0 is free.
  static std::optional<RandomStream> work_order() {
    if (settings().sample == 0) return {};
    return RandomStream(settings().seed, streams::kFirstLaunch, settings().sample);
  }

  // ---- Launches
  void check(const PendingLaunch& launch) const {
    const Configuration& c = launch.configuration;
    gpu_.check(launch.kernel, c.grid, c.block, c.shared_bytes, launch.call, c.cooperative);
  }

  /// What a kernel launches runs when it has ended.
  Status launch_behind(std::string_view kernel, const Configuration& configuration, const simt::KernelCall& call) {
    constexpr std::size_t kMostDepth = 24;  // CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"
    static constexpr std::string_view kTooDeep = "launches a kernel: launches from kernels are nested 24 deep at most";
    if (depth_ == kMostDepth) simt::unsupported(kTooDeep.data(), configuration.where);
    children_.push_back(pending_launch(kernel, configuration, call));
    children_.back().depth = depth_ + 1;
    return Status::success;
  }

  /// The kernel and all that it launches.
  std::vector<MemoryUse> run(const PendingLaunch& launch, std::size_t gpu) {
    if (gpus() > 1) bar_arrays_from(gpu);
    std::vector<MemoryUse> uses;
    run_kernel(launch, uses);
    while (!children_.empty()) {
      const PendingLaunch child = std::move(children_.front());
      children_.pop_front();
      run_kernel(child, uses);
    }
    return uses;
  }

  void run_kernel(const PendingLaunch& launch, std::vector<MemoryUse>& uses) {
    const Configuration& c = launch.configuration;
    const std::string place = place_of(c.where);
    LaunchCount& count = record_.launches_of(launch.kernel, place);
    const std::size_t atomics = gpu_.arrivals.size();
    const std::size_t blocks = c.grid.count();
    depth_ = launch.depth;
    gpu_.next_is_cooperative = c.cooperative;
    std::size_t checked = 0;
    try {
      const FloatEnvironment environment;
      simt::KernelCall call = launch.call;
      call.run_unchecked = unchecked_copy(call.run);
      checked = gpu_.run(launch.kernel, c.grid, c.block, c.shared_bytes, call);
    } catch (const simt::Fault& fault) {
      note_equal_writes(c);
      note_without_records();
      record_.find(finding_of(FindingKind::fault, fault.what(), fault.place(), c));
      stop();
    } catch (const Error& error) {
      refuse(Status::invalid_configuration, c.where, error.what());
      return;
    }
    ++count.launches;
    count.blocks += blocks;
    count.checked += checked;
    count.threads += blocks * c.block.count();
    count.float_atomics += gpu_.arrivals.size() - atomics;
    gpu_.arrivals.clear();
    count.exchanges += std::exchange(gpu_.exchanges, 0);
    note_equal_writes(c);
    note_without_records();
    if (checked < blocks) note_arguments(launch);
    gpu_.memory.for_each_array([&](const DeviceArray& array) { note_accesses(array, launch.kernel, place, uses); });
  }

  /// What the GPU says of a launch, with the place of the call where that is a library's.
  static Finding finding_of(FindingKind kind, std::string text, std::string place, const Configuration& launch) {
    if (!launch.of_library) return {kind, std::move(place), std::move(text)};
    return {kind, place_of(launch.where), text.substr(0, text.rfind(" (at "))};
  }

  void note_equal_writes(const Configuration& launch) {
    for (simt::EqualWrites& each : std::exchange(gpu_.equal_writes, {}))
      record_.find_once(finding_of(FindingKind::same_value, std::move(each.text), std::move(each.place), launch));
  }

  void note_without_records() {
    gpu_.memory.for_each([&](const DeviceArray& array) {
      if (!array.without_records) return;
      const auto known = arrays_.find(array.begin);
      const bool is_array = known != arrays_.end();
      record_.find_once(
          {FindingKind::unchecked, is_array ? known->second.allocated : "",
           (is_array
                ? named(known->second)
                : "__device__ variable " + simt::source_name(array.name).variable + " of " + byte_count(array.bytes)) +
               ": accesses without an order, of threads and of streams, were not looked for, as there was "
               "no memory for it; bounds were checked. Check a smaller one, or give the process more memory"});
    });
  }

  void bar_arrays_from(std::size_t gpu) {
    gpu_.memory.for_each_array([&](DeviceArray& array) {
      if (array.state == simt::ArrayState::freed) return;
      const Array& known = arrays_.at(array.begin);
      const bool may = known.memory != Memory::device || known.gpu == gpu || peers_[gpu].contains(known.gpu);
      array.state = may ? simt::ArrayState::ready : simt::ArrayState::of_another_gpu;
    });
  }

  /// What the latest launch did with an array.
  void note_accesses(const DeviceArray& array, const std::string& kernel, const std::string& place,
                     std::vector<MemoryUse>& uses) {
    const std::size_t before = uses.size();
    if (array.without_records) arrays_.at(array.begin).writer.clear();  // it may have been read
    for (const AccessKind kind : {AccessKind::read, AccessKind::write, AccessKind::atomic}) {
      const simt::AccessedBytes& bytes = array.accessed[static_cast<std::size_t>(kind)];
      if (bytes.launch() == gpu_.launches()) uses.push_back(use_of(array, bytes, kind));
    }
    if (uses.size() == before) return;
    const bool read = uses[before].kind == AccessKind::read;
    Array& known = arrays_.at(array.begin);
    known.writer = read ? "" : kernel;
    known.written_from = place;
  }

  static MemoryUse use_of(const DeviceArray& array, const simt::AccessedBytes& bytes, AccessKind kind) {
    constexpr std::size_t kMostIntervals = 1024;  // of a use that is remembered
    const simt::ByteInterval hull = bytes.hull();
    MemoryUse use{array.begin + hull.begin, hull.end - hull.begin, kind, bytes.intervals(kMostIntervals)};
    use.has_more = use.intervals.back().end < hull.end;
    for (simt::ByteInterval& each : use.intervals) each = {each.begin - hull.begin, each.end - hull.begin};
    return use;
  }

  /// Thread blocks that are not checked may read all that the kernel was given.
  void note_arguments(const PendingLaunch& launch) {
    for (std::size_t i = 0; i + sizeof(void*) <= launch.call.bytes; i += sizeof(void*)) {
      const void* address = nullptr;
      std::memcpy(&address, launch.parameters->data() + i, sizeof address);
      note_read(address);
    }
  }

  // ---- Arrays
  Array* array_at(const void* address) {
    const DeviceArray* const array = gpu_.memory.near(address);
    const auto found = array == nullptr ? arrays_.end() : arrays_.find(array->begin);
    return found == arrays_.end() ? nullptr : &found->second;
  }

  bool is_of_the_device(const void* address) {
    const Array* const array = array_at(address);
    return array == nullptr ? gpu_.memory.near(address) != nullptr : array->memory != Memory::pinned;
  }

  static std::string named(const Array& array) {
    const std::string kind = array.memory == Memory::device    ? "device array"
                             : array.memory == Memory::managed ? "managed array"
                                                               : "pinned array";
    return (array.name.empty() ? "a " + kind : kind + " " + array.name) + " of " + byte_count(array.bytes) +
           (array.is_registered ? " (registered at " : " (allocated at ") + array.allocated + ")";
  }

  std::string array_name(const void* address, const std::vector<std::string>& names) {
    if (names.size() > 1 && !names[1].empty()) return names[1];
    const Array* const array = array_at(address);
    return array == nullptr ? "" : array->name;
  }

  void free_array(void* begin, Array& array, std::string place) {
    note_unread(array);
    array.free_given = place;
    array.freed = std::move(place);
    if (array.memory != Memory::pinned) allocated_ -= array.bytes;
    gpu_.memory.release(begin);
  }

  void note_read(const void* address) {
    if (Array* const array = array_at(address)) array->writer.clear();
  }

  /// A result that goes nowhere.
  void note_unread(const Array& array) {
    if (array.memory != Memory::device || array.writer.empty()) return;
    const Finding note{FindingKind::note, array.written_from,
                       "kernel " + array.writer + " writes " + named(array) +
                           ", and nothing reads it afterwards: no copy, and no other kernel"};
    record_.find_once(note);
  }

  /// What is wrong with [address, address + bytes) as device memory, from its name on; empty: nothing.
  std::string device_problem(const void* address, std::size_t bytes) {
    const DeviceArray* const array = gpu_.memory.near(address);
    if (array == nullptr) {
      if (gpu_.memory.discover_variable(address, bytes) != nullptr) return {};
      return "memory of the host, where an array of the device is needed";
    }
    if (array->is_variable) return array->contains(address, bytes) ? "" : "a __device__ variable that is smaller";
    return array_problem(*array, address, bytes);
  }

  std::string host_problem(const void* address, std::size_t bytes) {
    const Array* const array = array_at(address);
    if (array == nullptr) return {};
    if (array->memory == Memory::device)
      return named(*array) + ", where memory of the host is needed; the direction of the copy is wrong";
    return array_problem(*gpu_.memory.near(address), address, bytes);
  }

  std::string array_problem(const DeviceArray& array, const void* address, std::size_t bytes) const {
    const Array& known = arrays_.at(array.begin);
    if (!known.freed.empty()) return named(known) + ", which was freed at " + known.freed;
    if (array.contains(address, bytes)) return {};
    const auto offset = static_cast<const std::byte*>(address) - array.begin;
    return "byte " + std::to_string(offset) + " on of " + named(known) + ": beyond its end";
  }

  /// Where the bytes of device memory are now; null where no array or variable holds them.
  std::byte* stored(const void* address, std::size_t bytes) {
    return const_cast<std::byte*>(gpu_.memory.after_launches(address, bytes));
  }

  void note_written(const void* address, std::size_t bytes) {
    DeviceArray* const array = gpu_.memory.find(address, bytes);
    if (array == nullptr || array->written.empty()) return;
    array->written.add(static_cast<std::size_t>(static_cast<const std::byte*>(address) - array->begin), bytes);
  }

  void add_use(std::vector<MemoryUse>& uses, const void* address, std::size_t bytes, AccessKind kind) {
    if (array_at(address) != nullptr) uses.push_back({static_cast<const std::byte*>(address), bytes, kind});
  }

  // ---- Accesses without order
  /// Managed and pinned memory is watched while work that uses some of it may be under way.
  void watch_shared() {
    const bool is_used = host_arena_.begin != shared_memory_.begin;
    const bool watched =
        is_used && streams_.unawaited({shared_memory_.begin, shared_memory_.bytes, AccessKind::write}) != nullptr;
    simt::host_watch.shared = watched ? shared_memory_ : MemoryRange();
  }

  /// Called by the host's code for what only kernels may access, or what they may be using.
  void host_access(const void* address, std::size_t bytes, AccessKind kind, const void* instruction) {
    const std::lock_guard lock(mutex_);
    const Array* const array = array_at(address);
    const std::string what = std::string("host code ") + (kind == AccessKind::read ? "reads " : "writes ") +
                             byte_count(bytes) + " of " + (array == nullptr ? "device memory" : named(*array));
    const auto line = [&] { return simt::source_line(static_cast<const std::byte*>(instruction) - 1); };
    if (!shared_memory_.contains(address, 1)) {  // a real program would crash here
      record_.find({FindingKind::host_fault, line(), what + ": only kernels and copies may; use cudaMemcpy"});
      stop();
    }
    // Host code that changes an array by atomics, too, shares it with kernels on purpose: its reads are in no conflict
    // with their atomics.
    const bool shares_by_atomics = kind == AccessKind::read && array != nullptr && array->has_atomics_of_host;
    const AccessKind as = shares_by_atomics ? AccessKind::atomic : kind;
    const DoneWork* const work = streams_.unawaited({static_cast<const std::byte*>(address), bytes, as});
    if (work == nullptr || !reported_.insert(instruction).second) return;
    record_.find_once({FindingKind::unordered, line(),
                       what + ", which " + work->what + " (" + work->place +
                           ") may still be using: the host has not waited for it, as by cudaDeviceSynchronize"});
  }

  void host_atomic(const void* address) {
    const std::lock_guard lock(mutex_);
    if (Array* const array = array_at(address)) array->has_atomics_of_host = true;
  }

  void stream_conflict(const DoneWork& first, const DoneWork& second, const SharedBytes& shared) {
    const DeviceArray* const memory = gpu_.memory.near(shared.begin);
    const Array* const array = array_at(shared.begin);
    if (array == nullptr) return;
    const auto begin = static_cast<std::size_t>(shared.begin - memory->begin);
    Finding finding{FindingKind::unordered, second.place,
                    second.what + " and " + first.what + " (" + first.place + ")" +
                        (shared.is_certain ? " use " : " may use the same bytes of ") + named(*array) +
                        " in different streams, without an event or a synchronisation between them"};
    if (!shared.is_certain) {
      finding.kind = FindingKind::note;
      finding.text +=
          ": both access parts of bytes " + std::to_string(begin) + " to " + std::to_string(begin + shared.bytes - 1);
    }
    record_.find_once(finding);
  }

  // ---- What was found
  Status refuse(Status status, const Where& where, std::string text) {
    record_.find({FindingKind::host_fault, place_of(where), std::move(text)});
    last_status = status;
    return status;
  }

  /// Writes what the copy brought when it has been done; in the order of the calls, whenever that is.
  std::function<void()> recorded_copy(void* to, const void* from, std::size_t bytes, NumberType type,
                                      const Where& where) {
    const std::vector<std::string> names = names_.variables(where, "cudaMemcpy");
    const CopiedBack copy{place_of(where),
                          names.empty() ? "" : names[0],
                          array_name(from, names),
                          std::string(name_of(type)),
                          bytes,
                          0,
                          {}};
    return [this, copy, to, type, number = record_.next_copy()] { record_.write_copy(number, copy, type, to); };
  }

  [[noreturn]] void stop() {
    record_.finish();
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(kStoppedStatus);
  }

  void end() {
    const std::lock_guard lock(mutex_);
    simt::host_watch = {};
    streams_.finish();
    for (const auto& [begin, array] : arrays_) {
      if (!array.freed.empty()) continue;
      note_unread(array);
      if (array.memory != Memory::pinned) record_.find({FindingKind::leak, array.allocated, named(array)});
    }
    record_.finish();
  }

  std::recursive_mutex mutex_;  ///< programs call from several threads
  simt::Gpu gpu_;
  std::unordered_map<RunBody*, RunBody*> unchecked_;  ///< copies, by the checked one
  MemoryRange device_arena_;
  MemoryRange host_arena_;
  MemoryRange shared_memory_;  ///< all of the host's arena
  std::map<void*, Array> arrays_;
  std::vector<std::set<std::size_t>> peers_;  ///< of each GPU, those whose memory its kernels may access
  Streams streams_;
  std::deque<PendingLaunch> children_;  ///< launched by kernels that have run, or that runs
  std::size_t depth_ = 0;               ///< of the kernel that runs
  std::set<const void*> reported_;      ///< instructions of the host
  std::size_t allocated_ = 0;
  unsigned long long ticks_ = 0;
  CallNames names_;
  RecordWriter record_;
};

}  // namespace

std::size_t gpu_count() { return Program::get().gpus(); }
std::size_t current_gpu() { return gpu_of_this_thread; }
Status use_gpu(int gpu) {
  if (!Program::get().has_gpu(gpu)) return last_status = Status::invalid_device;
  gpu_of_this_thread = static_cast<std::size_t>(gpu);
  return Status::success;
}
Status set_peer_access(int peer, bool enabled) { return Program::get().set_peer_access(peer, enabled); }

void use_thread_streams() { thread_streams = true; }
std::size_t make_stream(bool joins_default) { return Program::get().make_stream(joins_default); }
void host_waits(const Stream* stream) { Program::get().host_waits(Program::get().before_next(stream)); }
bool is_done(const Stream* stream) { return Program::get().host_asks(Program::get().before_next(stream)); }
void host_waits_for_gpu() { Program::get().host_waits_for_gpu(); }
void give_call(const Stream* stream, void (*call)(void* data), void* data, const Where& where) {
  Program::get().give_call(stream, call, data, where);
}

void record(Event& event, const Stream* stream) { event = {Program::get().before_next(stream), ticks()}; }
void stream_waits(const Stream* stream, const Event& event) { Program::get().stream_waits(stream, event.progress); }
void host_waits(const Event& event) { Program::get().host_waits(event.progress); }
bool is_done(const Event& event) { return Program::get().host_asks(event.progress); }

void* allocate(std::size_t bytes, Memory memory, const Where& where) {
  void* const array = Program::get().allocate(bytes, memory, where);
  if (array == nullptr) set_last_error(Status::out_of_memory);
  return array;
}
Status release(void* array, const Where& where) { return Program::get().release(array, where, nullptr, false); }
Status release_in(const Stream* stream, void* array, const Where& where) {
  return Program::get().release(array, where, stream, true);
}
void release_all() { Program::get().release_all(); }
Status register_memory(void* memory, std::size_t bytes, const Where& where) {
  return Program::get().register_memory(memory, bytes, where);
}
Status unregister_memory(void* memory, const Where& where) { return Program::get().unregister_memory(memory, where); }
KnownMemory known_memory(const void* address) { return Program::get().known_memory(address); }
std::size_t free_memory() { return Program::get().free_memory(); }

Status copy(void* to, const void* from, std::size_t bytes, Direction direction, NumberType type, const Where& where,
            const Queue& queue) {
  return Program::get().copy(to, from, bytes, direction, type, where, queue);
}
Status fill(void* array, int byte, std::size_t bytes, const Where& where, const Queue& queue) {
  return Program::get().fill(array, byte, bytes, where, queue);
}
Status copy_to_variable(const void* symbol, std::size_t offset, const void* from, std::size_t bytes,
                        const Where& where) {
  return Program::get().copy_variable(symbol, offset, nullptr, from, bytes, NumberType::bytes, where);
}
Status copy_from_variable(void* to, const void* symbol, std::size_t offset, std::size_t bytes, NumberType type,
                          const Where& where) {
  return Program::get().copy_variable(symbol, offset, to, nullptr, bytes, type, where);
}

Status last_error(bool forget) { return forget ? std::exchange(last_status, Status::success) : last_status; }
void set_last_error(Status status) { last_status = status; }

void set_managed_variables(std::byte* begin, const std::byte* end) {
  managed_variables = {begin, static_cast<std::size_t>(end - begin)};
}

unsigned long long ticks() { return Program::get().next_tick(); }

Status launch(std::string_view name, const Configuration& configuration, const simt::KernelCall& call) {
  return Program::get().launch(name, configuration, call);
}
void wait_in_kernel(const Where& where) { Program::get().wait_in_kernel(where); }
Status allow_dynamic_shared(const void* kernel, std::size_t bytes) {
  return Program::get().allow_dynamic_shared(kernel, bytes);
}

}  // namespace orderlab::host_program
