// Raw files of numbers: every bit pattern is a number, and none is lost.
#include "files/codec.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/fuzz.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

ORDERLAB_FUZZ(raw_terms) {
  Choices choices(input);
  const Format own = choices.flag() ? Format::fp64 : Format::fp32;
  const Format format = choices.format();
  const std::string_view content = choices.text();
  if (codec_of(own == Format::fp64 ? "in.f64" : "in.f32", content) != nullptr)
    return;  // it is read as a compressed file
  static const Folder kFolder;
  const std::string path = kFolder.write(own == Format::fp64 ? "in.f64" : "in.f32", content);
  const Terms terms = read_terms(path, format);
  require_equal("numbers and terms", content.size(), terms.size() * static_cast<std::size_t>(info(own).bits) / 8);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Choices bits(input.subspan(2 + i * static_cast<std::size_t>(info(own).bits) / 8));
    const double number = value_of_bits(own, bits.word(info(own).bits / 8));
    require_equal("a number and its term", bits_of(terms.view().left(i)),
                  bits_of(value_of_bits(format, round_to_bits(format, number))));
  }
}
