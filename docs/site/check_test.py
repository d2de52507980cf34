"""Tests of the checker of the documentation: /usr/bin/python3 docs/site/check_test.py. A checker that lets faults pass is
worse than none, so that each kind of fault is made here on purpose."""
import pathlib
import sys
import tempfile
import unittest

import blocks
import check
import links
import stage


class Folder(unittest.TestCase):
    def setUp(self):
        self.kept = tempfile.TemporaryDirectory()
        self.addCleanup(self.kept.cleanup)
        self.folder = pathlib.Path(self.kept.name).resolve()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Output(unittest.TestCase):
    def test_a_changed_digit_is_a_fault(self):
        self.assertTrue(blocks.agrees(["p = 1.25 1/kg"], ["p = 1.25 1/kg"]))
        self.assertFalse(blocks.agrees(["p = 1.25 1/kg"], ["p = 1.26 1/kg"]))
        self.assertFalse(blocks.agrees(["p = 1.25"], ["p = 1.25", "more"]))
        self.assertFalse(blocks.agrees(["p = 1.25", "more"], ["p = 1.25"]))

    def test_a_dot_is_no_wildcard(self):
        self.assertFalse(blocks.agrees(["1.5"], ["125"]))

    def test_three_dots_stand_for_lines(self):
        self.assertTrue(blocks.agrees(["a", "...", "d"], ["a", "b", "c", "d"]))
        self.assertTrue(blocks.agrees(["a", "...", "d"], ["a", "d"]))
        self.assertFalse(blocks.agrees(["a", "...", "d"], ["a", "b", "c"]))

    def test_an_ellipsis_stands_for_characters_of_one_line(self):
        self.assertTrue(blocks.agrees(["good in … s"], ["good in 0.004 s"]))
        self.assertFalse(blocks.agrees(["good in … s"], ["bad in 0.004 s"]))
        self.assertFalse(blocks.agrees(["a … b"], ["a x", "y b"]))

    def test_rounding_may_differ_and_nothing_larger(self):
        self.assertTrue(blocks.agrees(["residual 5.3e-17"], ["residual 1.1e-16"]))
        self.assertTrue(blocks.agrees(["residual 5.3e-17"], ["residual 0.0e+00"]))
        self.assertTrue(blocks.agrees(["took -3.14691e-13, n"], ["took 0, n"]))
        self.assertTrue(blocks.agrees(["x  1.1e-12  2"], ["x -4.12e-11  2"]))
        self.assertFalse(blocks.agrees(["residual 5.3e-17"], ["residual 5.3e-07"]))
        self.assertFalse(blocks.agrees(["residual 5.3e-17"], ["residual 0.1"]))
        self.assertFalse(blocks.agrees(["error 5.3e-07"], ["error 5.3e-08"]))
        self.assertTrue(blocks.agrees(["error 5.3e-07"], ["error 5.3e-07"]))

    def test_the_first_line_that_does_not_fit_is_told(self):
        text = blocks.disagreement(["a", "b", "c"], ["a", "x", "c"])
        self.assertIn("expected: b", text)
        self.assertIn("printed: x", text)
        self.assertIn("more is printed", blocks.disagreement(["a"], ["a", "b"]))


class Blocks(Folder):
    def test_are_found_with_language_line_and_remark(self):
        page = self.write("a.md", "text\n<!-- docs: not run: it waits -->\n```sh\nsleep 9\n```\n\n  ```text\n  a\n   b\n  ```\n")
        found = blocks.blocks_of(page)
        self.assertEqual([(b.language, b.line, b.remark) for b in found], [("sh", 3, "not run: it waits"), ("text", 7, "")])
        self.assertEqual(found[1].lines, ["a", " b"])

    def test_without_an_end_are_refused(self):
        with self.assertRaisesRegex(ValueError, "no end"):
            blocks.blocks_of(self.write("a.md", "```sh\nls\n"))

    def test_commands_go_on_after_a_backslash(self):
        block = blocks.Block(None, 1, "console", "", ["$ echo a \\", "    b", "a b", "$ echo c", "c"])
        self.assertEqual([(e.command, e.expected) for e in blocks.exchanges(block)], [("echo a b", ["a b"]), ("echo c", ["c"])])

    def test_must_name_a_language_and_a_reason(self):
        for language, remark, word in (("", "", "language"), ("sh", "not run", "why"), ("cmake", "", "CMake")):
            with self.assertRaisesRegex(ValueError, word):
                check.refused(blocks.Block(None, 1, language, remark, []))
        self.assertEqual(check.refused(blocks.Block(None, 1, "sh", "not run: it waits", [])), "it waits")
        self.assertIsNone(check.refused(blocks.Block(None, 1, "sh", "", [])))


