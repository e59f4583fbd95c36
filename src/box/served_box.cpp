#include "box/served_box.hpp"

#include <sys/socket.h>

#include <algorithm>

#include "box/one_line.hpp"

namespace orderlab {

ServedBox::ServedBox(const std::string& name, const BoxLimits& limits, const BoxSetting& setting, bool products,
                     std::optional<std::size_t> axis)
    : ChildBox(name, limits, setting), shape_{setting.n, setting.format, products, axis} {}

void ServedBox::start() {
  memory_.emplace(y_begin(shape_) + (shape_.products ? shape_.array_bytes() : 0));
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
    lay_inputs(shape_, inputs.subspan(begin, count), memory_->data() + kArrays,
               shape_.products ? memory_->data() + y_begin(shape_) : nullptr);
    const Deadline limit = deadline();
    ::send(control_.get(), &kCall, 1, MSG_NOSIGNAL);  // await() finds out if nobody listens
    await(limit, "");
    std::copy_n(header->results.begin(), count, results.begin() + static_cast<std::ptrdiff_t>(begin));
    changes_input_ = changes_input_ || header->changed != 0;
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
