// Files of tensors: as they lie, at any address, and what is wrong with others.
#include "files/safetensors_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "cli/model_files.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::cli;

namespace {

std::span<const std::byte> bytes_in(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string tensors_refusal(const std::string& file) {
  return message_of(ErrorKind::input, [&] { (void)Safetensors(bytes_in(file), "a"); });
}

/// A file with one tensor "t".
std::string one_tensor(const std::string& entry, std::size_t bytes) {
  return safetensors_of("{\"t\":" + entry + "}", std::string(bytes, 'x'));
}

std::string entry_of(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

}  // namespace

TEST_CASE("tensors lie where the file has them, at any address") {
  const std::string file = safetensors_of(
      R"({"b":{"dtype":"F16","shape":[2,1],"data_offsets":[3,7]},"__metadata__":{"format":"pt"},)"
      R"("e":{"dtype":"F32","shape":[0,4],"data_offsets":[7,7]},)"
      R"("a":{"dtype":"U8","shape":[3],"data_offsets":[0,3],"later":[1]},"s":{"data_offsets":[7,11],"shape":[],"dtype":"F32"}}   )",
      "abcdefghijk");
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const std::string moved = std::string(shift, ' ') + file;
    const auto bytes = bytes_in(moved).subspan(shift);
    const Safetensors tensors(bytes, "a");
    REQUIRE(tensors.tensors().size() == 4);
    CHECK(tensors.tensors()[0].name == "a");
    const StoredTensor* b = tensors.find("b");
    REQUIRE(b != nullptr);
    CHECK(b->dtype == "F16");
    CHECK(b->shape == std::vector<std::uint64_t>{2, 1});
    CHECK(b->bytes.data() == bytes.data() + bytes.size() - 8);
    CHECK(b->bytes.size() == 4);
    CHECK(tensors.find("s")->shape.empty());
    CHECK(tensors.find("s")->bytes.size() == 4);
    CHECK(tensors.find("e")->bytes.empty());
    CHECK(tensors.find("c") == nullptr);
    CHECK(tensors.find("__metadata__") == nullptr);
  }
  CHECK(Safetensors(bytes_in(safetensors_of("{}")), "a").tensors().empty());
  CHECK(weight_format("BF16") == Format::bf16);
  CHECK(weight_format("F16") == Format::fp16);
  CHECK(weight_format("F32") == Format::fp32);
  CHECK(!weight_format("F64"));
}

TEST_CASE("a file cut anywhere is refused, as is one that goes on") {
  const std::string file = safetensors_of(llama_model("llama").tensors);
  const std::size_t step = 7;
  for (std::size_t bytes = 0; bytes < file.size(); bytes += bytes < 100 ? 1 : step)
    CHECK(tensors_refusal(file.substr(0, bytes)) != "no error");
  CHECK(tensors_refusal(file.substr(0, file.size() - 1)) != "no error");
  CHECK(tensors_refusal(file + "x") == "a: has 1 bytes after its last tensor");
  CHECK(tensors_refusal(file) == "no error");
}

TEST_CASE("headers that are none are refused") {
  CHECK(tensors_refusal("") == "a: has 0 bytes; a safetensors file begins with 8, the length of its header");
  CHECK(contains(tensors_refusal("version https://git-lfs.github.com/spec/v1\noid"), "run `git lfs pull`"));
  CHECK(contains(tensors_refusal(std::string("\x01\xe1\xf5\x05\0\0\0\0", 8)), "100000001 bytes, and the most are"));
  CHECK(contains(tensors_refusal(std::string(8, '\xff') + "{}"), "18446744073709551615 bytes"));
  CHECK(contains(tensors_refusal(safetensors_of("{}").substr(0, 9)), "is cut short: 1 bytes of its header of 2"));
  CHECK(contains(tensors_refusal(safetensors_of(" {}")), "does not begin with '{'"));
  CHECK(contains(tensors_refusal(safetensors_of("")), "does not begin with '{'"));
  CHECK(contains(tensors_refusal(safetensors_of("{")), "JSON: "));
  CHECK(contains(tensors_refusal(safetensors_of(R"({"__metadata__":{"a":1}})")), "'__metadata__': 'a' is not a text"));
  CHECK(contains(tensors_refusal(safetensors_of(R"({"__metadata__":3})")), "'__metadata__': JSON: no '{'"));
  const std::string twice = entry_of("U8", "[1]", "[0,1]");
  CHECK(contains(tensors_refusal(safetensors_of("{\"t\":" + twice + ",\"t\":" + twice + "}", "x")),
                 "the key 't' is there twice"));
  CHECK(contains(tensors_refusal(one_tensor(R"({"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]})", 1)),
                 "tensor 't': JSON: the key 'dtype' is there twice"));
}

