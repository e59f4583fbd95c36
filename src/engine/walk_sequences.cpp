// All sequences at once: the results of a subset are those of the subsets one smaller, each plus the partial sum that
// they lack. Subsets of one size are a layer; two layers are in memory, the older one only as far as it is needed.
// Longer than most files: one walk, of which every step needs the same layers.
#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "engine/addends.hpp"
#include "engine/arena.hpp"
#include "engine/multisets.hpp"
#include "engine/result_lists.hpp"
#include "engine/walk.hpp"

namespace orderlab {

namespace {

template <class Count>
struct WiderCount {
  using Type = BigCount;
};
template <>
struct WiderCount<std::uint32_t> {
  using Type = std::uint64_t;
};
template <>
struct WiderCount<std::uint64_t> {
  using Type = Count128;
};

// For each size, the largest number of sequences of any subset, with equal members interchangeable. The most even
// subset has the most: k! / prod v_i! grows when a member moves to a group that is smaller by two.
std::vector<BigCount> most_sequences(const TermGroups& groups, std::size_t m) {
  std::vector<BigCount> most{1};
  std::vector<std::uint32_t> members(groups.size(), 0);
  for (std::size_t k = 1; k <= m; ++k) {
    std::size_t smallest = groups.size();
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (members[i] < groups.multiplicity(i) && (smallest == groups.size() || members[i] < members[smallest]))
        smallest = i;
    most.push_back(most.back() * k / ++members[smallest]);
  }
  return most;
}

/// The results of a subset, to each of which the partial sum of a group is added.
template <class Key, class Count>
struct Step {
  ResultList<Key, Count> list;
  std::size_t group;
};

template <class Key, class Count>
struct StepAdder {
  /// Counts the results of all steps. `tally` begins anew.
  virtual void add_up(std::span<const Step<Key, Count>> steps, Tally<Key, Count>& tally) const = 0;

 protected:
  ~StepAdder() = default;
};

/// What the walk knows of numbers. It is compiled for each type of keys, and only this for each kind of addend.
template <class Key>
struct SequenceAdder : StepAdder<Key, std::uint32_t>,
                       StepAdder<Key, std::uint64_t>,
                       StepAdder<Key, Count128>,
                       StepAdder<Key, BigCount> {
  using StepAdder<Key, std::uint32_t>::add_up;
  using StepAdder<Key, std::uint64_t>::add_up;
  using StepAdder<Key, Count128>::add_up;
  using StepAdder<Key, BigCount>::add_up;

  virtual std::vector<Key> starts(bool from_zero) const = 0;  ///< by group
  virtual double number(Key key) const = 0;                   ///< which the result format rounds
  virtual bool commutes() const = 0;

 protected:
  ~SequenceAdder() = default;
};

template <class Addend>
class AdderOf final : public SequenceAdder<KeyOf<typename Addend::Number>> {
 public:
  using T = typename Addend::Number;
  using Key = KeyOf<T>;

  AdderOf(std::vector<Addend> addends, Format result) : addends_(std::move(addends)), result_(result) {}

  std::vector<Key> starts(bool from_zero) const override {
    std::vector<Key> starts;
    for (const Addend& addend : addends_) starts.push_back(any_key(addend.first(from_zero)));
    return starts;
  }
  double number(Key key) const override { return before_result(number_of<T>(key), result_); }
  bool commutes() const override { return Addend::kCommutes; }

  void add_up(std::span<const Step<Key, std::uint32_t>> steps, Tally<Key, std::uint32_t>& tally) const override {
    count_all(steps, tally);
  }
  void add_up(std::span<const Step<Key, std::uint64_t>> steps, Tally<Key, std::uint64_t>& tally) const override {
    count_all(steps, tally);
  }
  void add_up(std::span<const Step<Key, Count128>> steps, Tally<Key, Count128>& tally) const override {
    count_all(steps, tally);
  }
  void add_up(std::span<const Step<Key, BigCount>> steps, Tally<Key, BigCount>& tally) const override {
    count_all(steps, tally);
  }

 private:
  // Adding the same number is monotone: what the ends of a list become bounds what comes between them.
  template <class Count>
  void count_all(std::span<const Step<Key, Count>> steps, Tally<Key, Count>& tally) const {
    bool bounded = true;
    Key low = kGreatestKey<Key>;
    Key high = kNoKey<Key>;
    double additions = 0;
    for (const Step<Key, Count>& step : steps) {
      const T least = addends_[step.group].added_to(number_of<T>(step.list.first));
      const T most = addends_[step.group].added_to(number_of<T>(step.list.last));
      bounded = bounded && std::isfinite(static_cast<double>(least)) && std::isfinite(static_cast<double>(most));
      low = std::min(low, number_key(least));
      high = std::max(high, number_key(most));
      additions += static_cast<double>(step.list.size);
    }
    tally.begin(bounded, low, high, additions);
    for (const Step<Key, Count>& step : steps) {
      const ResultList<Key, Count>& list = step.list;
      if (!tally.dense())
        count_sparsely(step, tally);
      else if (list.keys == nullptr)
        count_densely(step, tally, [&](std::size_t i) { return static_cast<Key>(list.first + static_cast<Key>(i)); });
      else
        count_densely(step, tally, [&](std::size_t i) { return list.keys[i]; });
    }
  }

