#include "host_program/settings.hpp"

#include <doctest/doctest.h>

using namespace orderlab::host_program;

TEST_CASE("settings are read as they were written") {
  Settings settings;
  CHECK(parse_settings(text_of(settings)) == settings);
  settings = {"/tmp/a, b", 7, 8, 16, 32, true, 2};
  CHECK(parse_settings(text_of(settings)) == settings);
  CHECK(parse_settings("") == Settings());
}

TEST_CASE("a record is read as it was written, but for what was cut off") {
  const Finding finding{FindingKind::host_fault, "a.cu:3", "copies\t4 bytes\n"};
  const LaunchCount count{"k<float>", "a.cu:9", 2, 64, 32, 4096, 64, 5};
  const CopiedBack copy{"a.cu:10", "h", "", "fp32", 8, 0xABCDEF, {0x3F800000, 0}};
  const Record record = parse_record(line_of(finding) + "junk\n" + line_of(count) + line_of(copy) + "finding\tfau");
  REQUIRE(record.findings.size() == 1);
  CHECK(record.findings[0] == Finding{FindingKind::host_fault, "a.cu:3", "copies 4 bytes "});
  CHECK(record.launches == std::vector{count});
  CHECK(record.copies == std::vector{copy});
}
