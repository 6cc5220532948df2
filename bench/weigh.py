"""Runs a command and prints what it cost as JSON: seconds of wall and processor time, peak memory, exit code.

Usage: python bench/weigh.py COMMAND...

A process of its own, and a small one: on Linux the peak memory of a child is never less than that of the parent it was
forked from. It imports the standard library only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time


def main() -> None:
    """Run the command line's command."""
    began = time.perf_counter()
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    per_mb = 1024 * 1024 if sys.platform == "darwin" else 1024
    cost = {"wall": round(wall, 4), "cpu": round(usage.ru_utime + usage.ru_stime, 4),
            "peak_mb": round(usage.ru_maxrss / per_mb, 1), "exit": process.returncode}  # fmt: skip
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