  template <class Count, class KeyAt>
  void count_densely(const Step<Key, Count>& step, Tally<Key, Count>& tally, KeyAt key_at) const {
    Count* const even = tally.window();
    Count* const odd = tally.second_window();
    const Key low = tally.low();
    const Count* const counts = step.list.counts;
    const Addend addend = addends_[step.group];
    const std::size_t size = step.list.size;
    const auto add = [&](Count* window, std::size_t i) {
      window[number_key(addend.added_to(number_of<T>(key_at(i)))) - low] += counts[i];
    };
    std::size_t i = 0;
    for (; i + 1 < size; i += 2) {
      add(even, i);
      add(odd, i + 1);
    }
    if (i < size) add(even, i);
  }

  template <class Count>
  void count_sparsely(const Step<Key, Count>& step, Tally<Key, Count>& tally) const {
    for (std::size_t i = 0; i < step.list.size; ++i) {
      if (step.list.counts[i] == 0) continue;
      tally.add(any_key(addends_[step.group].added_to(number_of<T>(step.list.key(i)))), step.list.counts[i]);
    }
  }

  std::vector<Addend> addends_;  ///< by group
  Format result_;
};

template <class Key>
class SequenceWalk {
 public:
  SequenceWalk(const OrderSpace& space, const TermGroups& groups, const SequenceAdder<Key>& adder, std::size_t threads,
               EnumerationRun& run)
      : groups_(groups),
        adder_(adder),
        sets_(groups.multiplicities()),
        m_(sets_.total()),
        threads_(threads),
        run_(run),
        most_(most_sequences(groups, m_)),
        halved_(adder.commutes() && groups.size() == m_ && m_ >= 2),
        starts_(adder.starts(space.from_zero)) {
    std::uint64_t states = 0;
    for (std::size_t size = 1; size <= m_; ++size) states += sets_.count(size);
    run_.expect(states);
  }

  std::optional<std::vector<Outcome>> outcomes() {
    for (std::size_t size = 2; size <= m_; ++size) {  // even if every subset has but one result
      run_.check(sets_.count(size) * Segment<Key, std::uint32_t>::kLeastBytes);
      require_memory(size);
    }
    AnyLayer layer = first_layer();
    for (std::size_t size = 2; size <= m_; ++size) {
      layer = std::visit([&](auto& previous) { return next_layer(previous, size); }, layer);
      if (run_.stopped()) return std::nullopt;
      require_memory(size);
    }
    return std::visit([&](auto& last) { return collect(last); }, layer);
  }

 private:
  using AnyLayer =
      std::variant<Layer<Key, std::uint32_t>, Layer<Key, std::uint64_t>, Layer<Key, Count128>, Layer<Key, BigCount>>;

  // A segment should be so large: few enough for their overhead, many enough to free them one by one.
  static constexpr std::size_t kSegmentBytes = std::size_t{1} << 19;
  static constexpr unsigned kMaxShift = 12;

  void require_memory(std::size_t size) const {
    run_.require_memory("the results of subsets of " + std::to_string(size) + " of the " + std::to_string(m_) +
                        " partial sums");
  }

  AnyLayer first_layer() {
    Layer<Key, std::uint32_t> layer;
    layer.segments.push_back(std::make_unique<Segment<Key, std::uint32_t>>());
    layer.first_child.push_back(0);
    layer.shift = kMaxShift;
    Tally<Key, std::uint32_t> tally;
    for (const Key start : starts_) {
      tally.begin(false, start, start, 1);
      tally.add(start, 1);
      layer.segments[0]->append(tally, true);
    }
    layer.bytes = layer.segments[0]->bytes();
    run_.take_bytes(layer.bytes);
    run_.done(starts_.size());
    return layer;
  }

  template <class Count>
  AnyLayer next_layer(Layer<Key, Count>& previous, std::size_t size) {
    const BigCount most = halved_ ? most_[size] / 2 : most_[size];
    if (most.bits() <= kCountBits<Count>) return filled<Count, Count>(previous, size);
    return filled<Count, typename WiderCount<Count>::Type>(previous, size);
  }

  unsigned shift_for(std::uint64_t states, std::size_t previous_bytes, std::uint64_t previous_states) const {
    const std::size_t bytes = 2 * previous_bytes / previous_states + 1;
    const std::uint64_t fitting = std::max<std::uint64_t>(1, kSegmentBytes / bytes);
    const std::uint64_t sharing = std::max<std::uint64_t>(1, states / (8 * threads_));
    return std::min(kMaxShift, static_cast<unsigned>(std::bit_width(std::min(fitting, sharing)) - 1));
  }

