#include "orderlab/serving.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "inference/serving_flags.hpp"

namespace orderlab {

TEST_CASE("flags of serving are keys of its table, and say the defaults") {
  for (const Flag* flag : kServingFlags) {
    CAPTURE(flag->key);
    const auto keys = serving_keys();
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const ServingKey& one) { return one.key == flag->key; });
    REQUIRE(key != keys.end());
    CHECK(key->help == flag->help);
    CHECK(key->text({}) == flag->fallback);
  }
}

TEST_CASE("settings are read as they are written") {
  const std::string all =
      "serving=sglang,gpu=a100,format=fp16,batch=8,tp=4,norm_threads=128,split_k=4,partials=bf16,split_order=arrival,"
      "split_kv=2,probabilities=fp32,all_reduce=ring";
  CHECK(to_string(changed_settings({}, all)) == all);
  CHECK(difference_text({}, changed_settings({}, "split_order=arrival")) == "split_order=arrival");
  CHECK(difference_text(changed_settings({}, "split_order=arrival"), {}) == "split_order=turn");
}

}  // namespace orderlab
