// Convolutions against literal loops over pixels, taps and channels.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "engine/output_outcomes.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/operation_outcomes.hpp"
#include "run/arithmetic.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr std::uint64_t kConvSeed = 11;

struct ConvShape {
  std::size_t cin, cout, h, w, kernel, stride, pad, dilation;

  std::string arguments(const std::string& more = "") const {
    std::string text;
    for (const std::size_t size : {cin, cout, h, w, kernel, stride, pad, dilation})
      text += (text.empty() ? "(" : ",") + std::to_string(size);
    return text + more + ")";
  }
};

constexpr ConvShape kConvShapes[] = {
    {1, 1, 1, 1, 1, 1, 0, 1}, {1, 1, 5, 4, 3, 1, 0, 1},   {2, 3, 4, 6, 3, 1, 1, 1}, {3, 2, 5, 5, 2, 2, 0, 1},
    {2, 2, 7, 6, 3, 2, 1, 1}, {1, 2, 6, 7, 3, 3, 1, 2},   {2, 1, 9, 9, 3, 4, 2, 2}, {1, 1, 9, 8, 4, 6, 0, 2},
    {2, 1, 4, 5, 1, 3, 0, 1}, {1, 1, 12, 13, 5, 1, 4, 2}, {1, 2, 6, 6, 5, 2, 6, 3},
};

/// The products of one output.
struct Products {
  std::vector<double> x;
  std::vector<double> y;

  void add(double a, double b) {
    x.push_back(a);
    y.push_back(b);
  }
};

/// Signed coordinates, so that what is outside is told by a comparison.
using Coordinate = std::int64_t;
Coordinate signed_of(std::size_t size) { return static_cast<Coordinate>(size); }

/// By output, channels first, taps in C order.
std::vector<Products> products_of_transposed(const ConvShape& s, const TermView& x, const TermView& w, Shape& out) {
  const Coordinate reach = signed_of(s.dilation * (s.kernel - 1)) + 1 - 2 * signed_of(s.pad);
  const Coordinate out_h = signed_of((s.h - 1) * s.stride) + reach;
  const Coordinate out_w = signed_of((s.w - 1) * s.stride) + reach;
  out = {s.cout, static_cast<std::size_t>(out_h), static_cast<std::size_t>(out_w)};
  std::vector<Products> all;
  for (std::size_t co = 0; co < s.cout; ++co)
    for (Coordinate oy = 0; oy < out_h; ++oy)
      for (Coordinate ox = 0; ox < out_w; ++ox) {
        Products& products = all.emplace_back();
        for (std::size_t ci = 0; ci < s.cin; ++ci)
          for (std::size_t ky = 0; ky < s.kernel; ++ky)
            for (std::size_t kx = 0; kx < s.kernel; ++kx)
              for (std::size_t iy = 0; iy < s.h; ++iy)
                for (std::size_t ix = 0; ix < s.w; ++ix)
                  if (signed_of(iy * s.stride + ky * s.dilation) == oy + signed_of(s.pad) &&
                      signed_of(ix * s.stride + kx * s.dilation) == ox + signed_of(s.pad))
                    products.add(x.left((ci * s.h + iy) * s.w + ix),
                                 w.left(((ci * s.cout + co) * s.kernel + ky) * s.kernel + kx));
      }
  return all;
}

Shape pixels_of_conv(const ConvShape& s) {
  const auto size = [&](std::size_t in) { return (in + 2 * s.pad - s.dilation * (s.kernel - 1) - 1) / s.stride + 1; };
  return {s.cout, size(s.h), size(s.w)};
}