TEST_CASE("tensors that do not fit their shape, or the file, are refused") {
  const auto refused = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return tensors_refusal(one_tensor(entry_of(dtype, shape, offsets), 8));
  };
  CHECK(refused("F32", "[2]", "[0,8]") == "no error");
  CHECK(refused("F4", "[16]", "[0,8]") == "no error");
  CHECK(refused("NEWER", "[5]", "[0,8]") == "no error");  // refused when it is asked for
  CHECK(refused("F32", "[3]", "[0,8]") == "a: tensor 't': has 8 bytes, and F32 of shape [3] has 12");
  CHECK(refused("F4", "[15]", "[0,8]") == "a: tensor 't': has the shape [15], no whole number of bytes");
  CHECK(contains(refused("F32", "[2]", "[0,9]"), "ends at byte 9 of the data, which has 8: the file is cut short"));
  CHECK(contains(refused("F32", "[2]", "[18446744073709551608,0]"), "begins at byte 18446744073709551608"));
  CHECK(contains(refused("F32", "[2]", "[8,18446744073709551615]"), "cut short"));
  CHECK(contains(refused("F32", "[4611686018427387905,8]", "[0,8]"), "more than there can be"));
  CHECK(contains(refused("F32", "[2305843009213693953,0]", "[0,8]"), "more than there can be"));
  CHECK(contains(refused("F32", "[-2]", "[0,8]"), "`shape` is not a list of counts"));
  CHECK(contains(refused("F32", "2", "[0,8]"), "`shape` is not a list of counts"));
  CHECK(contains(refused("F32", "[2]", "[0.0,8]"), "`data_offsets` is not a list of counts"));
  CHECK(contains(refused("F32", "[2]", "[0]"), "needs `dtype`, `shape` and `data_offsets`"));
  CHECK(contains(refused("f 32", "[2]", "[0,8]"), "`dtype` is not the name of a type"));
  CHECK(contains(tensors_refusal(one_tensor(R"({"dtype":1,"shape":[2],"data_offsets":[0,8]})", 8)), "`dtype` is no"));
  CHECK(contains(tensors_refusal(one_tensor(R"({"dtype":"F32","data_offsets":[0,8]})", 8)), "needs `dtype`"));
  CHECK(contains(refused("F32", "[" + std::string(5000, ' ') + "2]", "[0,8]"), "'shape' is too long"));
  CHECK(contains(tensors_refusal(one_tensor("5", 8)), "tensor 't': JSON: no '{'"));
}

TEST_CASE("tensors leave no gap and share no byte") {
  const auto two = [](const std::string& first, const std::string& second) {
    return tensors_refusal(safetensors_of(
        "{\"t\":" + entry_of("U8", "[2]", first) + ",\"u\":" + entry_of("U8", "[2]", second) + "}", "abcd"));
  };
  CHECK(two("[2,4]", "[0,2]") == "no error");
  CHECK(two("[0,2]", "[1,3]") == "a: tensor 'u' begins at byte 1 of the data, and the one before it ends at byte 2");
  CHECK(contains(two("[0,2]", "[0,2]"), "begins at byte 0 of the data, and the one before it ends at byte 2"));
  CHECK(contains(two("[1,3]", "[1,3]"), "begins at byte 1"));
  CHECK(tensors_refusal(one_tensor(entry_of("U8", "[2]", "[0,2]"), 4)) == "a: has 2 bytes after its last tensor");
}
