#include "host_program/streams.hpp"

#include <algorithm>
#include <utility>

namespace orderlab::host_program {

namespace {

/// Work that is remembered while the host has not waited for it.
constexpr std::size_t kMostRecent = 1000;

std::uint64_t entry(const Progress& progress, std::size_t stream) {
  return stream < progress.size() ? progress[stream] : 0;
}

void add_stream(Progress& progress, std::size_t stream, std::uint64_t number) {
  if (progress.size() <= stream) progress.resize(stream + 1);
  progress[stream] = std::max(progress[stream], number);
}

void join(Progress& progress, const Progress& other) {
  for (std::size_t i = 0; i < other.size(); ++i) add_stream(progress, i, other[i]);
}

/// A certain one, if there is one.
std::optional<SharedBytes> conflict(const std::vector<MemoryUse>& uses, const std::vector<MemoryUse>& others) {
  std::optional<SharedBytes> possible;
  for (const MemoryUse& use : uses)
    for (const MemoryUse& other : others) {
      const std::optional<SharedBytes> shared = conflict(use, other);
      if (shared && shared->is_certain) return shared;
      if (shared) possible = shared;
    }
  return possible;
}

/// Whether both use a byte, of what is known of their uses.
bool share_a_byte(const MemoryUse& use, const MemoryUse& other) {
  const std::vector<simt::ByteInterval> whole = {{0, use.bytes}};
  const std::vector<simt::ByteInterval> other_whole = {{0, other.bytes}};
  const auto& own = use.intervals.empty() ? whole : use.intervals;
  const auto& others = other.intervals.empty() ? other_whole : other.intervals;
  for (std::size_t i = 0, j = 0; i < own.size() && j < others.size();) {
    if (use.begin + own[i].end <= other.begin + others[j].begin)
      ++i;
    else if (other.begin + others[j].end <= use.begin + own[i].begin)
      ++j;
    else
      return true;
  }
  return false;
}

}  // namespace

std::optional<SharedBytes> conflict(const MemoryUse& use, const MemoryUse& other) {
  if (use.kind == other.kind && use.kind != simt::AccessKind::write) return {};
  const std::byte* const begin = std::max(use.begin, other.begin);
  const std::byte* const end = std::min(use.begin + use.bytes, other.begin + other.bytes);
  if (begin >= end) return {};
  const bool is_certain = share_a_byte(use, other);
  if (!is_certain && !use.has_more && !other.has_more) return {};
  return SharedBytes{begin, static_cast<std::size_t>(end - begin), is_certain};
}

Streams::Streams(std::size_t gpus, std::optional<RandomStream> draws) : gpus_(gpus) {
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) create(gpu, true);
  if (draws) draws_.emplace(*draws);
}

std::size_t Streams::create(std::size_t gpu, bool joins_default) {
  streams_.push_back({.gpu = gpu, .joins_default = joins_default});
  return streams_.size() - 1;
}

Progress Streams::before_next(std::size_t stream) const {
  const Stream& own = streams_[stream];
  Progress progress = host_;
  join(progress, own.waits_for);
  add_stream(progress, stream, own.given);
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const bool joins = own.joins_default && streams_[i].joins_default && streams_[i].gpu == own.gpu;
    if (!joins || i == stream || (i >= gpus_ && stream >= gpus_)) continue;
    add_stream(progress, i, streams_[i].given);
    join(progress, streams_[i].waits_for);
  }
  return progress;
}

Progress Streams::of_gpu(std::size_t gpu) const {
  Progress progress;
  for (std::size_t i = 0; i < streams_.size(); ++i)
    if (streams_[i].gpu == gpu) add_stream(progress, i, streams_[i].given);
  return progress;
}

