#include "painleve/reproduction/html.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace painleve {
namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #ffffff; --faint: #5c5f66; --line: #d0d3d9; --shade: #f4f5f7;
  --good: #00563f; --warn: #7a4b00; --bad: #8c1d40; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --paper: #17181b; --faint: #a3a6ad; --line: #3b3e45;
  --shade: #202227; --good: #6fd3b2; --warn: #f0b95c; --bad: #ff9fbf; --link: #8ab8f0; } }
body { margin: 0 auto; max-width: 70rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2.2rem; }
a { color: var(--link); }
nav { background: var(--shade); border: 1px solid var(--line); border-radius: 6px; padding: .6rem 1.2rem; }
nav ul { margin: .2rem 0; padding-left: 1.2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .8rem 0; font-size: .9rem; }
caption { white-space: nowrap; text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--shade); }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; text-align: right; }
td.good { color: var(--good); }
td.warn { color: var(--warn); font-weight: 600; }
td.bad { color: var(--bad); font-weight: 700; }
.note { color: var(--faint); font-size: .9rem; max-width: 60rem; }
figure { margin: 1rem 0; padding: .6rem; background: #ffffff; border: 1px solid var(--line); border-radius: 6px;
  overflow-x: auto; }
figure svg { display: block; max-width: 100%; height: auto; }
@media print { nav { display: none; } figure, table { break-inside: avoid; } }
)css";

const char* tone_class(CellTone tone) {
  switch (tone) {
    case CellTone::number:
      return " class=\"number\"";
    case CellTone::good:
      return " class=\"good\"";
    case CellTone::warn:
      return " class=\"warn\"";
    case CellTone::bad:
      return " class=\"bad\"";
    case CellTone::plain:
      break;
  }
  return "";
}

// Replaces "_{…}" and "^{…}" by what stands around `…`; anything else is kept.
std::string with_scripts(std::string_view text, const std::string& sub, const std::string& sub_end,
                         const std::string& super, const std::string& super_end) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool script = (text[i] == '_' || text[i] == '^') && i + 1 < text.size() && text[i + 1] == '{';
    const std::size_t close = script ? text.find('}', i) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += text[i];
      continue;
    }
    const bool below = text[i] == '_';
    out += below ? sub : super;
    out += text.substr(i + 2, close - i - 2);
    out += below ? sub_end : super_end;
    i = close;
  }
  return out;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// aria-labelledby="a b" names ids without '#'.
void prefix_labels(std::string& svg, const std::string& prefix) {
  const std::string key = "aria-labelledby=\"";
  for (auto at = svg.find(key); at != std::string::npos; at = svg.find(key, at)) {
    at += key.size();
    svg.insert(at, prefix);
    for (at += prefix.size(); at < svg.size() && svg[at] != '"'; ++at) {
      if (svg[at] == ' ') svg.insert(at + 1, prefix);
    }
  }
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_marked(std::string_view text) {
  std::string shown = with_scripts(html_escaped(text), "<sub>", "</sub>", "<sup>", "</sup>");
  for (std::size_t i = 0; i + 1 < shown.size(); ++i) {
    const bool begins = i == 0 || shown[i - 1] == ' ' || shown[i - 1] == '(';
    if (begins && shown[i] == '-' && shown[i + 1] >= '0' && shown[i + 1] <= '9') shown.replace(i, 1, "−");
  }
  return shown;
}

std::string plain_marked(std::string_view text) { return with_scripts(text, "_", "", "^(", ")"); }

std::string html_svg(const std::string& svg, const std::string& prefix) {
  const auto start = svg.find("<svg");
  std::string inner = start == std::string::npos ? svg : svg.substr(start);
  replace_all(inner, " id=\"", " id=\"" + prefix);
  replace_all(inner, "url(#", "url(#" + prefix);
  replace_all(inner, "href=\"#", "href=\"#" + prefix);
  prefix_labels(inner, prefix);
  return inner;
}

void HtmlPage::heading(int level, const std::string& text, const std::string& id) {
  const std::string shown = html_marked(text);
  entries_.push_back({level, shown, html_escaped(id)});
  body_ += fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", level, html_escaped(id), shown);
}

void HtmlPage::paragraph(const std::string& html) { body_ += "<p>" + html + "</p>\n"; }

void HtmlPage::note(const std::string& html) { body_ += "<p class=\"note\">" + html + "</p>\n"; }

void HtmlPage::table(const HtmlTable& table) {
  body_ += "<div class=\"scroll\"><table>\n";
  if (!table.caption.empty()) body_ += "<caption>" + table.caption + "</caption>\n";
  body_ += "<thead><tr>";
  for (const auto& title : table.head) body_ += "<th scope=\"col\">" + title + "</th>";
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (const auto& cell : row) body_ += fmt::format("<td{}>{}</td>", tone_class(cell.tone), cell.html);
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void HtmlPage::picture(const std::string& svg) {
  body_ += "<figure>" + html_svg(svg, fmt::format("p{}-", ++pictures_)) + "</figure>\n";
}

std::string HtmlPage::contents() const {
  std::string list = "<nav aria-label=\"Contents\"><strong>Contents</strong>\n<ul>\n";
  bool nested = false;
  for (const auto& e : entries_) {
    if (e.level > 2 && !nested) list += "<li><ul>\n";
    if (e.level == 2 && nested) list += "</ul></li>\n";
    nested = e.level > 2;
    list += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", e.id, e.text);
  }
  return list + (nested ? "</ul></li>\n" : "") + "</ul></nav>\n";
}

std::string HtmlPage::str() const {
  const std::string title = html_marked(title_);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         html_escaped(plain_marked(title_)) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + title +
         "</h1>\n" + contents() + body_ + "</body>\n</html>\n";
}

}  // namespace painleve
