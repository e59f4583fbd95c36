// The one simulated GPU of a host program: its memory, its launches, and the record of what was found.
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <tuple>

#include "core/float_environment.hpp"
#include "cuda_source/arguments.hpp"
#include "host_program/settings.hpp"
#include "orderlab/host_program.hpp"
#include "simt/gpu.hpp"
#include "simt/host_watch.hpp"
#include "simt/symbols.hpp"

namespace orderlab::host_program {

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

std::uint64_t hash_of(const void* data, std::size_t bytes) {  // FNV-1a
  std::uint64_t hash = 0xCBF29CE484222325;
  for (std::size_t i = 0; i < bytes; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001B3;
  return hash;
}

/// Whether a kernel belongs to the stand-in of a library, in which no line says what the program did wrong.
bool is_of_library(std::string_view name, const void* kernel) {
  constexpr std::string_view kPrefixes[] = {"thrust::", "cub::", "cublas", "curand"};
  return kernel == nullptr && std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                                          [&](std::string_view prefix) { return name.starts_with(prefix); });
}

constexpr std::string_view type_name(NumberType type) {
  constexpr std::string_view kNames[] = {"bytes", "fp16", "bf16", "fp32", "fp64", "int32", "uint32", "int64", "uint64"};
  return kNames[static_cast<std::size_t>(type)];
}

constexpr std::size_t bytes_of(NumberType type) {
  constexpr std::size_t kBytes[] = {1, 2, 2, 4, 8, 4, 4, 8, 8};
  return kBytes[static_cast<std::size_t>(type)];
}

class Program {
 public:
  static Program& get() {
    static Program* const kProgram = new Program;  // outlives everything that the program destroys at its end
    return *kProgram;
  }

  void* allocate(std::size_t bytes, Memory memory, const Where& where) {
    const std::lock_guard lock(mutex_);
    if (memory != Memory::pinned && bytes > kMemoryBytes - allocated_) return nullptr;
    gpu_.memory.use_arena(memory == Memory::device ? device_arena_ : host_arena_);
    const std::vector<std::string> names = variables(where, "cuda");
    std::string name = names.empty() ? "" : names[0];
    void* const begin = gpu_.memory.allocate(
        nullptr, bytes, true, memory == Memory::device ? simt::Contents::unwritten : simt::Contents::zeros, name);
    arrays_[begin] = {std::move(name), bytes, memory, place_of(where), {}};
    if (memory != Memory::pinned) allocated_ += bytes;
    return begin;
  }

  Status release(void* array, const Where& where) {
    const std::lock_guard lock(mutex_);
    if (array == nullptr) return Status::success;
    const auto found = arrays_.find(array);
    if (found == arrays_.end())
      return refuse(Status::invalid_device_pointer, where,
                    "frees memory that cudaMalloc did not give, or not at its beginning");
    if (!found->second.freed.empty())
      return refuse(Status::invalid_device_pointer, where,
                    "frees " + named(found->second) + " again; it was freed at " + found->second.freed);
    free_array(found->first, found->second, place_of(where));
    return Status::success;
  }

  void release_all() {
    const std::lock_guard lock(mutex_);
    for (auto& [begin, array] : arrays_)
      if (array.freed.empty()) free_array(begin, array, "cudaDeviceReset");
  }

  bool is_device_memory(const void* address) {
    const std::lock_guard lock(mutex_);
    return gpu_.memory.near(address) != nullptr;
  }

  std::size_t free_memory() const { return kMemoryBytes - allocated_; }