void Streams::give(std::size_t stream, Work work) {
  Progress after = before_next(stream);
  Stream& own = streams_[stream];
  join(own.waits_for, after);
  own.waiting.push_back({std::move(work), calls_++, ++own.given, std::move(after)});
  ++waiting_;
  if (!draws_) {
    do_next(stream);
    return;
  }
  // In the default stream, without other work beside it, nothing shows when it is done.
  if (stream < gpus_ && is_ready(stream) && waiting_ == own.waiting.size()) {
    do_next(stream);
    return;
  }
  while (draw_below(2) == 0 && do_one_of(of_gpu(own.gpu))) {
  }
}

void Streams::stream_waits(std::size_t stream, const Progress& progress) { join(streams_[stream].waits_for, progress); }

void Streams::host_waits(const Progress& progress) {
  while (!is_done(progress) && do_one_of(progress)) {
  }
  host_knows(progress);
}

bool Streams::host_asks(const Progress& progress) {
  if (!is_done(progress)) do_one_of(progress);
  if (!is_done(progress)) return false;
  host_knows(progress);
  return true;
}

void Streams::finish() {
  Progress all;
  for (std::size_t i = 0; i < streams_.size(); ++i) add_stream(all, i, streams_[i].given);
  host_waits(all);
}

const DoneWork* Streams::unawaited(const MemoryUse& use) const {
  const auto found = std::find_if(recent_.begin(), recent_.end(), [&](const DoneWork& each) {
    return std::any_of(each.uses.begin(), each.uses.end(),
                       [&](const MemoryUse& other) { return conflict(use, other).has_value(); });
  });
  return found == recent_.end() ? nullptr : &*found;
}

bool Streams::is_done(const Progress& progress) const {
  for (std::size_t i = 0; i < progress.size(); ++i)
    if (streams_[i].done < progress[i]) return false;
  return true;
}

bool Streams::is_ready(std::size_t stream) const {
  const Stream& own = streams_[stream];
  return !own.waiting.empty() && is_done(own.waiting.front().after);
}

void Streams::do_next(std::size_t stream) {
  Waiting next = std::move(streams_[stream].waiting.front());
  streams_[stream].waiting.pop_front();
  --waiting_;
  DoneWork done{
      std::move(next.work.what), std::move(next.work.place), stream, next.call, next.number, std::move(next.after), {}};
  done.uses = next.work.run();
  streams_[stream].done = next.number;
  for (const DoneWork& before : recent_) {
    if (entry(done.after, before.stream) >= before.number || entry(before.after, stream) >= done.number) continue;
    const std::optional<SharedBytes> shared = conflict(done.uses, before.uses);
    if (!shared) continue;
    const bool in_turn = before.call < done.call;
    on_conflict(in_turn ? before : done, in_turn ? done : before, *shared);
  }
  if (done.uses.empty()) return;
  if (recent_.size() == kMostRecent) recent_.pop_front();
  recent_.push_back(std::move(done));
}

bool Streams::do_one_of(const Progress& progress) {
  // What something of it waits for is needed, too.
  Progress needed = progress;
  for (bool grows = true; grows;) {
    const Progress before = needed;
    for (std::size_t i = 0; i < streams_.size(); ++i)
      for (const Waiting& each : streams_[i].waiting)
        if (each.number <= entry(needed, i)) join(needed, each.after);
    grows = needed != before;
  }
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < streams_.size(); ++i)
    if (is_ready(i) && streams_[i].waiting.front().number <= entry(needed, i)) ready.push_back(i);
  if (ready.empty()) return false;
  do_next(ready[ready.size() == 1 ? 0 : draw_below(ready.size())]);
  return true;
}

std::uint32_t Streams::draw_below(std::size_t bound) {
  return draws_->below(static_cast<std::uint32_t>(bound), drawn_++);
}

void Streams::host_knows(const Progress& progress) {
  join(host_, progress);
  // What was in front of the last of it is known, too.
  for (bool grows = true; grows;) {
    const Progress before = host_;
    for (const DoneWork& each : recent_)
      if (each.number <= entry(host_, each.stream)) join(host_, each.after);
    grows = host_ != before;
  }
  std::erase_if(recent_, [&](const DoneWork& each) { return each.number <= entry(host_, each.stream); });
}

}  // namespace orderlab::host_program