/// By weight, pixels in C order; `splits` runs of `per_split` pixels are kept apart.
std::vector<std::vector<Products>> products_of_filter(const ConvShape& s, const TermView& x, const TermView& g,
                                                      std::size_t splits = 1, std::size_t per_split = 1U << 30) {
  const Shape out = pixels_of_conv(s);
  std::vector<std::vector<Products>> all;
  for (std::size_t co = 0; co < s.cout; ++co)
    for (std::size_t ci = 0; ci < s.cin; ++ci)
      for (std::size_t ky = 0; ky < s.kernel; ++ky)
        for (std::size_t kx = 0; kx < s.kernel; ++kx) {
          auto& row = all.emplace_back(splits);
          for (std::size_t oy = 0; oy < out[1]; ++oy)
            for (std::size_t ox = 0; ox < out[2]; ++ox) {
              const Coordinate iy = signed_of(oy * s.stride + ky * s.dilation) - signed_of(s.pad);
              const Coordinate ix = signed_of(ox * s.stride + kx * s.dilation) - signed_of(s.pad);
              if (iy < 0 || ix < 0 || iy >= signed_of(s.h) || ix >= signed_of(s.w)) continue;
              row[(oy * out[2] + ox) / per_split].add(
                  x.left((ci * s.h + static_cast<std::size_t>(iy)) * s.w + static_cast<std::size_t>(ix)),
                  g.left((co * out[1] + oy) * out[2] + ox));
            }
        }
  return all;
}

struct ConvCase {
  std::shared_ptr<const LoweredOperation> operation;
  std::vector<Products> products;
  std::vector<double> last;  ///< what is added last to each output; empty: nothing
};

ConvCase conv_case(const char* name, const ConvShape& s, const Formats& formats, Trouble trouble, std::uint64_t seed,
                   const Order* order, bool self) {
  ConvCase made;
  const Format format = formats.terms;
  const Tensor x = troublesome_tensor(seed, format, trouble, {s.cin, s.h, s.w});
  OperationInputs inputs{x, std::nullopt, std::nullopt, std::nullopt, formats};
  if (name == std::string("conv_transpose2d")) {
    inputs.factor = troublesome_tensor(seed + 1, format, Trouble::ties, {s.cin, s.cout, s.kernel, s.kernel});
    Shape out;
    made.products = products_of_transposed(s, x.terms.view(), inputs.factor->terms.view(), out);
    if (self) {
      inputs.self = troublesome_tensor(seed + 2, format, Trouble::near_one, {s.cout});
      for (std::size_t r = 0; r < made.products.size(); ++r)
        made.last.push_back(inputs.self->terms.view().left(r / (out[1] * out[2])));
    }
  } else {
    inputs.factor = troublesome_tensor(seed + 1, format, Trouble::ties, pixels_of_conv(s));
    for (auto& row : products_of_filter(s, x.terms.view(), inputs.factor->terms.view()))
      made.products.push_back(std::move(row.front()));
    if (self) {
      inputs.self = troublesome_tensor(seed + 2, format, Trouble::near_one, {s.cout, s.cin, s.kernel, s.kernel});
      for (std::size_t r = 0; r < made.products.size(); ++r) made.last.push_back(inputs.self->terms.view().left(r));
    }
  }
  made.operation = std::make_shared<const LoweredOperation>(
      lower(parse_operation(name + s.arguments()), std::move(inputs), {}, order));
  return made;
}

/// The result of an output with that sum of its products: `last` added in the accumulate format, rounded once more.
std::uint64_t with_last_added(const Formats& formats, double sum, const double* last) {
  return with_type_of(formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    T total = round_to<T>(sum);
    if (last != nullptr) total = round_to<T>(*last) + total;
    return round_to_bits(formats.result, static_cast<double>(total));
  });
}

/// Products through fused multiply-adds from left to right.
template <class T>
T literal_chain(const Products& products) {
  T sum = round_to<T>(0.0);
  for (std::size_t i = 0; i < products.x.size(); ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      const T x = static_cast<T>(products.x[i]), y = static_cast<T>(products.y[i]);
      sum = i == 0 ? x * y : std::fma(x, y, sum);
    } else {
      sum = i == 0 ? detail::round_product<T>(products.x[i], products.y[i])
                   : detail::fused<T>(products.x[i], products.y[i], sum);
    }
  }
  return sum;
}

/// As literal_chain, in the accumulate format.
double chain_in(const Formats& formats, const Products& products) {
  return with_type_of(formats.accumulate, [&](auto* type) {
    return static_cast<double>(literal_chain<std::remove_pointer_t<decltype(type)>>(products));
  });
}

constexpr const char* kConvFormats[] = {"fp64",      "fp32",           "fp16",          "bf16",
                                        "fp16:fp32", "bf16:fp32:bf16", "fp32:fp64:fp32"};
constexpr const char* kConvolutions[] = {"conv_transpose2d", "conv_filter"};

bool has_conv(const ConvShape& s) { return s.dilation * (s.kernel - 1) + 1 <= std::min(s.h, s.w) + 2 * s.pad; }

