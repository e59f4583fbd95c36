// Shell commands that add: one process a call, or one that answers line by line.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <optional>
#include <string_view>

#include "box/answer.hpp"
#include "box/child_box.hpp"
#include "box/one_line.hpp"
#include "core/text.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kLongestAnswer = std::size_t{1} << 16;

// What a child writes, read without blocking.
class Output {
 public:
  explicit Output(Descriptor file) : file_(std::move(file)) { do_not_block(file_); }

  pollfd when_readable() const { return {file_.get(), POLLIN, 0}; }
  std::string& text() { return text_; }

  // All that is there; false where that is more than any answer.
  bool read() {
    std::array<char, 4096> some{};
    while (file_.get() >= 0 && text_.size() <= kLongestAnswer) {
      const ssize_t count = ::read(file_.get(), some.data(), some.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return true;
      if (count == 0) file_ = Descriptor();
      text_.append(some.data(), static_cast<std::size_t>(count));
    }
    return text_.size() <= kLongestAnswer;
  }

 private:
  Descriptor file_;
  std::string text_;
};

class CommandBox : public ChildBox {
 public:
  CommandBox(const std::string& command, const BoxLimits& limits, const BoxSetting& setting)
      : ChildBox(command, limits, setting), command_(command) {}

  std::size_t digits() const final { return digits_; }
  bool reads_text() const final { return true; }

 protected:
  virtual double call(const TermView& terms) = 0;

  void answer(std::span<const TermView> inputs, std::span<double> results) final {
    for (std::size_t i = 0; i < inputs.size(); ++i) results[i] = call(inputs[i]);
  }

  // Starts the shell with these descriptors as its standard input and output.
  void start(int input, int output) {
    ChildSetup shell;
    shell.arguments = {"/bin/sh", "-c", command_};
    shell.files[0] = input;
    shell.files[1] = output;
    shell.threads = setting().threads;
    child_ = std::make_unique<Child>(shell);
  }

  // The terms, both factors of a product, with `between` after each but the last, which a newline follows.
  const std::string& text_of(const TermView& terms, char between) {
    assert(terms.n > 0);
    text_.clear();
    for (std::size_t i = 0; i < terms.n; ++i) {
      append_number(text_, terms.left(i));
      if (terms.products()) append_number(text_ += ' ', terms.right(i));
      text_ += i + 1 < terms.n ? between : '\n';
    }
    return text_;
  }

  double number_of(std::string_view text) {
    const Answer found = read_answer(text);
    if (!found.number) fail(found.problem);
    digits_ = std::max(digits_, found.digits);
    return *found.number;
  }

  [[noreturn]] void fail_long() const { fail("answered more than 64 KiB; a number is needed"); }

 private:
  std::string command_;
  std::string text_;
  std::size_t digits_ = 0;
};

// The terms are in a file, so that nothing has to wait for a command that does not read them.
class CallCommandBox final : public CommandBox {
 public:
  using CommandBox::CommandBox;

 private:
  double call(const TermView& terms) final {
    const Descriptor input = file_of(text_of(terms, '\n'));
    DescriptorPair pipe = make_pipe();
    const Deadline limit = deadline();
    start(input.get(), pipe.second.get());
    pipe.second = Descriptor();  // the child's end alone keeps the pipe open
    Output output(std::move(pipe.first));
    while (true) {
      pollfd file = output.when_readable();
      const bool exited = !wait({&file, 1}, limit);
      if (!output.read()) fail_long();
      if (exited) break;  // what it left behind in its group may keep the pipe open
    }
    if (!child_->succeeded()) fail_exited();
    child_.reset();
    return number_of(output.text());
  }

  static Descriptor file_of(std::string_view text) {
    Descriptor file = make_memory_file(text.size());
    while (!text.empty()) {
      const ssize_t count = ::write(file.get(), text.data(), text.size());
      if (count < 0 && errno != EINTR) fail_of_system("write the terms");
      text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
  }
};

// This process keeps both ends of the pipe that the command reads, so that writing to one that has exited is no error,
// and no SIGPIPE.
class LinesCommandBox final : public CommandBox {
 public:
  using CommandBox::CommandBox;

 private:
  double call(const TermView& terms) final {
    const Deadline limit = deadline();
    if (child_)
      require_silence();
    else
      open();
    std::string_view rest = text_of(terms, ' ');
    while (true) {
      if (!output_->read()) fail_long();
      if (const std::size_t end = output_->text().find('\n'); end != std::string::npos)
        return number_of(std::exchange(output_->text(), output_->text().substr(end + 1)).substr(0, end));
      write_some(rest);
      std::array<pollfd, 2> files{output_->when_readable(), {rest.empty() ? -1 : input_.second.get(), POLLOUT, 0}};
      if (!wait(files, limit,
                "; a line may be in a buffer: flush every one (fflush() of awk, and mawk -W interactive)"))
        fail_exited(" before it answered");
    }
  }

  // Since its last answer. A new command may have answered already: it need not read.
  void require_silence() {
    if (!output_->read()) fail_long();
    if (const std::string more = quoted_answer(output_->text()); !more.empty())
      fail("answered more than one line; after the first: " + more);
    output_->text().clear();
  }

  void open() {
    input_ = make_pipe();
    do_not_block(input_.second);
    DescriptorPair pipe = make_pipe();
    start(input_.first.get(), pipe.second.get());
    output_.emplace(std::move(pipe.first));
  }

  void write_some(std::string_view& rest) const {
    if (rest.empty()) return;
    const ssize_t count = ::write(input_.second.get(), rest.data(), rest.size());
    rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }

  DescriptorPair input_;
  std::optional<Output> output_;
};

}  // namespace

BoxMaker command_box(const std::string& command, bool lines, const BoxLimits& limits, bool products) {
  if (command.find_first_not_of(" \t\n") == std::string::npos)
    throw Error(ErrorKind::usage, "an empty command; a shell command that writes the sum is needed");
  const auto make = [=](const BoxSetting& setting) -> std::unique_ptr<Box> {
    if (lines) return std::make_unique<LinesCommandBox>(command, limits, setting);
    return std::make_unique<CallCommandBox>(command, limits, setting);
  };
  return {command, products, make, lines ? "lines" : "command"};
}

}  // namespace orderlab
