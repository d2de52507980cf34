"""Builds the extension module with CMake, or takes one that is built already.

PAINLEVE_EXTENSION   the built extension module (build/release/python/painleve/_core.*.so): nothing is compiled
PAINLEVE_BUILD_DIR   a build folder of the repository: what is missing there is compiled, the rest is taken as it is
neither              build/python/cmake of the repository

The package also takes along the helper program that reads robot files, where it was built: the extension looks for it
beside itself.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parent
HELPERS = ("painleve-robot",)


def version() -> str:
    """That of the library: the one number in the top CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"^\s*VERSION (\d+\.\d+\.\d+)", text, re.MULTILINE)
    if not found:
        raise SystemExit("painleve: no VERSION in the CMakeLists.txt of the repository")
    return found.group(1)


def configured(build: Path) -> None:
    """Makes sure that the build folder builds the extension, for the Python that runs this."""
    options = ["-D", "PAINLEVE_BUILD_PYTHON=ON", "-D", f"Python_EXECUTABLE={sys.executable}"]
    if not (build / "CMakeCache.txt").exists():
        options += ["-G", "Ninja"] if shutil.which("ninja") else []
        options += ["-D", "CMAKE_BUILD_TYPE=Release", "-D", "PAINLEVE_BUILD_TESTS=OFF"]
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *options], check=True)


def built_extension() -> Path:
    """The extension module, compiled where it is not there yet."""
    if "PAINLEVE_EXTENSION" in os.environ:
        extension = Path(os.environ["PAINLEVE_EXTENSION"]).resolve()
        if not extension.is_file():
            raise SystemExit(f"painleve: PAINLEVE_EXTENSION names {extension}, which is not there")
        return extension
    build = Path(os.environ.get("PAINLEVE_BUILD_DIR", ROOT / "build" / "python" / "cmake")).resolve()
    configured(build)
    subprocess.run(["cmake", "--build", str(build), "--target", "painleve_python"], check=True)
    # Built with the apps and MuJoCo's library alone; the package does without it otherwise.
    subprocess.run(["cmake", "--build", str(build), "--target", "painleve_robot_reader"], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = sorted((build / "python" / "painleve").glob("_core.*.so"))
    if not found:
        raise SystemExit(f"painleve: the build in {build} left no extension module")
    return found[-1]


def helper(name: str, extension: Path) -> Path | None:
    """A helper program of the build that the extension comes from, build/…/bin/NAME."""
    for folder in (extension.parent, *extension.parents):
        for place in (folder / name, folder / "bin" / name):
            if place.is_file() and os.access(place, os.X_OK):
                return place
    return None


class BuildWithCMake(build_ext):
    """Puts the built extension and its helpers where setuptools expects what it compiled itself."""

    def build_extension(self, ext: Extension) -> None:
        source = built_extension()
        target = Path(self.get_ext_fullpath(ext.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        for name in HELPERS:
            program = helper(name, source)
            if program is not None:
                shutil.copy2(program, target.parent / name)


# setuptools would leave its scratch beside the sources, and pack what an older build left there.
scratch = tempfile.mkdtemp(prefix="painleve-setup-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
setup(
    version=version(),
    ext_modules=[Extension("painleve._core", sources=[])],
    cmdclass={"build_ext": BuildWithCMake},
    options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
)
