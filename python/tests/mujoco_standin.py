"""A stand-in for the package ``mujoco``, which Debian does not have: its library by ctypes, as far as the tests need it."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

_SIZES = {"qpos": "nq", "qvel": "nv", "qacc": "nv", "qacc_smooth": "nv", "qM": "nM"}


class Standin:
    """Compiled once per test run; has the functions and classes of the package under their names."""

    def __init__(self, folder: Path) -> None:
        library = folder / "mujoco_standin.so"
        source = Path(__file__).with_name("mujoco_standin.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-lmujoco"], check=True)
        self.lib = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        pointers = ("standin_model", "standin_numbers", "standin_efc_type", "standin_geom_bodyid", "mj_makeData", "mj_copyData")
        for name in pointers:
            getattr(self.lib, name).restype = ctypes.c_void_p

    def load(self, text: str, folder: Path) -> tuple[Model, Data]:
        path = folder / "model.xml"
        path.write_text(text)
        error = ctypes.create_string_buffer(1000)
        pointer = self.lib.standin_model(str(path).encode(), error, 1000)
        assert pointer, error.value
        model = Model(self, pointer)
        return model, Data(self, model, self.lib.mj_makeData(ctypes.c_void_p(pointer)))

    def mj_forward(self, model: Model, data: Data) -> None:
        self.lib.mj_forward(model.pointer, data.pointer)

    def mj_rnePostConstraint(self, model: Model, data: Data) -> None:
        self.lib.mj_rnePostConstraint(model.pointer, data.pointer)

    def mj_fullM(self, model: Model, target: np.ndarray, qM: np.ndarray) -> None:
        self.lib.mj_fullM(model.pointer, _pointer(target), _pointer(qM))

    def mj_jac(self, model: Model, data: Data, jacp: np.ndarray, jacr: Any, point: np.ndarray, body: int) -> None:
        self.lib.mj_jac(model.pointer, data.pointer, _pointer(jacp), None, _pointer(point), body)

    def mj_objectVelocity(self, model: Model, data: Data, kind: int, body: int, result: np.ndarray, local: int) -> None:
        self.lib.mj_objectVelocity(model.pointer, data.pointer, kind, body, _pointer(result), local)

    def mj_objectAcceleration(self, model: Model, data: Data, kind: int, body: int, result: np.ndarray, local: int) -> None:
        self.lib.mj_objectAcceleration(model.pointer, data.pointer, kind, body, _pointer(result), local)

    def mj_integratePos(self, model: Model, qpos: np.ndarray, qvel: np.ndarray, dt: float) -> None:
        self.lib.mj_integratePos(model.pointer, _pointer(qpos), _pointer(qvel), ctypes.c_double(dt))


class Model:
    def __init__(self, standin: Standin, pointer: int) -> None:
        self.standin, self.pointer = standin, ctypes.c_void_p(pointer)
        self.geom_bodyid = _ints(standin.lib.standin_geom_bodyid(self.pointer), self.size("ngeom"))

    def size(self, name: str) -> int:
        return int(self.standin.lib.standin_size(self.pointer, None, name.encode()))

    @property
    def nv(self) -> int:
        return self.size("nv")


class Data:
    def __init__(self, standin: Standin, model: Model, pointer: int) -> None:
        self.standin, self.model, self.pointer = standin, model, ctypes.c_void_p(pointer)

    def __copy__(self) -> Data:
        return Data(self.standin, self.model, self.standin.lib.mj_copyData(None, self.model.pointer, self.pointer))

    def count(self, name: str) -> int:
        return int(self.standin.lib.standin_size(self.model.pointer, self.pointer, name.encode()))

    def __getattr__(self, name: str) -> Any:
        if name in ("ncon", "nefc"):
            return self.count(name)
        if name == "efc_type":
            return _ints(self.standin.lib.standin_efc_type(self.pointer), self.count("nefc"))
        if name == "contact":
            return [self._contact(i) for i in range(self.count("ncon"))]
        width = {"xpos": 3, "xmat": 9}.get(name, 1)
        count = self.model.size("nbody") if width > 1 else self.model.size(_SIZES[name])
        array = _doubles(self.standin.lib.standin_numbers(self.pointer, name.encode()), count * width)
        return array.reshape(count, width) if width > 1 else array

    def _contact(self, i: int) -> SimpleNamespace:
        numbers, words = np.zeros(18), np.zeros(4, np.int32)
        self.standin.lib.standin_contact(self.pointer, i, _pointer(numbers), _pointer(words))
        return SimpleNamespace(dist=numbers[0], pos=numbers[1:4], frame=numbers[4:13], friction=numbers[13:], dim=words[0],
                               geom1=words[1], geom2=words[2], exclude=words[3])


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    assert array.flags.c_contiguous
    return ctypes.c_void_p(array.ctypes.data)


def _doubles(pointer: int, count: int) -> np.ndarray:
    return np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_double)), (count,)) if count else np.zeros(0)


def _ints(pointer: int, count: int) -> np.ndarray:
    return np.ctypeslib.as_array(ctypes.cast(pointer, ctypes.POINTER(ctypes.c_int)), (count,)) if count else np.zeros(0, int)