  Status copy(void* to, const void* from, std::size_t bytes, Direction direction, NumberType type, const Where& where) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0) return Status::success;
    const bool to_known = gpu_.memory.near(to) != nullptr;
    const bool from_known = gpu_.memory.near(from) != nullptr;
    if (direction == Direction::by_address)
      direction = to_known ? (from_known ? Direction::device_to_device : Direction::host_to_device)
                           : (from_known ? Direction::device_to_host : Direction::host_to_host);
    const bool to_device = direction == Direction::host_to_device || direction == Direction::device_to_device;
    const bool from_device = direction == Direction::device_to_host || direction == Direction::device_to_device;
    for (const auto& [is_device, address, what] :
         {std::tuple{to_device, static_cast<const void*>(to), "to"}, std::tuple{from_device, from, "from"}}) {
      const std::string problem = is_device ? device_problem(address, bytes) : host_problem(address);
      if (!problem.empty())
        return refuse(is_device ? Status::invalid_value : Status::invalid_copy_direction, where,
                      "copies " + byte_count(bytes) + " " + what + " " + problem);
    }
    std::memmove(to_device ? stored(to, bytes) : to, from_device ? stored(from, bytes) : from, bytes);
    if (to_device) note_written(to, bytes);
    if (direction == Direction::device_to_host) {
      const std::vector<std::string> names = variables(where, "cudaMemcpy");
      record_copy(to, bytes, type, names.empty() ? "" : names[0], array_name(from, names), where);
    }
    return Status::success;
  }

  Status fill(void* array, int byte, std::size_t bytes, const Where& where) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0) return Status::success;
    const std::string problem = device_problem(array, bytes);
    if (!problem.empty())
      return refuse(Status::invalid_value, where, "sets " + byte_count(bytes) + " of " + problem);
    std::memset(stored(array, bytes), byte, bytes);
    note_written(array, bytes);
    return Status::success;
  }

  Status copy_variable(const void* symbol, std::size_t offset, void* to, const void* from, std::size_t bytes,
                       NumberType type, const Where& where) {
    const std::lock_guard lock(mutex_);
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
    const std::vector<std::string> names = variables(where, "cudaMemcpyFromSymbol");
    record_copy(to, bytes, type, names.empty() ? "" : names[0], names.size() < 2 ? "" : names[1], where);
    return Status::success;
  }

  Status launch(std::string_view kernel, const Configuration& configuration, const Call& call) {
    static constexpr std::string_view kInKernel = "launches a kernel: launches from kernels are not run";
    if (simt::in_kernel()) simt::unsupported(kInKernel.data(), configuration.where);
    const std::lock_guard lock(mutex_);
    if (kernel.starts_with('(') && kernel.ends_with(')')) kernel = kernel.substr(1, kernel.size() - 2);
    const std::string place = place_of(configuration.where);
    LaunchCount& count = launches_[{place, std::string(kernel)}];
    const std::size_t atomics = gpu_.arrivals.size();
    gpu_.next_is_cooperative = configuration.cooperative;
    try {
      const FloatEnvironment environment;
      count.checked += gpu_.run(kernel, configuration.grid, configuration.block, configuration.shared_bytes,
                                {call.parameters, call.bytes, call.run, call.kernel, call.max_threads});
    } catch (const simt::Fault& fault) {
      std::string text = fault.what();
      const bool of_library = is_of_library(kernel, call.kernel);
      if (of_library) text = text.substr(0, text.rfind(" (at "));
      find({FindingKind::fault, of_library ? place : fault.place(), std::move(text)});
      stop();
    } catch (const Error& error) {
      return refuse(Status::invalid_configuration, configuration.where, error.what());
    }
    ++count.launches;
    count.blocks += configuration.grid.count();
    count.threads += configuration.grid.count() * configuration.block.count();
    ticks += configuration.grid.count() * configuration.block.count();
    count.float_atomics += gpu_.arrivals.size() - atomics;
    gpu_.arrivals.clear();
    return Status::success;
  }

  Status allow_dynamic_shared(const void* kernel, std::size_t bytes) {
    try {
      gpu_.allow_dynamic_shared(kernel, bytes);
      return Status::success;
    } catch (const Error&) {
      return Status::invalid_value;
    }
  }

  Status last = Status::success;
  unsigned long long ticks = 0;

 private:
  struct Array {
    std::string name;
    std::size_t bytes = 0;
    Memory memory = Memory::device;
    std::string allocated;  ///< places
    std::string freed;      ///< empty: it is not
  };

  Program() : gpu_(schedule_of(settings())), device_arena_(reserve(kArenaBytes)), host_arena_(reserve(kArenaBytes)) {
    gpu_.checks = {settings().checked_first, settings().checked_sample};
    gpu_.warp_synchronous = settings().warp_synchronous;
    if (!settings().record.empty()) record_.open(settings().record, std::ios::app);
    simt::host_watch = {device_arena_, [](const void* address, std::size_t bytes, AccessKind kind,
                                          const void* instruction) { get().host_access(address, bytes, kind, instruction); }};
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

  // ---- Arrays
  const Array* array_at(const void* address) {
    const DeviceArray* const array = gpu_.memory.near(address);
    const auto found = array == nullptr ? arrays_.end() : arrays_.find(array->begin);
    return found == arrays_.end() ? nullptr : &found->second;
  }

  static std::string named(const Array& array) {
    return (array.name.empty() ? "a device array" : "device array " + array.name) + " of " + byte_count(array.bytes) +
           " (allocated at " + array.allocated + ")";
  }

  std::string array_name(const void* address, const std::vector<std::string>& names) {
    if (names.size() > 1 && !names[1].empty()) return names[1];
    const Array* const array = array_at(address);
    return array == nullptr ? "" : array->name;
  }

  void free_array(void* begin, Array& array, std::string place) {
    array.freed = std::move(place);
    if (array.memory != Memory::pinned) allocated_ -= array.bytes;
    gpu_.memory.release(begin);
  }

  /// What is wrong with [address, address + bytes) as device memory, from its name on; empty: nothing.
  std::string device_problem(const void* address, std::size_t bytes) {
    const DeviceArray* const array = gpu_.memory.near(address);
    if (array == nullptr) {
      if (gpu_.memory.discover_variable(address, bytes) != nullptr) return {};
      return "memory of the host, where an array of the device is needed";
    }
    if (array->is_variable) return array->contains(address, bytes) ? "" : "a __device__ variable that is smaller";
    const Array& known = arrays_.at(array->begin);
    if (!known.freed.empty()) return named(known) + ", which was freed at " + known.freed;
    if (array->contains(address, bytes)) return {};
    const auto offset = static_cast<const std::byte*>(address) - array->begin;
    return "byte " + std::to_string(offset) + " on of " + named(known) + ": beyond its end";
  }

  std::string host_problem(const void* address) {
    const Array* const array = array_at(address);
    if (array == nullptr || array->memory != Memory::device) return {};
    return named(*array) + ", where memory of the host is needed; the direction of the copy is wrong";
  }

  /// Where the bytes of device memory are now; null where no array or variable holds them.
  std::byte* stored(const void* address, std::size_t bytes) {
    return const_cast<std::byte*>(gpu_.memory.after_launches(address, bytes));
  }

  void note_written(const void* address, std::size_t bytes) {
    DeviceArray* const array = gpu_.memory.find(address, bytes);
    if (array == nullptr || array->written.empty()) return;
    const auto begin = array->written.begin() + (static_cast<const std::byte*>(address) - array->begin);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(bytes), true);
  }

  /// Called by the host's code for what only kernels may access. A real program would crash here.
  void host_access(const void* address, std::size_t bytes, AccessKind kind, const void* instruction) {
    const std::lock_guard lock(mutex_);
    const Array* const array = array_at(address);
    find({FindingKind::host_fault, simt::source_line(static_cast<const std::byte*>(instruction) - 1),
          std::string("host code ") + (kind == AccessKind::read ? "reads " : "writes ") + byte_count(bytes) + " of " +
              (array == nullptr ? "device memory" : named(*array)) + ": only kernels and copies may; use cudaMemcpy"});
    stop();
  }

  // ---- What was found
  Status refuse(Status status, const Where& where, std::string text) {
    find({FindingKind::host_fault, place_of(where), std::move(text)});
    last = status;
    return status;
  }

  void find(const Finding& finding) { write(line_of(finding), &finding); }

  void write(const std::string& line, const Finding* finding = nullptr) {
    if (record_.is_open())
      record_ << line << std::flush;
    else if (finding != nullptr && finding->kind != FindingKind::leak)
      std::cerr << finding->place << ": " << finding->text << std::endl;
  }

  void record_copy(const void* data, std::size_t bytes, NumberType type, std::string to, std::string from,
                   const Where& where) {
    if (!record_.is_open()) return;
    CopiedBack copy{place_of(where), std::move(to), std::move(from), std::string(type_name(type)), bytes,
                    hash_of(data, bytes), {}};
    const std::size_t size = bytes_of(type);
    for (std::size_t i = 0; i < kMostNumbers && (i + 1) * size <= bytes; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, static_cast<const std::byte*>(data) + i * size, size);
      copy.numbers.push_back(bits);
    }
    write(line_of(copy));
  }

  void write_launches() {
    for (auto& [key, count] : launches_) {
      count.place = key.first;
      count.kernel = key.second;
      write(line_of(count));
    }
    launches_.clear();
  }

  [[noreturn]] void stop() {
    write_launches();
    std::cout.flush();
    std::fflush(nullptr);
    std::_Exit(kStoppedStatus);
  }

  void end() {
    const std::lock_guard lock(mutex_);
    simt::host_watch = {};
    for (const auto& [begin, array] : arrays_)
      if (array.freed.empty() && array.memory != Memory::pinned)
        find({FindingKind::leak, array.allocated, named(array)});
    write_launches();
  }

  /// The variables that the source passes to a function of the API.
  const std::vector<std::string>& variables(const Where& where, std::string_view function) {
    const auto [entry, is_new] = variables_.try_emplace({where.file_name(), where.line()});
    if (is_new) entry->second = cuda_source::variables_of_call(source(where.file_name()), where.line(), function);
    return entry->second;
  }

  const std::string& source(const std::string& file) {
    const auto [entry, is_new] = sources_.try_emplace(file);
    if (is_new) {
      std::ifstream stream(file);
      entry->second.assign(std::istreambuf_iterator<char>(stream), {});
    }
    return entry->second;
  }

  std::recursive_mutex mutex_;  ///< programs call from several threads
  simt::Gpu gpu_;
  MemoryRange device_arena_;
  MemoryRange host_arena_;
  std::map<void*, Array> arrays_;
  std::size_t allocated_ = 0;
  std::map<std::pair<std::string, std::string>, LaunchCount> launches_;  ///< by place and kernel
  std::map<std::pair<std::string, std::uint_least32_t>, std::vector<std::string>> variables_;
  std::map<std::string, std::string> sources_;
  std::ofstream record_;
};

}  // namespace