/// Calls check(name, shape, formats, trouble, seed) for both operations and all shapes and formats.
template <class Check>
void for_convolutions(Check check) {
  std::uint64_t seed = 0;
  for (const char* name : kConvolutions)
    for (const ConvShape& shape : kConvShapes) {
      if (name == std::string("conv_filter") && !has_conv(shape)) continue;
      for (const char* text : kConvFormats) {
        const std::string where = name + shape.arguments() + " " + text;
        CAPTURE(where);
        ++seed;
        check(name, shape, parse_formats(text), kTroubles[seed % std::size(kTroubles)], seed);
      }
    }
}

std::unique_ptr<const OutputSums> conv_sums(const std::shared_ptr<const LoweredOperation>& operation) {
  return OutputSums::make(operation, parse_arrival("uniform"), DrawPath{.seed = kConvSeed});
}

std::string conv_error(const std::string& text, std::optional<OperationInputs> inputs = std::nullopt,
                       const char* order_text = nullptr) {
  try {
    const OperationCall call = parse_operation(text);
    std::optional<Order> order;
    if (order_text != nullptr) order = parse_order(order_text);
    lower(call, inputs ? *inputs : generated_inputs(call, {}), {}, order ? &*order : nullptr);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a convolution's outputs are chains of fused multiply-adds over channels and taps, or pixels") {
  const Order chain = parse_order("seq(acc=fma)");
  for_convolutions([&](const char* name, const ConvShape& shape, const Formats& formats, Trouble trouble,
                       std::uint64_t seed) {
    const ConvCase made = conv_case(name, shape, formats, trouble, seed, &chain, seed % 2 == 0);
    const auto sums = conv_sums(made.operation);
    CHECK(sums->varying().empty());
    REQUIRE(sums->launch().size() == made.products.size());
    for (std::size_t r = 0; r < made.products.size(); ++r) {
      CHECK(made.operation->terms.length(r) == made.products[r].x.size());
      const std::uint64_t expected =
          with_last_added(formats, chain_in(formats, made.products[r]), made.last.empty() ? nullptr : &made.last[r]);
      CHECK(round_to_bits(formats.result, sums->launch().view().left(r)) == expected);
    }
  });
}

TEST_CASE("the exact results of a convolution are those of its products and what is added last") {
  const Order chain = parse_order("seq(acc=fma)");
  for_convolutions(
      [&](const char* name, const ConvShape& shape, const Formats& formats, Trouble trouble, std::uint64_t seed) {
        const ConvCase made = conv_case(name, shape, formats, trouble, seed, &chain, seed % 3 == 0);
        const ExactRows exact = exact_outputs(*made.operation);
        for (std::size_t r = 0; r < made.products.size(); ++r) {
          ExactSum sum;
          for (std::size_t i = 0; i < made.products[r].x.size(); ++i)
            sum.add_product(made.products[r].x[i], made.products[r].y[i]);
          if (!made.last.empty()) sum.add(made.last[r]);
          CHECK(round_to_bits(formats.result, exact.rounded.view().left(r)) == sum.value().round_to(formats.result));
        }
      });
}

TEST_CASE("outputs of as many products share a drawn order, and arrivals are drawn for each output") {
  std::uint64_t varied = 0;
  for (const char* text : {"shuffle | seq(acc=fma)", "random_tree", "shuffle | pairwise", "sort(asc) | shuffle | seq",
                           "ao", "arrive(jitter(2)) | seq(acc=fma)"}) {
    CAPTURE(text);
    const Order order = parse_order(text);
    const bool arrives = std::string(text) == "ao" || std::string(text).starts_with("arrive");
    for_convolutions(
        [&](const char* name, const ConvShape& shape, const Formats& formats, Trouble trouble, std::uint64_t seed) {
          const ConvCase made = conv_case(name, shape, formats, trouble, seed, &order, seed % 2 == 0);
          const auto sums = conv_sums(made.operation);
          varied += sums->varying().size();
          std::map<std::size_t, std::size_t> row_of;
          std::size_t row = 0;
          for (const TermPart& part : made.operation->terms.parts())
            for (std::size_t i = 0; i < part.rows.count; ++i) row_of[part.output(i)] = row++;
          CHECK(row_of.size() == made.products.size());
          const std::vector<std::uint64_t> bits = bits_of_sample(*sums, 3);
          for (std::size_t r = 0; r < made.products.size(); ++r) {
            const Products& products = made.products[r];
            const double* last = made.last.empty() ? nullptr : &made.last[r];
            double sum = 0;
            if (!products.x.empty()) {
              DrawPath path{.seed = kConvSeed};
              if (arrives && made.products.size() > 1) path.output = row_of[r];
              const TypedTerms terms(formats.terms, products.x, products.y);
              const Formats added{formats.terms, formats.accumulate, formats.accumulate};
              sum = sum_of(*compile(order, products.x.size(), added, true), terms.view(), path.key(), 3);
            }
            CHECK(bits[r] == with_last_added(formats, sum, last));
          }
        });
  }
  CHECK(varied > 1000);
}

TEST_CASE("splits of a convolution arrive in any order, and what is added last comes after them") {
  std::uint64_t several = 0;
  for (const char* text : {"fp32", "bf16", "fp16:fp32:fp16", "fp64"})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Formats formats = parse_formats(text);
      const ConvShape shape = kConvShapes[seed % 2 == 0 ? 2 : 4];
      const std::size_t splits = 3;
      const Shape out = pixels_of_conv(shape);
      const std::size_t per_split = (out[1] * out[2] + splits - 1) / splits;
      const Tensor x = troublesome_tensor(seed, formats.terms, kTroubles[seed % 3], {shape.cin, shape.h, shape.w});
      const Tensor g = troublesome_tensor(seed + 50, formats.terms, Trouble::near_one, out);
      OperationInputs inputs{x, g, std::nullopt, std::nullopt, formats};
      const Shape weights{shape.cout, shape.cin, shape.kernel, shape.kernel};
      if (seed % 3 != 0) inputs.self = troublesome_tensor(seed + 99, formats.terms, Trouble::near_one, weights);
      const std::optional<Tensor> self = inputs.self;
      const auto operation = std::make_shared<const LoweredOperation>(
          lower(parse_operation("conv_filter" + shape.arguments(",splits=3")), std::move(inputs)));
      REQUIRE(operation->rows.units == splits);  // one tile of the outputs
      const auto rows = products_of_filter(shape, x.terms.view(), g.terms.view(), splits, per_split);
      const auto sums = conv_sums(operation);
      const auto scratch = sums->make_scratch();
      std::vector<std::set<std::uint64_t>> results(rows.size());
      std::vector<std::uint32_t> order(splits);
      std::iota(order.begin(), order.end(), 0U);
      do {
        std::vector<std::byte> varying(sums->result_bytes());
        sums->evaluate_arranged(order, varying, *scratch);
        const std::vector<std::uint64_t> bits = all_bits(*sums, varying);
        for (std::size_t r = 0; r < rows.size(); ++r) {
          const std::uint64_t expected = with_type_of(formats.accumulate, [&](auto* type) {
            using T = std::remove_pointer_t<decltype(type)>;
            Floats<T, false> arith;
            const bool flushes = formats.accumulate == Format::fp32;
            T sum = round_to<T>(0.0);
            for (const std::uint32_t split : order) {
              const T partial = literal_chain<T>(rows[r][split]);
              sum = flushes ? arith.add_ftz(sum, partial) : sum + partial;
            }
            const double last = self ? self->terms.view().left(r) : 0;
            return with_last_added(formats, static_cast<double>(sum), self ? &last : nullptr);
          });
          CHECK(bits[r] == expected);
          results[r].insert(bits[r]);
        }
      } while (std::next_permutation(order.begin(), order.end()));
      OutputOutcomeFinder finder(*sums);
      OutputResults found;
      for (const std::uint32_t r : sums->varying()) {
        REQUIRE(finder.find(r, found));
        std::set<std::uint64_t> listed;
        for (const OutputResult& result : found) listed.insert(result.bits);
        CHECK(listed == results[r]);
        several += listed.size() > 1 ? 1U : 0U;
      }
    }
  CHECK(several > 100);
}

