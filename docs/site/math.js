// Formulas: pymdownx.arithmatex leaves them as \( \) and \[ \] in elements of the class arithmatex; KaTeX sets them here.
document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".arithmatex").forEach(function (element) {
    const text = element.textContent.trim();
    const displayMode = text.startsWith("\\[");
    katex.render(text.slice(2, -2), element, {displayMode, throwOnError: false});
  });
});