  // Subsets are filled in from the last rank down: then the lists before them become needless from the last down, too.
  template <class From, class To>
  AnyLayer filled(Layer<Key, From>& previous, std::size_t size) {
    const std::uint64_t states = sets_.count(size);
    Layer<Key, To> layer;
    layer.shift = shift_for(states, previous.bytes, sets_.count(size - 1));
    const std::uint64_t count = ((states - 1) >> layer.shift) + 1;
    layer.segments.resize(count);
    layer.first_child.resize(count);
    PerThread<Tally<Key, To>> tallies;
    const std::uint64_t round = 4 * threads_;
    for (std::uint64_t end = count; end > 0 && run_.going();) {
      const std::uint64_t begin = end > round ? end - round : 0;
      parallel_for(begin, end, Grain::joined,
                   [&](std::uint64_t s) { fill(layer, s, previous, size, tallies.local()); });
      run_.done(std::min(states, end << layer.shift) - (begin << layer.shift));
      end = begin;
      release(previous, begin << layer.shift);
    }
    release(previous, 0);
    for (const auto& segment : layer.segments)
      if (segment != nullptr) layer.bytes += segment->bytes();
    return layer;
  }

  // Frees the lists that no subset below `rank` follows from.
  template <class Count>
  void release(Layer<Key, Count>& layer, std::uint64_t rank) {
    while (!layer.segments.empty() && layer.first_child.back() >= rank) {
      run_.free_bytes(layer.segments.back()->bytes());
      layer.segments.pop_back();
      layer.first_child.pop_back();
    }
  }

  template <class From, class To>
  void fill(Layer<Key, To>& layer, std::uint64_t s, const Layer<Key, From>& previous, std::size_t size,
            Tally<Key, To>& tally) {
    auto segment = std::make_unique<Segment<Key, To>>();
    const std::uint64_t first = s << layer.shift;
    const std::uint64_t states = std::min(sets_.count(size) - first, std::uint64_t{1} << layer.shift);
    Multiset set = sets_.at(size, first);
    layer.first_child[s] = size < m_ ? sets_.first_child(set) : 0;
    std::vector<std::uint64_t> parents(sets_.groups());
    std::vector<std::size_t> members(sets_.groups() + 1);
    std::vector<Step<Key, To>> steps;
    std::vector<std::vector<To>> wide(set.size());  // counts of a layer before whose type was narrower
    for (std::uint64_t i = 0; i < states; ++i, sets_.next(set)) {
      if (!run_.going()) return;
      sets_.parents(set, parents);
      std::size_t used = 0;
      for (std::size_t j = 0; j < set.size(); ++j) {  // no branch: which groups have members cannot be predicted
        members[used] = j;
        used += static_cast<std::size_t>(set[j] != 0);
      }
      steps.clear();
      for (const std::size_t j : std::span(members).first(used)) {
        steps.push_back({list_of<To>(previous, parents[j], wide[j]), j});
        if (halved_ && size == 2) break;  // the first addition commutes
      }
      adder_.add_up(std::span<const Step<Key, To>>(steps), tally);
      segment->append(tally, true);
      run_.check(segment->bytes() + tally.bytes());
    }
    segment->shrink();
    run_.take_bytes(segment->bytes());
    layer.segments[s] = std::move(segment);
  }

  // Types of counts change at few sizes: there lists are copied, so that loops over them have one type of count.
  template <class To, class From>
  static ResultList<Key, To> list_of(const Layer<Key, From>& layer, std::uint64_t rank, std::vector<To>& wide) {
    const ResultList<Key, From> list = layer.list(rank);
    if constexpr (std::is_same_v<From, To>) {
      return list;
    } else {
      wide.clear();
      for (std::size_t i = 0; i < list.size; ++i) wide.push_back(widened<To>(list.counts[i]));
      return {list.keys, wide.data(), list.size, list.first, list.last};
    }
  }

  template <class Count>
  std::vector<Outcome> collect(const Layer<Key, Count>& last) {
    BigCount each = halved_ ? 2 : 1;
    for (std::size_t i = 0; i < groups_.size(); ++i) each *= factorial(groups_.multiplicity(i));
    const ResultList<Key, Count> list = last.list(0);
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < list.size; ++i)
      if (list.counts[i] != 0) outcomes.push_back({adder_.number(list.key(i)), big(list.counts[i]) * each});
    return outcomes;
  }

  const TermGroups& groups_;
  const SequenceAdder<Key>& adder_;
  Multisets sets_;
  std::size_t m_;
  std::size_t threads_;
  EnumerationRun& run_;
  std::vector<BigCount> most_;
  bool halved_;  ///< no equal terms: of the two first additions one is counted
  std::vector<Key> starts_;
};

}  // namespace

std::optional<std::vector<Outcome>> walk_sequences(const OrderSpace& space, const TermGroups& groups, int threads,
                                                   EnumerationRun& run) {
  return with_threads(threads, [&](std::size_t used) {
    return with_addends(space, groups, [&](auto addends) {
      using Addend = typename decltype(addends)::value_type;
      const AdderOf<Addend> adder(std::move(addends), space.formats.result);
      return SequenceWalk<KeyOf<typename Addend::Number>>(space, groups, adder, used, run).outcomes();
    });
  });
}

}  // namespace orderlab
