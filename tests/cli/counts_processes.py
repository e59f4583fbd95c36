#!/usr/bin/env python3
"""Processes that draw samples into files of counts, stopped and killed: what they kept is continued, nothing else is left
beside the files, and the merged report has the bytes of one process.

usage: counts_processes.py PROGRAM
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

SAMPLES = int(60000 * min(1, float(os.environ.get("ORDERLAB_TEST_SCALE", "1"))))
SAMPLE = ["sample", "--n", "2e4", "--format", "fp32", "--order", "random", "--samples", str(SAMPLES), "--threads", "1"]
SHARDS = 2


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        def start(*arguments):
            return subprocess.Popen([program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    text=True)

        def shard(number):
            return [*SAMPLE, "--shard", f"{number}/{SHARDS}", "--counts", "part-{shard}.counts", "--quiet"]

        def call(*arguments, statuses=(0,)):
            process = start(*arguments)
            out, err = process.communicate()
            assert process.returncode in statuses, (arguments, process.returncode, out, err)
            return out, err

        def stopped(number, sent):
            """What a shard said that got a signal once it was at work."""
            delay = 0.3
            while True:
                process = start(*shard(number))
                time.sleep(delay)
                process.send_signal(sent)
                out, err = process.communicate()
                if process.returncode != -signal.SIGTERM:  # else it had not begun
                    return out, err, process.returncode
                delay *= 2

        merge = ["merge", "--complete", "--counts", "all.counts", "part-1.counts", "part-2.counts"]
        kept = 0
        for number in range(1, SHARDS + 1):
            out, err, status = stopped(number, signal.SIGTERM)
            if status == 130:
                kept += 1
                assert f" of {SAMPLES} samples are in part-{number}.counts; the same command continues" in err, err
            else:
                assert status == 0, (status, out, err)
            stopped(number, signal.SIGKILL)
        assert kept > 0, "no process was stopped before it had drawn all"
        names = sorted(os.listdir(folder))
        assert names == ["part-1.counts", "part-2.counts"], names
        call(*merge, "--quiet", statuses=(0, 1))  # half done, most likely
        for number in range(1, SHARDS + 1):
            call(*shard(number))
        merged, err = call(*merge, "--json", "-")
        assert not err, err
        assert merged == call(*SAMPLE, "--json", "-")[0], "the merged report is not that of one process"
    print(f"{kept} processes were stopped and went on; the reports are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
