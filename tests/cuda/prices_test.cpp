// What is made of the times of kernels.
#include "cuda/prices.hpp"

#include <doctest/doctest.h>

#include "cuda/bench_statistics.hpp"

using namespace orderlab;
using namespace orderlab::cuda;

namespace {

Price price(const char* kernel, Format format, std::size_t n, bool fixed_order, double seconds) {
  Price made;
  made.kernel = kernel;
  made.format = format;
  made.n = n;
  made.shape = {256, 2, 1056};
  made.fixed_order = fixed_order;
  made.terms_bytes = static_cast<double>(n) * 8;
  made.seconds = seconds;
  made.copy_fraction = 0.5;
  return made;
}

KernelInfo with_shapes(std::span<const LaunchShape> shapes) {
  return {.name = "made_up", .formats = kWide, .shapes = shapes};
}

}  // namespace

TEST_CASE("the median is the middle of odd many and between the middle two of even many") {
  CHECK(median({7}) == 7);
  CHECK(median({9, 1}) == 5);
  CHECK(median({5, 1, 100}) == 5);
  CHECK(median({8, 2, 100, 1}) == 5);
}

TEST_CASE("a kernel is timed with all threads of a GPU where it strides, and not at all in one thread block") {
  constexpr LaunchShape kStrides[] = {{64, 2}, {256, 2, 7}};
  constexpr LaunchShape kFills[] = {{128}, {32}};
  constexpr LaunchShape kOne[] = {{256, 1, 1}, {64, 2, 1}};
  CHECK(price_shape(with_shapes(kStrides), 132) == LaunchShape{256, 2, 1056});
  CHECK(price_shape(with_shapes(kFills), 132) == LaunchShape{256, 1, 0});
  CHECK(!price_shape(with_shapes(kOne), 132));
}

TEST_CASE("penalties compare a fixed order with spa on the same terms") {
  Price prices[] = {price("spa", Format::fp64, 4096, false, 0x1p-19), price("sptr", Format::fp64, 4096, true, 0x1.8p-19),
                    price("sptr", Format::fp32, 4096, true, 0x1.8p-19), price("sptr", Format::fp64, 8192, true, 0x1.8p-19),
                    price("ao", Format::fp64, 4096, false, 0x1p-18)};
  compare_with_spa(prices);
  CHECK(!prices[0].penalty);
  REQUIRE(prices[1].penalty);
  CHECK(*prices[1].penalty == 0.5);
  CHECK(!prices[2].penalty);  // spa was not timed in fp32
  CHECK(!prices[3].penalty);  // nor on 8192 terms
  CHECK(!prices[4].penalty);  // ao has no fixed order
}

TEST_CASE("prices are a line each, in the table and in CSV") {
  Price prices[] = {price("spa", Format::fp64, 4096, false, 0x1p-19), price("sptr", Format::fp64, 4096, true, 0x1.4p-19)};
  compare_with_spa(prices);
  CHECK(price_table(prices) ==
        "kernel                format          n    time, us     GB/s  of copy   vs spa\n"
        "spa                   fp64         4096         1.9     17.2    50.0%         \n"
        "sptr                  fp64         4096         2.4     13.7    50.0%    25.0%\n");
  CHECK(price_csv(prices) ==
        "kernel,format,n,threads,items,grid,fixed_order,time_s,gigabytes_per_s,copy_fraction,penalty\n"
        "spa,fp64,4096,256,2,1056,0,1.9073486328125e-06,17.179869184,0.5,\n"
        "sptr,fp64,4096,256,2,1056,1,2.384185791015625e-06,13.7438953472,0.5,0.25\n");
}