TEST_CASE("channels of a transposed convolution are split, a thread block for each tile of 128 x 128 outputs") {
  const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
  const ConvShape shape{5, 3, 7, 6, 3, 1, 0, 1};
  const Tensor x = troublesome_tensor(1, Format::fp32, Trouble::near_one, {5, 7, 6});
  const Tensor w = troublesome_tensor(2, Format::fp32, Trouble::near_one, {5, 3, 3, 3});
  const OperationInputs inputs{x, w, std::nullopt, std::nullopt, fp32};
  const auto operation = std::make_shared<const LoweredOperation>(
      lower(parse_operation("conv_transpose2d" + shape.arguments(",splits=2")), inputs));
  Shape out;
  const auto products = products_of_transposed(shape, x.terms.view(), w.terms.view(), out);
  const auto sums = conv_sums(operation);
  CHECK(operation->rows.units == 2);  // 3 channels times 72 pixels: one tile
  for (std::size_t r = 0; r < products.size(); ++r) {
    const std::size_t first = products[r].x.size() / 5 * 3;  // of the first three channels
    Products halves[2];
    for (std::size_t i = 0; i < products[r].x.size(); ++i)
      halves[i < first ? 0 : 1].add(products[r].x[i], products[r].y[i]);
    const float sum = literal_chain<float>(halves[0]) + literal_chain<float>(halves[1]);
    CHECK(round_to_bits(Format::fp32, sums->launch().view().left(r)) == bits_of(0.0f + sum));
  }
  const auto units = [](const char* text) {
    const OperationCall call = parse_operation(text);
    return lower(call, generated_inputs(call, {})).rows.units;
  };
  CHECK(units("conv_transpose2d(4,129,12,12,1,splits=4)") == 4 * 2 * 2);  // 129 rows and 144 columns of outputs
  CHECK(units("conv_filter(15,2,9,9,3,splits=7)") == 7 * 2);              // 2 rows and 135 columns; 49 pixels
}

