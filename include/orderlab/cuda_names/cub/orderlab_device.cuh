// CUB's functions of the whole device on a simulated GPU. DeviceReduce and DeviceSegmentedReduce add in the order
// of CUB 3.0.1 on sm_90, DeviceScan in the order where each tile looks back to the tile before it
// (orderlab/library_on_gpu.hpp). Sorts, histograms and what keeps some of the items are done on the host, on items that
// a kernel reads and writes back. Part of cub.cuh, which includes what both need.
#pragma once

// NOLINTBEGIN(readability-identifier-naming): the names are CUB's
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()
#define ORDERLAB_STREAM cudaStream_t stream = nullptr, ORDERLAB_WHERE
/// The first of the two calls asks for the size of temporary storage, which no function here needs.
#define ORDERLAB_STORAGE    \
  if (storage == nullptr) { \
    storage_bytes = 1;      \
    return cudaSuccess;     \
  }
namespace cub {

namespace gpu = orderlab::host_program;

// ---- Iterators
template <class T, class = std::ptrdiff_t>
struct CountingInputIterator {
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  T value;
  explicit CountingInputIterator(T first) : value(first) {}
  T operator*() const { return value; }
  T operator[](std::ptrdiff_t i) const { return static_cast<T>(value + i); }
  CountingInputIterator operator+(std::ptrdiff_t i) const { return CountingInputIterator((*this)[i]); }
};
template <class T, class = std::ptrdiff_t>
struct ConstantInputIterator {
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  T value;
  explicit ConstantInputIterator(T all, std::ptrdiff_t = 0) : value(all) {}
  T operator*() const { return value; }
  T operator[](std::ptrdiff_t) const { return value; }
  ConstantInputIterator operator+(std::ptrdiff_t) const { return *this; }
};
template <class T, class F, class I, class = std::ptrdiff_t>
struct TransformInputIterator {
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;
  using iterator_category = std::random_access_iterator_tag;
  I input;
  F function;
  TransformInputIterator(I first, F f) : input(first), function(f) {}
  T operator*() const { return function(*input); }
  T operator[](std::ptrdiff_t i) const { return function(input[i]); }
  TransformInputIterator operator+(std::ptrdiff_t i) const { return {input + i, function}; }
};
template <class K, class V>
struct KeyValuePair {
  using Key = K;
  using Value = V;
  K key;
  V value;
};
struct ArgMin {
  template <class P>
  P operator()(const P& a, const P& b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMax {
  template <class P>
  P operator()(const P& a, const P& b) const {
    return a.value < b.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* other) : d_buffers{current, other} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace detail {
template <class I>
using value_of = std::remove_cvref_t<decltype(std::declval<I>()[0])>;

/// Input and item number as one item.
template <class I>
struct Indexed {
  using Pair = KeyValuePair<int, value_of<I>>;
  I input;
  Pair operator[](std::ptrdiff_t i) const { return {static_cast<int>(i), input[i]}; }
};
template <class T>
constexpr T highest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
constexpr T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}
}  // namespace detail

// ---- Reductions
struct DeviceReduce {
  template <class I, class O, class N, class F, class T>
  static cudaError_t Reduce(void* storage, std::size_t& storage_bytes, I in, O out, N n, F f, T initial,
                            ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    using Sum = std::decay_t<decltype(f(initial, in[0]))>;
    gpu::reduce_on_gpu<Sum>("cub::DeviceReduce", in, out, static_cast<std::size_t>(n), f, static_cast<Sum>(initial),
                            {where, stream});
    return cudaSuccess;
  }
  template <class I, class O, class N>
  static cudaError_t Sum(void* storage, std::size_t& storage_bytes, I in, O out, N n, ORDERLAB_STREAM) {
    using T = std::remove_cvref_t<decltype(*out)>;
    return Reduce(storage, storage_bytes, in, out, n, std::plus<>(), T{}, stream, where);
  }
  template <class I, class O, class N>
  static cudaError_t Min(void* storage, std::size_t& storage_bytes, I in, O out, N n, ORDERLAB_STREAM) {
    return Reduce(storage, storage_bytes, in, out, n, cub::Min(), detail::highest<detail::value_of<I>>(), stream,
                  where);
  }
  template <class I, class O, class N>
  static cudaError_t Max(void* storage, std::size_t& storage_bytes, I in, O out, N n, ORDERLAB_STREAM) {
    return Reduce(storage, storage_bytes, in, out, n, cub::Max(), detail::lowest<detail::value_of<I>>(), stream, where);
  }
  template <class I, class O, class N>
  static cudaError_t ArgMin(void* storage, std::size_t& storage_bytes, I in, O out, N n, ORDERLAB_STREAM) {
    using V = detail::value_of<I>;
    return Reduce(storage, storage_bytes, detail::Indexed<I>{in}, out, n, cub::ArgMin(),
                  KeyValuePair<int, V>{std::numeric_limits<int>::max(), detail::highest<V>()}, stream, where);
  }
  template <class I, class O, class N>
  static cudaError_t ArgMax(void* storage, std::size_t& storage_bytes, I in, O out, N n, ORDERLAB_STREAM) {
    using V = detail::value_of<I>;
    return Reduce(storage, storage_bytes, detail::Indexed<I>{in}, out, n, cub::ArgMax(),
                  KeyValuePair<int, V>{std::numeric_limits<int>::max(), detail::lowest<V>()}, stream, where);
  }
  template <class I, class O, class N, class F, class G, class T>
  static cudaError_t TransformReduce(void* storage, std::size_t& storage_bytes, I in, O out, N n, F f, G transform,
                                     T initial, ORDERLAB_STREAM) {
    return Reduce(storage, storage_bytes,
                  TransformInputIterator<std::decay_t<decltype(transform(in[0]))>, G, I>(in, transform), out, n, f,
                  initial, stream, where);
  }
  /// Sums of runs of equal keys, each in turn.
  template <class K, class U, class V, class O, class C, class F, class N>
  static cudaError_t ReduceByKey(void* storage, std::size_t& storage_bytes, K keys, U unique, V values, O sums, C count,
                                 F f, N n, ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    gpu::for_each_block("cub::DeviceReduce::ReduceByKey", 1, {where, stream}, [=](std::size_t) {
      std::ptrdiff_t runs = 0;
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(n);) {
        const auto key = keys[i];
        auto sum = values[i];
        for (++i; i < static_cast<std::ptrdiff_t>(n) && keys[i] == key; ++i) sum = f(sum, values[i]);
        unique[runs] = key;
        sums[runs++] = sum;
      }
      *count = static_cast<std::remove_cvref_t<decltype(*count)>>(runs);
    });
    return cudaSuccess;
  }
};

struct DeviceSegmentedReduce {
  template <class I, class O, class B, class E, class F, class T>
  static cudaError_t Reduce(void* storage, std::size_t& storage_bytes, I in, O out, int segments, B begins, E ends, F f,
                            T initial, ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    using Sum = std::decay_t<decltype(f(initial, in[0]))>;
    const gpu::DeviceSum<Sum, F> sum(f);
    gpu::for_each_block(
        "cub::DeviceSegmentedReduce", static_cast<std::size_t>(segments), {where, stream}, [=](std::size_t i) {
          const auto begin = static_cast<std::ptrdiff_t>(begins[i]);
          const auto n = static_cast<std::ptrdiff_t>(ends[i]) - begin;
          const auto first = in + begin;
          out[i] = n <= 0
                       ? Sum(initial)
                       : f(Sum(initial), sum.of_block(first, static_cast<std::size_t>(n), 0, 1, sum.is_aligned(first)));
        });
    return cudaSuccess;
  }
  template <class I, class O, class B, class E>
  static cudaError_t Sum(void* storage, std::size_t& storage_bytes, I in, O out, int segments, B begins, E ends,
                         ORDERLAB_STREAM) {
    return Reduce(storage, storage_bytes, in, out, segments, begins, ends, std::plus<>(), detail::value_of<I>{}, stream,
                  where);
  }
  template <class I, class O, class B, class E>
  static cudaError_t Max(void* storage, std::size_t& storage_bytes, I in, O out, int segments, B begins, E ends,
                         ORDERLAB_STREAM) {
    return Reduce(storage, storage_bytes, in, out, segments, begins, ends, cub::Max(),
                  detail::lowest<detail::value_of<I>>(), stream, where);
  }
  template <class I, class O, class B, class E>
  static cudaError_t Min(void* storage, std::size_t& storage_bytes, I in, O out, int segments, B begins, E ends,
                         ORDERLAB_STREAM) {
    return Reduce(storage, storage_bytes, in, out, segments, begins, ends, cub::Min(),
                  detail::highest<detail::value_of<I>>(), stream, where);
  }
};

// ---- Scans
struct DeviceScan {
  template <class I, class O, class F, class N>
  static cudaError_t InclusiveScan(void* storage, std::size_t& storage_bytes, I in, O out, F f, N n, ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    gpu::scan_on_gpu<detail::value_of<I>>("cub::DeviceScan", in, out, static_cast<std::size_t>(n), f, nullptr, false,
                                          {where, stream});
    return cudaSuccess;
  }
  template <class I, class O, class N>
  static cudaError_t InclusiveSum(void* storage, std::size_t& storage_bytes, I in, O out, N n, ORDERLAB_STREAM) {
    return InclusiveScan(storage, storage_bytes, in, out, std::plus<>(), n, stream, where);
  }
  template <class I, class O, class F, class T, class N>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& storage_bytes, I in, O out, F f, T initial, N n,
                                   ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    gpu::scan_on_gpu<T>("cub::DeviceScan", in, out, static_cast<std::size_t>(n), f, &initial, true, {where, stream});
    return cudaSuccess;
  }
  template <class I, class O, class N>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& storage_bytes, I in, O out, N n, ORDERLAB_STREAM) {
    return ExclusiveScan(storage, storage_bytes, in, out, std::plus<>(), detail::value_of<I>{}, n, stream, where);
  }
  template <class T, class N>
  static cudaError_t InclusiveSum(void* storage, std::size_t& storage_bytes, T* data, N n, ORDERLAB_STREAM) {
    return InclusiveSum(storage, storage_bytes, data, data, n, stream, where);
  }
  template <class T, class N>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& storage_bytes, T* data, N n, ORDERLAB_STREAM) {
    return ExclusiveSum(storage, storage_bytes, data, data, n, stream, where);
  }
};

