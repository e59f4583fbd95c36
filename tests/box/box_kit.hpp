// Boxes of tests: calls with terms that are easy to add, and the text of what fails.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "orderlab/boxes.hpp"
#include "orderlab/error.hpp"

namespace orderlab::box_kit {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// 1, 2, ..., n.
template <class T>
std::vector<T> counts(std::size_t n) {
  std::vector<T> terms;
  for (std::size_t i = 1; i <= n; ++i) terms.push_back(round_to<T>(static_cast<double>(i)));
  return terms;
}

inline std::unique_ptr<Box> make(const BoxMaker& maker, std::size_t n, Format format = Format::fp32) {
  BoxSetting setting;
  setting.n = n;
  setting.format = format;
  return maker.make(setting);
}

inline double sum_of_counts(Box& box, std::size_t n, bool products = false) {
  const std::vector<float> terms = counts<float>(n);
  return box.sum(view_of(terms.data(), n, products ? terms.data() : nullptr));
}

/// Its sum of 1, ..., n, or of their squares.
inline double sum_of_counts(const BoxMaker& maker, std::size_t n = 4) {
  return sum_of_counts(*make(maker, n), n, maker.products);
}

/// What is wrong with input, in one line; a second call has to fail in the same way.
inline std::string failure(Box& box, std::size_t n = 4, bool products = false) {
  std::vector<std::string> texts;
  for (int i = 0; i < 2; ++i) {
    try {
      sum_of_counts(box, n, products);
      texts.emplace_back("no failure");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::input);
      texts.emplace_back(error.what());
    }
  }
  CHECK(texts[0] == texts[1]);
  CHECK_FALSE(has(texts[0], "\n"));
  return texts[0];
}
inline std::string failure(const BoxMaker& maker, std::size_t n = 4) {
  return failure(*make(maker, n), n, maker.products);
}

/// The text of Error(usage) that `call` throws.
template <class F>
std::string refusal(const F& call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "no refusal";
}

/// Whether `condition` holds within 20 seconds.
template <class F>
bool soon(const F& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// A new folder, removed with the object.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "orderlab_box_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace orderlab::box_kit