TEST_CASE("outputs that no tap reaches are the bias, or +0") {
  const OperationCall call = parse_operation("conv_transpose2d(1,1,2,2,1,3)");
  OperationInputs inputs = generated_inputs(call, {});
  const double bias = inputs.self->terms.view().left(0);
  const auto at = [&](std::size_t r) {
    const auto operation = std::make_shared<const LoweredOperation>(lower(call, inputs));
    return conv_sums(operation)->launch().view().left(r);
  };
  CHECK(lower(call, inputs).shape == Shape{1, 4, 4});
  CHECK(at(1) == bias);
  CHECK(at(5) == bias);
  CHECK(at(0) != bias);
  inputs.self.reset();
  CHECK(std::signbit(at(1)) == false);
  CHECK(at(1) == 0);
  CHECK(fate_of(lower(call, inputs), 1) == OutputFate::no_contribution);
}

TEST_CASE("what a library does is said to be unknown, and an order of one's own is not") {
  const auto launch_of = [](const char* text, const char* order_text = nullptr) {
    const OperationCall call = parse_operation(text);
    std::optional<Order> order;
    if (order_text != nullptr) order = parse_order(order_text);
    return lower(call, generated_inputs(call, {}), {}, order ? &*order : nullptr).launch;
  };
  for (const char* text : {"conv_transpose2d(1,1,4,4,3)", "conv_filter(1,1,4,4,3)"}) {
    CHECK(launch_of(text).guarantee == Guarantee::not_guaranteed);
    CHECK(launch_of(text).reason.find("unknown") != std::string::npos);
    CHECK(launch_of(text, "seq(acc=fma)").guarantee == Guarantee::any_device);
    CHECK(launch_of(text, "seq(acc=fma)").reason.find("unknown") == std::string::npos);
  }
  CHECK(launch_of("conv_filter(1,1,4,4,3,splits=2)").guarantee == Guarantee::not_guaranteed);
  CHECK(launch_of("conv_filter(1,1,4,4,3,splits=2)", "seq").guarantee == Guarantee::run_to_run);
}

