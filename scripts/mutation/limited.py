"""Runs a test program under limits of processor time and memory: a fault may loop or grow without end."""

import dataclasses
import os
import resource
import signal
import subprocess
import threading

MEMORY = 4 << 30


@dataclasses.dataclass
class Ended:
    """How a program ended."""

    how: str  # passed | failed | crashed | endless
    seconds: float  # of processor time, which others on the machine do not change
    output: str


def run(command: list[str], environment: dict[str, str], seconds: float) -> Ended:
    whole = max(1, round(seconds))

    def limit() -> None:
        os.setpgid(0, 0)
        os.nice(19)
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with subprocess.Popen(command, env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          preexec_fn=limit) as child:
        late = threading.Event()
        timer = threading.Timer(20 * whole + 60, lambda: (late.set(), _end(child.pid)))  # one that only sleeps
        timer.start()
        try:
            output = child.stdout.read().decode(errors="replace")
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            _end(child.pid)
            raise
        finally:
            timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    used = usage.ru_utime + usage.ru_stime
    return Ended(_how(child.returncode, late.is_set()), used, output)


def _end(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _how(status: int, late: bool) -> str:
    if late or status in (-signal.SIGXCPU, -signal.SIGKILL):
        return "endless"
    if status < 0:
        return "crashed"
    return "passed" if status == 0 else "failed"
