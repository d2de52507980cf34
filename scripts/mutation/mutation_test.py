"""Tests of the tool itself: python3 -B scripts/mutation/mutation_test.py (Debian's python3, with python3-clang-14)."""

import pathlib
import subprocess
import tempfile
import unittest

import campaign
import choice
import kernels
import limited
import page
import points
import schemata

SOURCE = """#include <Eigen/Dense>
#include <cmath>
constexpr double half(double x) { return x / 2; }
double area(double a, double b) { return a * b - std::sin(a); }
bool less(int i, int n) { return i < n && i != 3; }
Eigen::Vector2d shift(const Eigen::Vector2d& u, const Eigen::Vector2d& v) { return u - 2.0 * v; }
Eigen::Vector2d back(const Eigen::Vector2d& u) { return -u; }
template <class T> T sum(const T& a, const T& b) { return a + b; }
double both() { return sum(1.5, half(3.0)); }
"""

MAIN = """#include <cstdio>
double area(double, double);
bool less(int, int);
double both();
int main() { std::printf("%g %d %g %g %g", area(2, 3), less(2, 2), shift({1, 2}, {3, 4})(0), back({1, 2})(1), both()); }
"""


def faults_of(folder: pathlib.Path) -> list[points.Fault]:
    (folder / "painleve").mkdir()
    (folder / "painleve" / "example.cpp").write_text(SOURCE)
    return points.Parser(folder, folder).faults(kernels.Kernel("painleve/example.cpp", "contact"))


class Points(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as name:
            cls.faults = faults_of(pathlib.Path(name))

    def kinds(self, function: str) -> list[tuple[str, str]]:
        return sorted((f.kind, f.text) for f in self.faults if f.function == function)

    def test_sums_products_and_functions(self):
        found = self.kinds("area")
        self.assertIn(("sign", "a * b - std::sin(a)"), found)
        self.assertEqual(found.count(("drop", "a * b - std::sin(a)")), 2)
        self.assertEqual(found.count(("drop", "a * b")), 2)
        self.assertIn(("swap", "a * b"), found)
        self.assertIn(("function", "std::sin(a)"), found)

    def test_comparisons(self):
        found = self.kinds("less")
        for fault in (("boundary", "i < n"), ("turned", "i < n"), ("exchanged", "i != 3"), ("constant", "3"),
                      ("exchanged", "i < n && i != 3")):
            self.assertIn(fault, found)

    def test_matrices(self):
        self.assertIn(("sign", "u - 2.0 * v"), self.kinds("shift"))
        self.assertIn(("sign", "-u"), self.kinds("back"))

    def test_templates_but_no_constant_expressions(self):
        self.assertIn(("sign", "a + b"), self.kinds("sum"))
        self.assertEqual(self.kinds("half"), [])

    def test_names_are_unique(self):
        self.assertEqual(len({fault.key for fault in self.faults}), len(self.faults))


class Schemata(unittest.TestCase):
    def test_each_fault_acts_alone_and_none_without_the_switch(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            faults = faults_of(folder)
            for number, fault in enumerate(faults, start=1):
                fault.number = number
            text = schemata.mutated(SOURCE.encode(), faults) + MAIN.encode()
            (folder / "mutated.cpp").write_bytes(text)
            root = pathlib.Path(__file__).resolve().parents[2]
            subprocess.run(["g++", "-std=c++20", "-w", f"-I{root}", "-isystem", "/usr/include/eigen3", "mutated.cpp"],
                           cwd=folder, check=True)
            program = [str(folder / "a.out")]
            right = limited.run(program, {}, 5).output
            self.assertEqual(right, "5.0907 0 -5 -2 3")
            by_kind = {(f.kind, f.text, f.after): limited.run(program, {"MUTANT": str(f.number)}, 5).output for f in faults}
            self.assertEqual(by_kind["sign", "a * b - std::sin(a)", "the second term turned"], "6.9093 0 -5 -2 3")
            self.assertEqual(by_kind["boundary", "i < n", "<="], "5.0907 1 -5 -2 3")
            self.assertEqual(by_kind["sign", "u - 2.0 * v", "the second term turned"], "5.0907 0 7 -2 3")
            self.assertEqual(by_kind["sign", "-u", "without the minus"], "5.0907 0 -5 2 3")
            self.assertEqual(by_kind["sign", "a + b", "the second term turned"], "5.0907 0 -5 -2 0")


class Choice(unittest.TestCase):
    def test_shares_add_up_and_follow_the_offer(self):
        share = choice.shares({"a": 70, "b": 20, "c": 11}, 50)
        self.assertEqual(sum(share.values()), 50)
        self.assertEqual(share, {"a": 35, "b": 10, "c": 5})

    def test_a_change_of_one_fault_leaves_the_choice_of_the_others(self):
        def drawn(keys):
            faults = [points.Fault("p", "contact", "f", 1, "sign", 0, 1, "wrap", ["", ""], "a", "b", key) for key in keys]
            return [fault.key for fault in choice.chosen(faults, 7, 20)]

        keys = [f"key{number}" for number in range(100)]
        before = drawn(keys)
        self.assertEqual(len(before), 20)
        self.assertNotEqual(before, keys[:20])
        unchosen = next(key for key in keys if key not in before)
        self.assertEqual(drawn([key for key in keys if key != unchosen]), before)
        self.assertEqual(set(before) - set(drawn([key for key in keys if key != before[0]])), {before[0]})


class Limited(unittest.TestCase):
    def test_how_a_program_ends(self):
        ways = {"true": "passed", "exit 3": "failed", "kill -SEGV $$": "crashed", "while :; do :; done": "endless"}
        for command, how in ways.items():
            self.assertEqual(limited.run(["bash", "-c", command], {}, 1).how, how)


class Results(unittest.TestCase):
    def test_results_outlive_the_run_and_end_with_the_source(self):
        fault = points.Fault("p", "contact", "f", 1, "sign", 0, 1, "wrap", ["", ""], "a", "b", "key", 1)
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "results.json"
            campaign.Campaign(path).record(fault, "v1", {"how": "survived", "asked": 2})
            again = campaign.Campaign(path)
            self.assertTrue(again.has(fault, "v1"))
            self.assertFalse(again.has(fault, "v2"))
            self.assertFalse(again.killed(fault))

    def test_tables_replace_only_what_lies_between_their_markers(self):
        text = "a\n<!-- t: begin -->\nold\n<!-- t: end -->\nb\n"
        self.assertEqual(page.replace_between(text, "t", "new"), "a\n<!-- t: begin -->\nnew\n<!-- t: end -->\nb\n")
        self.assertRaises(RuntimeError, page.replace_between, text, "u", "new")


if __name__ == "__main__":
    unittest.main()