// ---- Sorts: stable, by the bits from `begin` to `end` of keys in their order
class DeviceRadixSort {
  template <class K>
  static std::uint64_t bits_of(const K& key) {
    constexpr int kBits = 8 * static_cast<int>(sizeof(K));
    const std::uint64_t top = std::uint64_t{1} << (kBits - 1);
    const std::uint64_t bits = orderlab::simt::to_bits(key);
    if (!std::is_integral_v<K> && bits == top) return top;  // -0 is equal to 0
    if constexpr (std::is_unsigned_v<K>) return bits;
    if constexpr (std::is_integral_v<K>) return bits ^ top;
    const std::uint64_t all = top | (top - 1);
    return (bits & top) != 0 ? bits ^ all : bits ^ top;
  }
  template <bool Descending, class K, class V>
  static cudaError_t sort(const K* keys, K* new_keys, const V* values, V* new_values, std::size_t n, int begin, int end,
                          const gpu::LibraryCall& call) {
    const auto old_keys = gpu::gathered("cub::DeviceRadixSort", keys, n, call);
    std::vector<std::pair<std::uint64_t, std::size_t>> order(n);
    const std::uint64_t mask = end - begin >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - begin)) - 1;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t bits = bits_of(old_keys[i]) >> begin & mask;
      order[i] = {Descending ? ~bits : bits, i};
    }
    std::sort(order.begin(), order.end());
    std::vector<K> sorted(n);
    for (std::size_t i = 0; i < n; ++i) sorted[i] = old_keys[order[i].second];
    gpu::scatter("cub::DeviceRadixSort", sorted, new_keys, call);
    if (values == nullptr) return cudaSuccess;
    const auto old_values = gpu::gathered("cub::DeviceRadixSort", values, n, call);
    std::vector<V> moved(n);
    for (std::size_t i = 0; i < n; ++i) moved[i] = old_values[order[i].second];
    gpu::scatter("cub::DeviceRadixSort", moved, new_values, call);
    return cudaSuccess;
  }

 public:
