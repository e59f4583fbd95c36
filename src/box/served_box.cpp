#include "box/served_box.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "box/one_line.hpp"

namespace orderlab {

ServedBox::ServedBox(const std::string& name, const BoxLimits& limits, const BoxSetting& setting, bool products,
                     std::optional<std::size_t> axis)
    : ChildBox(name, limits, setting), shape_{setting.n, setting.format, products, axis} {}

void ServedBox::start() {
  memory_.emplace(shape_.all_bytes());
  DescriptorPair connection = make_connection();
  const Deadline limit = deadline();
  ChildSetup setup = server(memory_->data());
  setup.files[kMemory] = memory_->file();
  setup.files[kControl] = connection.second.get();
  setup.threads = setting().threads;
  child_ = std::make_unique<Child>(setup);
  control_ = std::move(connection.first);
  connection.second = Descriptor();
  await(limit, " while it was loaded");
}

void ServedBox::answer(std::span<const TermView> inputs, std::span<double> results) {
  if (!child_) start();
  auto* const header = reinterpret_cast<CallHeader*>(memory_->data());
  for (std::size_t begin = 0; begin < inputs.size(); begin += together()) {
    const std::size_t count = std::min(together(), inputs.size() - begin);
    fill(inputs.subspan(begin, count));
    const Deadline limit = deadline();
    ::send(control_.get(), &kCall, 1, MSG_NOSIGNAL);  // await() finds out if nobody listens
    await(limit, "");
    std::copy_n(header->results.begin(), count, results.begin() + static_cast<std::ptrdiff_t>(begin));
    changes_input_ = changes_input_ || header->changed != 0;
  }
}

// Inputs that are not given are ones.
void ServedBox::fill(std::span<const TermView> inputs) const {
  const std::size_t bytes = shape_.number_bytes();
  const std::uint64_t one = round_to_bits(shape_.format, 1.0);  // x86 and Arm: the low bytes come first
  const std::size_t between_terms = shape_.axis == 0 ? together() : 1;
  const std::size_t between_inputs = shape_.axis == 0 ? 1 : shape_.n;
  const auto lay = [&](std::byte* array, std::size_t input, const void* numbers) {
    std::byte* to = array + input * between_inputs * bytes;
    if (numbers != nullptr && between_terms == 1) {
      std::memcpy(to, numbers, shape_.n * bytes);
      return;
    }
    const auto* from = static_cast<const std::byte*>(numbers);
    for (std::size_t i = 0; i < shape_.n; ++i, to += between_terms * bytes) {
      if (from == nullptr) {
        std::memcpy(to, &one, bytes);
      } else {
        std::memcpy(to, from + i * bytes, bytes);
      }
    }
  };
  for (std::size_t i = 0; i < together(); ++i) {
    assert(i >= inputs.size() || (inputs[i].n == shape_.n && inputs[i].format == shape_.format));
    const TermView terms = i < inputs.size() ? inputs[i] : TermView{};
    lay(memory_->data() + kArrays, i, terms.x);
    if (shape_.products) lay(memory_->data() + shape_.y_begin(), i, terms.y);
  }
}

void ServedBox::await(const Deadline& limit, const char* before) {
  pollfd file{control_.get(), POLLIN, 0};
  std::array<char, 4096> message{};
  if (wait({&file, 1}, limit, before)) {
    const ssize_t count = ::recv(control_.get(), message.data(), message.size(), MSG_DONTWAIT);
    if (count > 0 && message[0] == kDone) return;
    if (count > 0) fail(one_line({message.data() + 1, static_cast<std::size_t>(count) - 1}));
    wait({}, limit, before);  // it closed the connection
  }
  fail_exited(before);
}

}  // namespace orderlab
