#include "cli/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/output_options.hpp"
#include "cli/request_text.hpp"
#include "core/float_environment.hpp"
#include "core/printable.hpp"

namespace orderlab::cli {

namespace {

constexpr double kPatienceSeconds = 1.0;
constexpr double kRedrawSeconds = 0.1;
constexpr double kLongSeconds = 10;  // work that takes longer is announced where no bar is drawn
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string time_left(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s left", seconds);
  if (seconds < 3600)
    return fmt::format("{:.0f} min {:02.0f} s left", std::floor(seconds / 60), std::fmod(seconds, 60));
  return fmt::format("{:.0f} h {:02.0f} min left", std::floor(seconds / 3600),
                     std::floor(std::fmod(seconds, 3600) / 60));
}

}  // namespace

ProgressBar::ProgressBar(Session& session, std::string label, bool enabled)
    : session_(session),
      label_(std::move(label)),
      shows_(!enabled                  ? Shows::nothing
             : session.err_is_terminal ? Shows::bar
             : session.caller.follows  ? Shows::nothing  // the caller sees how far it is
                                       : Shows::estimate) {}

void ProgressBar::advanced(std::uint64_t done, std::uint64_t total, double fraction) {
  if (session_.caller.follows) session_.caller.follows(label_, {done, total, fraction});
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (shows_ == Shows::nothing || elapsed < kPatienceSeconds || done == 0 || fraction <= 0) return;
  if (shows_ == Shows::estimate) {
    const double left = elapsed / fraction - elapsed;
    if (left >= kLongSeconds) session_.err << printable(label_) << fmt::format(": about {}\n", time_left(left));
    shows_ = Shows::nothing;
    return;
  }
  if (shown_ && done < total && std::chrono::duration<double>(now - last_).count() < kRedrawSeconds) return;
  shown_ = true;
  last_ = now;
  const double rate = static_cast<double>(done) / elapsed;
  const std::string head = label_ + " ";
  const std::string tail = fmt::format(" {}/{}, {:.{}f}/s, {}", done, total, rate, rate < 10 ? 1 : 0,
                                       time_left(elapsed / fraction - elapsed));
  const int room = std::clamp(session_.width - 3 - static_cast<int>(head.size() + tail.size()), 0, 40);
  const auto filled = static_cast<std::size_t>(fraction * room);
  std::string bar;
  if (room >= 8) bar = "[" + std::string(filled, '#') + std::string(static_cast<std::size_t>(room) - filled, '.') + "]";
  session_.err.raw() << kClearLine << printable(head) << bar << tail << std::flush;
}

ProgressBar::~ProgressBar() {
  if (shown_) session_.err.raw() << kClearLine << std::flush;
}

study::Watch watch_of(Session& session, const CommandLine& line, std::string_view command) {
  const bool shown = !line.has(kQuiet);
  const auto bar = std::make_shared<std::optional<ProgressBar>>();
  const auto working =
      std::make_shared<std::optional<InPhase>>();  // from the first stage on there may be what to report
  study::Watch watch;
  watch.stop = session.stop;
  watch.divided = session.caller.divided;
  // A watch is called in the environment that the program was started in.
  watch.begins = [&session, bar, working, shown](const std::string& stage) {
    const FloatEnvironment environment;
    bar->emplace(session, stage, shown);
    if (!*working) working->emplace(session, Phase::working);
  };
  watch.advances = [bar](const study::Progress& p) {
    const FloatEnvironment environment;
    (*bar)->advanced(p.done, p.total, p.fraction);
  };
  watch.ends = [bar] { bar->reset(); };
  if (!shown) return watch;
  watch.announces = [&session](const std::string& text) { session.err << printable(with_flags(text)) + "\n"; };
  watch.notes = [&session, name = std::string(command)](const std::string& text) {
    complain(session, name + ": " + with_flags(text));
  };
  return watch;
}

}  // namespace orderlab::cli
