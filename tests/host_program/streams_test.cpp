#include "host_program/streams.hpp"

#include <doctest/doctest.h>

#include <set>
#include <utility>

using namespace orderlab;
using namespace orderlab::host_program;
using simt::AccessKind;

namespace {

/// Work that notes its name where it is done, and writes one byte.
class Done {
 public:
  Work work(char name, const std::byte& memory, AccessKind kind = AccessKind::write) {
    return {"", std::string(1, name), [this, name, use = MemoryUse{&memory, 1, kind}] {
              names_ += name;
              return std::vector{use};
            }};
  }
  const std::string& names() const { return names_; }

 private:
  std::string names_;
};

RandomStream drawn(std::uint64_t sample) { return RandomStream(1, streams::kFirstLaunch, sample); }

}  // namespace

TEST_CASE("work of one stream keeps its order, work of two is done in each order") {
  std::set<std::string> orders;
  for (std::uint64_t sample = 1; sample < 50; ++sample) {
    std::byte memory[2] = {};
    Done done;
    Streams all(1, drawn(sample));
    const std::size_t a = all.create(0, true);
    const std::size_t b = all.create(0, true);
    all.give(a, done.work('a', memory[0]));
    all.give(b, done.work('b', memory[1]));
    all.give(a, done.work('c', memory[0]));
    all.finish();
    orders.insert(done.names());
  }
  CHECK(orders == std::set<std::string>{"abc", "acb", "bac"});
}

TEST_CASE("an event, a wait of the host and the default stream are an order") {
  for (int kind = 0; kind < 4; ++kind) {
    std::set<std::string> orders;
    std::size_t conflicts = 0;
    for (std::uint64_t sample = 1; sample < 50; ++sample) {
      std::byte memory{};
      std::byte other{};
      Done done;
      Streams all(1, drawn(sample));
      all.on_conflict = [&](const DoneWork&, const DoneWork&, const SharedBytes&) { ++conflicts; };
      const std::size_t a = all.create(0, kind != 3);
      const std::size_t b = all.create(0, true);
      all.give(a, done.work('a', memory));
      if (kind == 0) all.stream_waits(b, all.before_next(a));
      if (kind == 1) all.host_waits(all.before_next(a));
      if (kind >= 2) all.give(0, done.work('d', other));
      all.give(b, done.work('b', memory));
      all.finish();
      orders.insert(done.names());
    }
    CAPTURE(kind);
    if (kind < 2) CHECK(orders == std::set<std::string>{"ab"});
    if (kind == 2) CHECK(orders == std::set<std::string>{"adb"});
    if (kind == 3) CHECK(orders == std::set<std::string>{"adb", "dab", "dba"});
    CHECK((conflicts > 0) == (kind == 3));
  }
}

TEST_CASE("two that read or do atomics are in no conflict, and what the host has waited for is not remembered") {
  std::byte memory{};
  Done done;
  Streams all(2, {});
  std::string conflicts;
  all.on_conflict = [&](const DoneWork& first, const DoneWork& second, const SharedBytes&) {
    conflicts += first.place + second.place + " ";
  };
  const std::size_t a = all.create(0, true);
  const std::size_t b = all.create(1, true);
  all.give(a, done.work('a', memory, AccessKind::read));
  all.give(b, done.work('b', memory, AccessKind::read));
  CHECK(all.unawaited({&memory, 1, AccessKind::read}) == nullptr);
  REQUIRE(all.unawaited({&memory, 1, AccessKind::write}) != nullptr);
  CHECK(all.unawaited({&memory, 1, AccessKind::write})->place == "a");
  CHECK(conflicts.empty());
  all.give(a, done.work('x', memory, AccessKind::atomic));
  all.give(b, done.work('y', memory, AccessKind::atomic));
  CHECK(conflicts == "bx ay ");
  conflicts.clear();
  all.give(1, done.work('c', memory));  // the default stream of the other GPU
  CHECK(conflicts == "ac xc ");
  all.host_waits(all.of_gpu(0));
  CHECK(all.unawaited({&memory, 1, AccessKind::write})->place == "b");
  CHECK(all.host_asks(all.of_gpu(1)));
  CHECK(all.unawaited({&memory, 1, AccessKind::write}) == nullptr);
  CHECK(done.names() == "abxyc");
}

TEST_CASE("two that use bytes of one array between each other's share none of them") {
  const std::byte memory[16] = {};
  const MemoryUse even{memory, 12, AccessKind::write, {{0, 4}, {8, 12}}};
  const MemoryUse odd{memory + 4, 12, AccessKind::write, {{0, 4}, {8, 12}}};
  const MemoryUse all{memory, 16, AccessKind::read};
  CHECK(!conflict(even, odd));
  CHECK(conflict(even, even)->is_certain);
  CHECK(conflict(all, odd)->is_certain);
  CHECK(conflict(all, odd)->begin == memory + 4);
  CHECK(!conflict(all, all));
  MemoryUse more = odd;
  more.has_more = true;
  REQUIRE(conflict(even, more));
  CHECK(!conflict(even, more)->is_certain);
  CHECK(conflict(even, more)->begin == memory + 4);
  CHECK(conflict(even, more)->bytes == 8);
  CHECK(conflict(all, more)->is_certain);
}

TEST_CASE("a host that asks again and again comes to an end") {
  std::byte memory{};
  Done done;
  Streams all(1, drawn(7));
  const std::size_t a = all.create(0, true);
  for (int i = 0; i < 20; ++i) all.give(a, done.work('a', memory));
  std::size_t asked = 1;
  while (!all.host_asks(all.before_next(a))) ++asked;
  CHECK(asked <= 20);
  CHECK(done.names().size() == 20);
}
