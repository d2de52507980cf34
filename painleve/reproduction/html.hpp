// One self-contained page of HTML: headings with a table of contents, paragraphs, tables, pictures. No scripts, nothing
// from elsewhere; light or dark as the reader's system asks. The same content gives the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace painleve {

// Text for HTML, & < > " ' escaped.
std::string html_escaped(std::string_view text);
// The same, with μ_{jam} and α^{−1/2} as subscripts and superscripts, and a minus sign before negative numbers.
std::string html_marked(std::string_view text);
// What html_marked would show, for terminals: μ_jam, α^(−1/2).
std::string plain_marked(std::string_view text);
// A picture for the inside of a page: without the XML head, and with `prefix` before the names that its parts refer to
// each other by, for those must be unique on the page.
std::string html_svg(const std::string& svg, const std::string& prefix);

// How a cell is to be read. Colour comes on top of words, never instead of them.
enum class CellTone { plain, number, good, warn, bad };

struct HtmlCell {
  std::string html;
  CellTone tone = CellTone::plain;
};

struct HtmlTable {
  std::string caption;  // HTML
  std::vector<std::string> head;
  std::vector<std::vector<HtmlCell>> rows;
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  // Level 2 or 3, listed in the contents; `id` is what links point to.
  void heading(int level, const std::string& text, const std::string& id);
  void paragraph(const std::string& html);
  void note(const std::string& html);  // set apart, smaller
  void table(const HtmlTable& table);
  void picture(const std::string& svg);

  std::string str() const;

 private:
  struct Entry {
    int level;
    std::string text, id;
  };
  std::string contents() const;

  std::string title_, body_;
  std::vector<Entry> entries_;
  int pictures_ = 0;
};

}  // namespace painleve