TEST_CASE("convolutions that do not fit are refused in one line") {
  CHECK(conv_error("conv_filter(1,1,4,4,5)") ==
        "conv_filter(1,1,4,4,5): the kernel covers 5 pixels and the input has 4 with its padding; make the kernel or "
        "its dilation smaller");
  CHECK(conv_error("conv_filter(1,1,4,4,3,1,0,2)") ==
        "conv_filter(1,1,4,4,3,1,0,2): the kernel covers 5 pixels and the input has 4 with its padding; make the "
        "kernel or its dilation smaller");
  CHECK(conv_error("conv_filter(1,1,4,4,5,1,1)") == "no error");
  CHECK(conv_error("conv_transpose2d(1,1,2,2,3,1,2)") ==
        "conv_transpose2d(1,1,2,2,3,1,2): the output is empty: 4 pixels without padding, and pad takes 4 of them; make "
        "pad smaller");
  CHECK(conv_error("conv_transpose2d(1,1,2,3,3,1,2)") ==
        "conv_transpose2d(1,1,2,3,3,1,2): the output is empty: 4 pixels without padding, and pad takes 4 of them; make "
        "pad smaller");
  CHECK(conv_error("conv_transpose2d(1,1,1e10,2,3)") ==
        "conv_transpose2d(1,1,10000000000,2,3): h 10000000000: must be below 2^31");
  CHECK(conv_error("conv_transpose2d(1,1,1e5,1e5,3)") ==
        "conv_transpose2d(1,1,100000,100000,3): the input has 1e+10 elements; it must have fewer than 2^31");
  CHECK(conv_error("conv_transpose2d(1,1,2,2,3,2147483647)") ==
        "conv_transpose2d(1,1,2,2,3,2147483647): the output has 4611686027017322496 elements; it must have fewer than "
        "2^31");
  CHECK(conv_error("conv_transpose2d(600,600,60,60,3)") ==
        "conv_transpose2d(600,600,60,60,3): number of products 1.1664e+10: must be below 2^31; take a part of the "
        "arrays");
  CHECK(conv_error("conv_filter(2147483647,2,1,1,1)") ==
        "conv_filter(2147483647,2,1,1,1): the array of weights has 4294967294 elements; it must have fewer than 2^31");
  CHECK(conv_error("conv_transpose2d(1,1,2,2,3,splits=2)") ==
        "conv_transpose2d(1,1,2,2,3,splits=2): there are 1 channels to split; take at most as many splits");
  CHECK(conv_error("conv_filter(1,1,4,4,3,splits=5)") ==
        "conv_filter(1,1,4,4,3,splits=5): there are 4 output pixels to split; take at most as many splits");
  for (const char* order : {"shuffle | seq", "arrive | shuffle | seq", "random_tree"}) {
    const std::string expression = parse_order(order).expression();
    for (const char* text : {"conv_filter(1,1,4,4,3,splits=2)", "matmul(4,4,64,split_k=2)"})
      CHECK(conv_error(text, std::nullopt, order) ==
            std::string(text) +
                ": the order adds the sums of the splits; it must be fixed, or `arrive` its first and "
                "only random stage, not " +
                expression);
  }
  const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
  const auto ones = [](const Shape& shape) {
    return tensor_of(Format::fp32, shape, std::vector<double>(element_count(shape), 1));
  };
  OperationInputs inputs{ones({1, 4, 4}), ones({1, 1, 3, 3}), std::nullopt, std::nullopt, fp32};
  CHECK(conv_error("conv_transpose2d(1,1,4,4,3)", inputs) == "no error");
  CHECK(conv_error("conv_transpose2d(1,1,4,5,3)", inputs) ==
        "conv_transpose2d(1,1,4,5,3): the input is 1x4x4; it must be 1x4x5");
  CHECK(conv_error("conv_transpose2d(1,2,4,4,3)", inputs) ==
        "conv_transpose2d(1,2,4,4,3): --with is 1x1x3x3; it must be 1x2x3x3");
  CHECK(conv_error("conv_filter(1,1,4,4,3)", inputs) == "conv_filter(1,1,4,4,3): --with is 1x1x3x3; it must be 1x2x2");
  inputs.self = ones({2});
  CHECK(conv_error("conv_transpose2d(1,1,4,4,3)", inputs) ==
        "conv_transpose2d(1,1,4,4,3): --self, the bias, is 2; it must be 1");
  inputs.factor.reset();
  CHECK(conv_error("conv_transpose2d(1,1,4,4,3)", inputs) ==
        "conv_transpose2d(1,1,4,4,3): needs weights; give --with FILE");
}

