#include "cli/progress.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>

#include "orderlab/enumerate.hpp"
#include "show/table.hpp"

using namespace orderlab::cli;

namespace {

struct Bar {
  std::ostringstream out;
  std::ostringstream err;
  Session session;
  ProgressBar bar;

  Bar(bool terminal, bool enabled, int width = 80)
      : session{.out = out, .err = err, .err_is_terminal = terminal, .width = width},
        bar(session, "sampling", enabled) {}
};

}  // namespace

TEST_CASE("the progress bar waits a second; where there is no terminal, one line tells of long work") {
  Bar shown(true, true);
  Bar narrow(true, true, 40);
  Bar piped(false, true);
  Bar long_work(false, true);
  Bar quiet(true, false);
  Bar quiet_pipe(false, false);
  for (Bar* bar : {&shown, &narrow, &piped, &quiet}) {
    bar->bar.advanced(1, 100);
    bar->bar.advanced(99, 100);
    CHECK(bar->err.str().empty());
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1050));
  for (Bar* bar : {&shown, &narrow, &piped, &quiet}) {
    bar->bar.advanced(0, 100);
    CHECK(bar->err.str().empty());
    bar->bar.advanced(50, 100);
  }
  CHECK(quiet.err.str().empty());
  CHECK(piped.err.str().empty());  // the first time, it was half done: about a second is left
  for (Bar* bar : {&long_work, &quiet_pipe}) {
    bar->bar.advanced(1, 1000);
    bar->bar.advanced(2, 1000);
  }
  CHECK(long_work.err.str().starts_with("sampling: about "));
  CHECK(long_work.err.str().ends_with(" s left\n"));
  CHECK(quiet_pipe.err.str().empty());
  for (Bar* bar : {&shown, &narrow}) {
    const std::string begin = "\r\x1b[Ksampling ";
    const std::string text = bar->err.str();
    CHECK(text.starts_with(begin));
    CHECK(text.find("50/100, ") != std::string::npos);
    CHECK(text.find("/s, 1 s left") != std::string::npos);
    CHECK(text.find('\n') == std::string::npos);
    CHECK(orderlab::display_width(text.substr(4)) < static_cast<std::size_t>(bar->session.width));
    bar->bar.advanced(51, 100);
    CHECK(bar->err.str() == text);  // drawn a moment ago
    CHECK(bar->out.str().empty());
  }
  CHECK(shown.err.str().find("#####.....") != std::string::npos);
}

TEST_CASE("a call that a bar follows shows how far it is there, and an interrupt stops it") {
  std::ostringstream out;
  std::ostringstream err;
  std::stop_source source;
  std::atomic<Phase> phase = Phase::preparing;
  Session session{.out = out, .err = err, .err_is_terminal = true, .stop = source.get_token(), .phase = &phase};
  ProgressBar bar(session, "sampling", true);
  orderlab::WalkOptions options;
  CHECK(phase == Phase::preparing);
  bar.follow(options);
  CHECK(phase == Phase::working);
  CHECK(!options.stop.stop_requested());
  source.request_stop();
  CHECK(options.stop.stop_requested());
  std::this_thread::sleep_for(std::chrono::milliseconds(1050));
  options.progress(50, 100);
  CHECK(err.str().find("50/100, ") != std::string::npos);
}

TEST_CASE("the progress bar leaves an empty line behind, or nothing if it was never shown") {
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err, .err_is_terminal = true};
  { ProgressBar never(session, "sampling", true); }
  CHECK(err.str().empty());
  {
    ProgressBar shown(session, "sampling", true);
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    shown.advanced(3, 3);
  }
  CHECK(err.str().ends_with("\r\x1b[K"));
}
