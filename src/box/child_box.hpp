// What all boxes in processes have in common: a name, a time limit, and one failure that is final.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "box/child.hpp"
#include "orderlab/boxes.hpp"
#include "orderlab/error.hpp"
#include "orderlab/probe.hpp"

namespace orderlab {

class ChildBox : public Box {
 public:
  double sum(const TermView& terms) final;
  void sums(std::span<const TermView> inputs, std::span<double> results) final;

 protected:
  ChildBox(const std::string& name, const BoxLimits& limits, const BoxSetting& setting);

  /// The sums of all inputs. Whatever it throws ends the child and is thrown again by every later call.
  virtual void answer(std::span<const TermView> inputs, std::span<double> results) = 0;

  /// Error(input, "NAME: PROBLEM"), with what the limits of this process may have to do with it.
  [[noreturn]] void fail(const std::string& problem) const;

  /// Waits for `files` or the end of the child; false where it has exited. Fails with `hint` where it is late.
  bool wait(std::span<pollfd> files, const Deadline& deadline, const std::string& hint = "");

  /// Says how the child ended, which has exited.
  [[noreturn]] void fail_exited(const std::string& where = "");

  Deadline deadline() const;
  const BoxSetting& setting() const { return setting_; }

  std::unique_ptr<Child> child_;  ///< none before the first call, and after a failure

 private:
  std::string name_;
  BoxLimits limits_;
  BoxSetting setting_;
  std::exception_ptr failure_;
};

}  // namespace orderlab