void* allocate(std::size_t bytes, Memory memory, const Where& where) {
  void* const array = Program::get().allocate(bytes, memory, where);
  if (array == nullptr) set_last_error(Status::out_of_memory);
  return array;
}
Status release(void* array, const Where& where) { return Program::get().release(array, where); }
void release_all() { Program::get().release_all(); }
bool is_device_memory(const void* address) { return Program::get().is_device_memory(address); }
std::size_t free_memory() { return Program::get().free_memory(); }

Status copy(void* to, const void* from, std::size_t bytes, Direction direction, NumberType type, const Where& where) {
  return Program::get().copy(to, from, bytes, direction, type, where);
}
Status fill(void* array, int byte, std::size_t bytes, const Where& where) {
  return Program::get().fill(array, byte, bytes, where);
}
Status copy_to_variable(const void* symbol, std::size_t offset, const void* from, std::size_t bytes,
                        const Where& where) {
  return Program::get().copy_variable(symbol, offset, nullptr, from, bytes, NumberType::bytes, where);
}
Status copy_from_variable(void* to, const void* symbol, std::size_t offset, std::size_t bytes, NumberType type,
                          const Where& where) {
  return Program::get().copy_variable(symbol, offset, to, nullptr, bytes, type, where);
}

Status last_error(bool forget) {
  Status& last = Program::get().last;
  return forget ? std::exchange(last, Status::success) : last;
}
void set_last_error(Status status) { Program::get().last = status; }

unsigned long long ticks() { return ++Program::get().ticks; }

Status launch(std::string_view name, const Configuration& configuration, const Call& call) {
  return Program::get().launch(name, configuration, call);
}
Status allow_dynamic_shared(const void* kernel, std::size_t bytes) {
  return Program::get().allow_dynamic_shared(kernel, bytes);
}

}  // namespace orderlab::host_program