namespace {

struct PublishedShare {
  std::size_t kernel;
  double share;
};
constexpr PublishedShare kPublishedShares[] = {{3, 0.555}, {5, 0.707}, {7, 0.829}, {9, 0.842}, {11, 0.880}};

/// How many standard deviations the published share is away from those of one pair of drawn orders on inputs of their
/// own, as the published one is.
double deviation_of_published(const PublishedShare& published, bool alike, bool bias) {
  const std::size_t pad = 2 * (published.kernel - 1);  // every output has every tap
  const ConvShape shape{1, 1, 32 + pad, 32 + pad, published.kernel, 1, pad, 2};
  const OperationCall call = parse_operation("conv_transpose2d" + shape.arguments());
  std::vector<double> shares;
  for (std::uint64_t input = 0; input < 40; ++input) {
    GeneratedInputs what;
    what.number = input;
    OperationInputs inputs = generated_inputs(call, what);
    if (!bias) inputs.self.reset();
    const auto operation = std::make_shared<LoweredOperation>(lower(call, std::move(inputs)));
    operation->draws_alike = alike;
    const auto sums = OutputSums::make(operation, parse_arrival("uniform"), DrawPath{.seed = input});
    const std::vector<std::uint64_t> one = bits_of_sample(*sums, 0);
    const std::vector<std::uint64_t> other = bits_of_sample(*sums, 1);
    std::size_t different = 0;
    for (std::size_t r = 0; r < one.size(); ++r) different += one[r] != other[r] ? 1U : 0U;
    shares.push_back(static_cast<double>(different) / static_cast<double>(one.size()));
  }
  const auto count = static_cast<double>(shares.size());
  const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / count;
  double squares = 0;
  for (const double share : shares) squares += (share - mean) * (share - mean);
  return (published.share - mean) / std::sqrt(squares / (count - 1) * (1 + 1 / count));
}

/// The sum of the squares of all five.
double distance_of_published(bool alike, bool bias) {
  double squares = 0;
  for (const PublishedShare& published : kPublishedShares) {
    const double deviation = deviation_of_published(published, alike, bias);
    squares += deviation * deviation;
  }
  return squares;
}

}  // namespace

TEST_CASE("two unrelated orders differ in the published shares of a transposed convolution's outputs") {
  // A share is drawn with its bias and its pair of orders, hence with the deviation that such draws have; the squares
  // of five deviations are above 11.07 with probability 0.05.
  CHECK(distance_of_published(true, true) < 11.07);
  CHECK(distance_of_published(false, true) < 11.07);  // the same shares on average if each output draws its own order
  CHECK(distance_of_published(true, false) > 11.07);  // without the bias that is added last they would be too high
}

TEST_CASE("an unknown order refutes no result that some order gives, and a known one refutes all others") {
  const OperationCall call = parse_operation("conv_transpose2d(2,2,6,6,3,2,1)");
  const auto numbers = [&](const char* text) {
    const Order order = parse_order(text);
    const auto operation =
        std::make_shared<const LoweredOperation>(lower(call, generated_inputs(call, {}), {}, &order));
    return Tensor{operation->shape, conv_sums(operation)->launch()};
  };
  const auto checked = [&](const Tensor& actual, const char* text) {
    std::optional<Order> order;
    if (text != nullptr) order = parse_order(text);
    const auto input = study::operation_input(call, GeneratedInputs(), {}, order ? &*order : nullptr);
    return *study::check_operation(input, {.actual = actual});
  };
  for (const char* honest : {"pairwise", "reverse | seq(acc=fma)", "chunks(2) | seq", "seq(acc=kahan)"}) {
    CAPTURE(honest);
    const Tensor actual = numbers(honest);
    const study::OperationCheckFinding finding = checked(actual, nullptr);
    CHECK(finding.verdict() == study::OutputVerdict::explained);
    CHECK(finding.bounded == finding.input.outputs);
    CHECK(checked(actual, honest).equals_launch);
    CHECK(checked(actual, "seq(acc=fma)").verdict() == study::OutputVerdict::impossible);
    CHECK(checked(actual, "seq(acc=fma)").bounded == 0);
  }
  Tensor wrong = numbers("pairwise");
  wrong.terms.set(7, wrong.terms.view().left(7) + 0.125);
  const study::OperationCheckFinding finding = checked(wrong, nullptr);
  CHECK(finding.impossible == 1);
  REQUIRE(finding.suspects.size() == 1);
  CHECK(finding.suspects.front().output == 7);
}