class Running(Folder):
    def setUp(self):
        super().setUp()
        self.runner = blocks.Runner(self.folder, "/nowhere", sys.executable)
        self.addCleanup(self.runner.home.cleanup)

    def faults(self, text):
        """(line, sentence) of every fault of a page."""
        told = []

        class Told(check.Findings):
            def add(self, _page, line, sentence):
                told.append((line, sentence))

        check.check_page(self.write("a.md", text), self.runner, Told())
        return told

    def test_console(self):
        self.assertEqual(self.faults("```console\n$ echo hello\nhello\n```\n"), [])
        (line, sentence), = self.faults("\n```console\n$ echo one\none\n$ echo hello\nhallo\n```\n")
        self.assertEqual(line, 2 + 3)
        self.assertIn("hallo", sentence)
        self.assertIn("ends with 3", self.faults("```console\n$ exit 3\n```\n")[0][1])

    def test_shell(self):
        self.assertEqual(self.faults("```sh\ntrue\n```\n"), [])
        self.assertEqual(len(self.faults("```sh\nfalse\ntrue\n```\n")), 1)
        self.assertEqual(self.faults("```sh\ntrue\nscripts/no --all\n```\n"), [(3, "scripts/no is no program")])
        self.write("scripts/yes", "#!/bin/sh\nexit 1\n").chmod(0o755)
        self.assertEqual(self.faults("```sh\nscripts/yes --all   # it would fail\n```\n"), [])
        self.assertEqual(self.faults("<!-- docs: not run: it fails -->\n```sh\nfalse\n```\n"), [])

    def test_python_of_a_page_shares_its_names_and_tells_the_line(self):
        self.assertEqual(self.faults("```python\nx = 1\n```\n```python\nassert x == 1\n```\n"), [])
        (line, sentence), = self.faults("```python\nx = 1\n```\n\n```python\n\ny = x / 0\n```\n")
        self.assertEqual(line, 7)
        self.assertIn("ZeroDivisionError", sentence)

    def test_sessions_are_compared(self):
        self.assertEqual(self.faults("```pycon\n>>> 1 + 1\n2\n```\n"), [])
        self.assertEqual(len(self.faults("```pycon\n>>> 1 + 1\n3\n```\n")), 1)

    def test_programs_are_compiled(self):
        self.assertEqual(self.faults("```c\nint main(void) { return 0; }\n```\n"), [])
        self.assertEqual(len(self.faults("```c\nint main(void) { return x; }\n```\n")), 1)
        self.assertIn("complete", self.faults("```c\nint x;\n```\n")[0][1])
        self.assertEqual(self.faults("<!-- docs: inside main -->\n```c\n#include <math.h>\ndouble x = sqrt(2); (void)x;\n```\n"), [])

    def test_data_is_read(self):
        self.assertEqual(self.faults("```json\n{\"a\": 1}\n```\n```toml\na = 1\n```\n"), [])
        self.assertEqual(len(self.faults("```json\n{a: 1}\n```\n```toml\na = \n```\n")), 2)

    def test_files_are_at_hand(self):
        self.assertEqual(self.faults("```console\n$ cat f.txt\nhello\n```\n<!-- docs: file f.txt -->\n```text\nhello\n```\n"), [])