#define ORDERLAB_SORTS(SUFFIX, DESCENDING)                                                                            \
  template <class K, class N>                                                                                         \
  static cudaError_t SortKeys##SUFFIX(void* storage, std::size_t& storage_bytes, const K* in, K* out, N n,            \
                                      int begin = 0, int end = 8 * sizeof(K), ORDERLAB_STREAM) {                      \
    ORDERLAB_STORAGE                                                                                                  \
    return sort<DESCENDING, K, char>(in, out, nullptr, nullptr, static_cast<std::size_t>(n), begin, end,              \
                                     {where, stream});                                                                \
  }                                                                                                                   \
  template <class K, class N>                                                                                         \
  static cudaError_t SortKeys##SUFFIX(void* storage, std::size_t& storage_bytes, DoubleBuffer<K>& keys, N n,          \
                                      int begin = 0, int end = 8 * sizeof(K), ORDERLAB_STREAM) {                      \
    ORDERLAB_STORAGE                                                                                                  \
    keys.selector ^= 1;                                                                                               \
    return sort<DESCENDING, K, char>(keys.Alternate(), keys.Current(), nullptr, nullptr, static_cast<std::size_t>(n), \
                                     begin, end, {where, stream});                                                    \
  }                                                                                                                   \
  template <class K, class V, class N>                                                                                \
  static cudaError_t SortPairs##SUFFIX(void* storage, std::size_t& storage_bytes, const K* in, K* out,                \
                                       const V* values, V* new_values, N n, int begin = 0, int end = 8 * sizeof(K),   \
                                       ORDERLAB_STREAM) {                                                             \
    ORDERLAB_STORAGE                                                                                                  \
    return sort<DESCENDING, K, V>(in, out, values, new_values, static_cast<std::size_t>(n), begin, end,               \
                                  {where, stream});                                                                   \
  }                                                                                                                   \
  template <class K, class V, class N>                                                                                \
  static cudaError_t SortPairs##SUFFIX(void* storage, std::size_t& storage_bytes, DoubleBuffer<K>& keys,              \
                                       DoubleBuffer<V>& values, N n, int begin = 0, int end = 8 * sizeof(K),          \
                                       ORDERLAB_STREAM) {                                                             \
    ORDERLAB_STORAGE                                                                                                  \
    keys.selector ^= 1;                                                                                               \
    values.selector ^= 1;                                                                                             \
    return sort<DESCENDING, K, V>(keys.Alternate(), keys.Current(), values.Alternate(), values.Current(),             \
                                  static_cast<std::size_t>(n), begin, end, {where, stream});                          \
  }
  ORDERLAB_SORTS(, false)
  ORDERLAB_SORTS(Descending, true)
