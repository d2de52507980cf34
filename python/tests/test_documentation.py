"""Docstrings with runnable examples, type stubs, notebooks: what readers copy must work."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import runpy
import subprocess
import sys
from pathlib import Path

import painleve as pnl
import pytest

MODULES = ["painleve", *(f"painleve.{name}" for name in (
    "batch", "maps", "motion", "mujoco_contacts", "plot", "results", "scenes", "statics", "studies"))]
FUNCTIONS = [name for name in [*pnl.__all__, "map"] if inspect.isfunction(getattr(pnl, name))]
PYTHON = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((PYTHON / "notebooks").glob("*.py"))


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
    assert result.attempted > 0 or module == "painleve.mujoco_contacts"  # its example needs the package mujoco


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_have_examples_and_units(function: str) -> None:
    text = inspect.getdoc(getattr(pnl, function))
    assert text is not None and ">>> " in text
    assert "[" in text.split(">>>")[0] or function in ("gallery", "quantities", "scenario")


def test_classes_are_documented() -> None:
    for name in pnl.__all__:
        if inspect.isclass(getattr(pnl, name)):
            assert inspect.getdoc(getattr(pnl, name))


def test_types() -> None:
    """The package and its notebooks under mypy's strictest rules, as those who install it see them."""
    command = [sys.executable, "-P", "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", "/dev/null"]
    untyped = ["--config-file", str(PYTHON / "pyproject.toml")]
    done = subprocess.run([*command, *untyped, "-p", "painleve"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([*command, *untyped, *map(str, NOTEBOOKS)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_is_that_of_the_extension() -> None:
    from painleve import _core

    tree = ast.parse((Path(pnl.__file__).parent / "_core.pyi").read_text())
    stated = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))} | {"version"}
    assert stated == {name for name in dir(_core) if not name.startswith("_")}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name != "InputError":
            members = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            members |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
            there = {n for n in dir(getattr(_core, node.name)) if not n.startswith("_")}
            assert {m for m in members if not m.startswith("_")} == there, node.name


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(notebook: Path) -> None:
    text = notebook.read_text(encoding="utf-8")
    assert text.count("# %%") >= 6 and text.count("assert ") >= 5
    runpy.run_path(str(notebook))
