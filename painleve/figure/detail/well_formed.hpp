#pragma once

#include <string>
#include <string_view>
#include <vector>

/// For tests: whether a text is well-formed XML, read by rules of its own rather than by the writer's.
namespace painleve::detail {

inline bool entity_at(std::string_view text) {
  for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
    if (text.starts_with(entity)) return true;
  }
  return false;
}

/// The first fault: an element that is not closed, an attribute without quotes or given twice, a stray < or &. Empty:
/// there is none.
class XmlCheck {
 public:
  explicit XmlCheck(std::string_view text) : text_(text) {}

  std::string fault() {
    while (at_ < text_.size() && fault_.empty()) {
      if (text_[at_] == '<') {
        tag();
      } else {
        character();
      }
    }
    if (fault_.empty() && !open_.empty()) fault_ = "not closed: " + open_.back();
    if (fault_.empty() && roots_ != 1) fault_ = "not one root";
    return fault_;
  }

 private:
  void character() {
    const char c = text_[at_];
    if (c == '&' && !entity_at(text_.substr(at_))) fault_ = "stray &";
    if (open_.empty() && c != '\n') fault_ = "text outside the root";
    ++at_;
  }

  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && text_.find_first_of(" />=\n", at_) != at_) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }

  void tag() {
    ++at_;
    const bool closing = text_.substr(at_).starts_with('/');
    if (closing) ++at_;
    const std::string element = name();
    if (element.empty() || element.find_first_of("<&\"'") != std::string::npos) fault_ = "bad element: " + element;
    if (closing) {
      if (open_.empty() || open_.back() != element) fault_ = "closed without being open: " + element;
      if (!open_.empty()) open_.pop_back();
    }
    attributes();
    const bool empty = text_.substr(at_).starts_with("/>");
    at_ += empty ? 1 : 0;
    if (!text_.substr(at_).starts_with('>')) fault_ = "tag without end: " + element;
    ++at_;
    if (!closing && open_.empty()) ++roots_;
    if (!closing && !empty) open_.push_back(element);
  }

  void attributes() {
    std::vector<std::string> names;
    while (fault_.empty() && at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
      names.push_back(name());
      for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        if (names[i] == names.back()) fault_ = "attribute given twice: " + names[i];
      }
      if (!text_.substr(at_).starts_with("=\"")) {
        fault_ = "attribute without value: " + names.back();
        return;
      }
      at_ += 2;
      for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        if (text_[at_] == '<' || (text_[at_] == '&' && !entity_at(text_.substr(at_)))) fault_ = "bad value";
      }
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int roots_ = 0;
  std::vector<std::string> open_;
  std::string fault_;
};

}  // namespace painleve::detail