#undef ORDERLAB_SORTS
};

// ---- Histograms
struct DeviceHistogram {
  template <class I, class C, class L, class N>
  static cudaError_t HistogramEven(void* storage, std::size_t& storage_bytes, I samples, C* counts, int levels, L low,
                                   L high, N n, ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    const auto bins = static_cast<std::size_t>(levels - 1);
    std::vector<C> all(bins);
    for (const auto& sample :
         gpu::gathered("cub::DeviceHistogram", samples, static_cast<std::size_t>(n), {where, stream})) {
      if (!(sample >= low && sample < high)) continue;
      if constexpr (std::is_integral_v<L>)
        ++all[static_cast<std::size_t>(static_cast<std::uint64_t>(sample - low) * bins /
                                       static_cast<std::uint64_t>(high - low))];
      else
        ++all[std::min(bins - 1, static_cast<std::size_t>((sample - low) * (static_cast<L>(bins) / (high - low))))];
    }
    gpu::scatter("cub::DeviceHistogram", all, counts, {where, stream});
    return cudaSuccess;
  }
  template <class I, class C, class L, class N>
  static cudaError_t HistogramRange(void* storage, std::size_t& storage_bytes, I samples, C* counts, int levels,
                                    const L* edges, N n, ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    const auto bounds = gpu::gathered("cub::DeviceHistogram", edges, static_cast<std::size_t>(levels), {where, stream});
    std::vector<C> all(static_cast<std::size_t>(levels - 1));
    for (const auto& sample :
         gpu::gathered("cub::DeviceHistogram", samples, static_cast<std::size_t>(n), {where, stream})) {
      const auto above = std::upper_bound(bounds.begin(), bounds.end(), sample);
      if (above != bounds.begin() && above != bounds.end()) ++all[static_cast<std::size_t>(above - bounds.begin() - 1)];
    }
    gpu::scatter("cub::DeviceHistogram", all, counts, {where, stream});
    return cudaSuccess;
  }
};

