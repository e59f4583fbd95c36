// What a command found, for a caller in the same process: every way to show it.
#pragma once

#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "page/page_contents.hpp"
#include "show/colors.hpp"
#include "show/findings.hpp"
#include "show/text_style.hpp"

namespace orderlab::cli {

/// A finding of any kind.
class Report {
 public:
  Report() = default;
  virtual ~Report() = default;
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  virtual std::string json() const = 0;
  virtual std::string csv() const = 0;
  virtual std::string text(const TextStyle& style) const = 0;

  /// Its page and its charts; empty where it has none.
  virtual std::string html() const = 0;
  virtual std::vector<SpecFile> charts() const = 0;

  /// The finding, if it is one of type T; else null.
  template <class T>
  const T* as() const {
    return type() == typeid(T) ? static_cast<const T*>(finding()) : nullptr;
  }

 private:
  virtual const std::type_info& type() const = 0;
  virtual const void* finding() const = 0;
};

template <class Finding>
class ReportOn final : public Report {
 public:
  explicit ReportOn(Finding finding) : finding_(std::move(finding)) {}

  std::string json() const override { return to_json(finding_); }
  std::string csv() const override { return to_csv(finding_); }
  std::string text(const TextStyle& style) const override { return shown(to_text(finding_, style), style.color); }

  std::string html() const override {
    if constexpr (requires { page_content(finding_); })
      return page_html(page_content(finding_));
    else
      return {};
  }
  std::vector<SpecFile> charts() const override {
    if constexpr (requires { page_content(finding_); })
      return spec_files(page_content(finding_));
    else
      return {};
  }

 private:
  const std::type_info& type() const override { return typeid(Finding); }
  const void* finding() const override { return &finding_; }

  Finding finding_;
};

}  // namespace orderlab::cli
