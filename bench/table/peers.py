"""Peers by the packages of Debian that bring them."""

PACKAGES = {
    "siconos": "libsiconos-numerics-dev",
    "dart": "libdart-all-dev",
    "bullet": "libbullet-dev",
    "ode": "libode-dev",
    "mujoco": "libmujoco-dev",
    "simbody": "libsimbody-dev",
    "box2d": "libbox2d-dev",
    "cvode": "libsundials-dev",
    "numpy": "python3-numpy",
    "scipy": "python3-scipy",
}


def missing(present):
    """One line per peer that is not there, with what installs it."""
    return [f"{name} is not installed: apt install {package}" for name, package in PACKAGES.items() if name not in present]


def python_peers():
    """Those of the modules that this interpreter can import."""
    import importlib.util

    return [name for name in ("numpy", "scipy") if importlib.util.find_spec(name)]