// ---- Some of the items
class DeviceSelect {
  template <class I, class O, class C, class F>
  static cudaError_t select(I in, O out, C count, std::size_t n, const gpu::LibraryCall& call, F is_kept) {
    const auto items = gpu::gathered("cub::DeviceSelect", in, n, call);
    std::vector<std::remove_cvref_t<decltype(items[0])>> kept;
    for (std::size_t i = 0; i < n; ++i)
      if (is_kept(items, i)) kept.push_back(items[i]);
    gpu::scatter("cub::DeviceSelect", kept, out, call);
    using Count = std::remove_cvref_t<decltype(*count)>;
    gpu::scatter("cub::DeviceSelect", std::vector<Count>{static_cast<Count>(kept.size())}, count, call);
    return cudaSuccess;
  }

 public:
  template <class I, class O, class C, class N, class F>
  static cudaError_t If(void* storage, std::size_t& storage_bytes, I in, O out, C count, N n, F chosen,
                        ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    return select(in, out, count, static_cast<std::size_t>(n), {where, stream},
                  [&](const auto& items, std::size_t i) { return chosen(items[i]); });
  }
  template <class I, class S, class O, class C, class N>
  static cudaError_t Flagged(void* storage, std::size_t& storage_bytes, I in, S flags, O out, C count, N n,
                             ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    const auto chosen = gpu::gathered("cub::DeviceSelect", flags, static_cast<std::size_t>(n), {where, stream});
    return select(in, out, count, static_cast<std::size_t>(n), {where, stream},
                  [&](const auto&, std::size_t i) { return static_cast<bool>(chosen[i]); });
  }
  template <class I, class O, class C, class N>
  static cudaError_t Unique(void* storage, std::size_t& storage_bytes, I in, O out, C count, N n, ORDERLAB_STREAM) {
    ORDERLAB_STORAGE
    return select(in, out, count, static_cast<std::size_t>(n), {where, stream},
                  [](const auto& items, std::size_t i) { return i == 0 || !(items[i - 1] == items[i]); });
  }
};

struct DeviceRunLengthEncode {
  template <class I, class U, class O, class C, class N>
  static cudaError_t Encode(void* storage, std::size_t& storage_bytes, I in, U unique, O lengths, C count, N n,
                            ORDERLAB_STREAM) {
    using Length = std::remove_cvref_t<decltype(*lengths)>;
    return DeviceReduce::ReduceByKey(storage, storage_bytes, in, unique, ConstantInputIterator<Length>(1), lengths,
                                     count, std::plus<>(), n, stream, where);
  }
};

}  // namespace cub
#undef ORDERLAB_STORAGE
#undef ORDERLAB_STREAM
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
