#include "cuda/prices.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text.hpp"
#include "cuda/bench_statistics.hpp"

namespace orderlab::cuda {

namespace {

std::string with_digits(double value, int digits) {
  std::array<char, 64> buffer{};
  const auto [end, code] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, digits);
  return {buffer.data(), end};
}

std::string left(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

double speed(const Price& price) { return gigabytes_per_second(price.terms_bytes, price.seconds); }

}  // namespace

void compare_with_spa(std::span<Price> prices) {
  for (Price& price : prices) {
    const auto spa = std::ranges::find_if(prices, [&](const Price& other) {
      return other.kernel == "spa" && other.format == price.format && other.n == price.n;
    });
    if (price.fixed_order && spa != prices.end()) price.penalty = price.seconds / spa->seconds - 1;
  }
}

std::string price_table(std::span<const Price> prices) {
  std::string text = left("kernel", 22) + "format" + right("n", 11) + right("time, us", 12) + right("GB/s", 9) +
                     right("of copy", 9) + right("vs spa", 9) + "\n";
  for (const Price& price : prices)
    text += left(price.kernel, 22) + left(std::string(info(price.format).name), 6) +
            right(std::to_string(price.n), 11) + right(with_digits(price.seconds * 1e6, 1), 12) +
            right(with_digits(speed(price), 1), 9) + right(with_digits(price.copy_fraction * 100, 1) + "%", 9) +
            right(price.penalty ? with_digits(*price.penalty * 100, 1) + "%" : "", 9) + "\n";
  return text;
}

std::string price_csv(std::span<const Price> prices) {
  std::string text = "kernel,format,n,threads,items,grid,fixed_order,time_s,gigabytes_per_s,copy_fraction,penalty\n";
  for (const Price& price : prices)
    text += price.kernel + "," + std::string(info(price.format).name) + "," + std::to_string(price.n) + "," +
            std::to_string(price.shape.threads) + "," + std::to_string(price.shape.items) + "," +
            std::to_string(price.shape.grid) + "," + (price.fixed_order ? "1" : "0") + "," + shortest(price.seconds) +
            "," + shortest(speed(price)) + "," + shortest(price.copy_fraction) + "," +
            (price.penalty ? shortest(*price.penalty) : "") + "\n";
  return text;
}

}  // namespace orderlab::cuda