class Links(Folder):
    def faults(self, body):
        page = self.write("a.html", f"<html><body>{body}</body></html>")
        return [fault for _, fault in links.Site(self.folder).faults_of(page)]

    def test_inside(self):
        self.write("b.html", "<h1 id='there'>b</h1>")
        self.assertEqual(self.faults("<a href='b.html'>b</a><a href='b.html#there'>b</a><a href='#x' id='x'>x</a>"), [])
        self.assertEqual(self.faults("<a href='c.html'>c</a>"), ["leads nowhere"])
        self.assertEqual(self.faults("<a href='b.html#nowhere'>b</a>"), ["names an anchor that is not there"])
        self.assertEqual(self.faults("<a href='#nowhere'>b</a>"), ["names an anchor that is not there"])
        self.assertEqual(self.faults("<img src='c.png'>"), ["leads nowhere"])
        self.assertEqual(self.faults("<a href='../../etc/passwd'>b</a>"), ["leaves the site"])

    def test_outside(self):
        self.assertEqual(self.faults("<a href='https://arxiv.org/abs/1601.03545'>b</a>"), [])
        self.assertEqual(self.faults("<a href='https://arxiv'>b</a><a href='htps://arxiv.org'>b</a>"), 2 * ["is no address"])

    def test_nothing_is_fetched(self):
        for body in ("<script src='https://cdn.org/x.js'></script>", "<link rel='stylesheet' href='//cdn.org/x.css'>",
                     "<img src='https://cdn.org/x.png'>", "<style>@import 'https://cdn.org/x.css';</style>",
                     "<p style=\"background: url(https://cdn.org/x.png)\">x</p>"):
            self.assertEqual(self.faults(body), ["is fetched from outside"], body)
        self.assertEqual(self.faults("<link rel='canonical' href='https://x.org/'>"), [])

    def test_style_sheets(self):
        self.write("f.woff2", "")
        site = links.Site(self.folder)
        good = self.write("a.css", "a { src: url(f.woff2) } /* url(no.png) */ b { src: url(data:image/png;base64,AA) }")
        bad = self.write("b.css", "a { src: url(https://cdn.org/f.woff2) } b { src: url(g.woff2) }")
        self.assertEqual(links.style_faults(site, good), [])
        self.assertEqual([fault for _, fault in links.style_faults(site, bad)], ["is fetched from outside", "leads nowhere"])

    def test_names_of_files(self):
        self.write("painleve/cone/a.hpp", "")
        page = self.write("a.md", "`painleve/cone/a.hpp` `cone/a.hpp` `painleve/cone/b.hpp`\n```text\n`painleve/no.hpp`\n```\n`scripts/no`\n")
        self.assertEqual(links.path_faults(self.folder, page), ([(1, "painleve/cone/b.hpp"), (5, "scripts/no")], 4))


class Staging(unittest.TestCase):
    def test_links_outside_of_code_are_rewritten(self):
        text = stage.rewritten("[a](x.md)\n```text\n[a](x.md)\n```\n![p](y.png) [c](z#q)\n", lambda n, link: f"{n}:{link}")
        self.assertEqual(text, "[a](1:x.md)\n```text\n[a](x.md)\n```\n![p](5:y.png) [c](5:z#q)\n")

    def test_files_of_the_repository_become_pages(self):
        work = stage.Stage("/nowhere")
        page = stage.ROOT / "docs/theory/cone.md"
        new = work.target_of(page, 1, "../../painleve/cone/friction_cone.hpp")
        self.assertEqual(new, "../source/painleve/cone/friction_cone.hpp.html")
        self.assertEqual(work.target_of(page, 1, "../notation.md#symbols"), "../notation.md#symbols")
        self.assertEqual(work.target_of(page, 1, "https://arxiv.org"), "https://arxiv.org")
        self.assertEqual(work.faults, [])
        work.target_of(page, 7, "../../painleve/cone/no.hpp")
        self.assertEqual(work.faults, ["docs/theory/cone.md:7: no such file: ../../painleve/cone/no.hpp"])


    def test_pages_beside_the_site_link_to_what_exists(self):
        before = stage.ROOT, stage.REPOSITORY_PAGES
        with tempfile.TemporaryDirectory() as folder:
            stage.ROOT, stage.REPOSITORY_PAGES = pathlib.Path(folder), ("README.md", "OTHER.md")
            (stage.ROOT / "README.md").write_text("[a](README.md#x) [b](no.md)\n[c](https://x.org)\n", encoding="utf-8")
            faults = stage.repository_faults()
            stage.ROOT, stage.REPOSITORY_PAGES = before
        self.assertEqual(faults, ["README.md:1: no such file: no.md"])


if __name__ == "__main__":
    unittest.main()
