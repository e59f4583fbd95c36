// Devices: what a simulated GPU offers to programs that launch kernels on it by themselves.
#include <cstring>
#include <utility>

#include "core/float_environment.hpp"
#include "orderlab/simt.hpp"
#include "simt/gpu.hpp"
#include "simt/machine.hpp"

namespace orderlab::simt {

class Device::State : public Gpu {
 public:
  using Gpu::Gpu;
};

Device::Device(Schedule schedule)
    : state_(in_float_environment([&] { return std::make_unique<State>(std::move(schedule)); })) {}
Device::~Device() = default;

const std::vector<AtomicArrival>& Device::atomic_arrivals() const { return state_->arrivals; }

void* Device::allocate(const void* values, std::size_t bytes, Kind kind, std::string_view name) {
  const Contents contents = kind == Kind::zeros           ? Contents::zeros
                            : kind == Kind::uninitialised ? Contents::unwritten
                                                          : Contents::values;
  return state_->memory.allocate(values, bytes, kind != Kind::input, contents, name);
}

void Device::copy_out(const void* array, void* values, std::size_t bytes) const {
  if (bytes == 0) return;
  const std::byte* const from = state_->memory.after_launches(array, bytes);
  if (from == nullptr)
    throw Error(ErrorKind::usage, "read of " + std::to_string(bytes) +
                                      " bytes: they are not all in one array of this device; read what it holds");
  std::memcpy(values, from, bytes);
}

void Device::allow(const void* kernel, std::size_t bytes) { state_->allow_dynamic_shared(kernel, bytes); }

void Device::use_tensor_cores_of(unsigned architecture) {
  state_->tensor_cores = architecture == 0 ? kDefaultTensorCores : architecture;
}

void Device::next_is_cooperative() { state_->next_is_cooperative = true; }

void Device::run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const KernelCall& call) {
  const FloatEnvironment environment;
  state_->run(name, grid, block, shared_bytes, call);
}

}  // namespace orderlab::simt
