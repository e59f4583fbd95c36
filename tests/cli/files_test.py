#!/usr/bin/env python3
"""Runs `orderlab` on files that it must not lose: what it reads, what it writes twice, what it may not write.

As root it also runs as a user without rights, and on a file system that is full.

usage: files_test.py PROGRAM
"""

import argparse
import contextlib
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

NOBODY = 65534
ROOT = os.geteuid() == 0
SUM = ["sum", "--values", "1,2,3", "--order", "seq"]
SAMPLE = ["sample", "--values", "1,2,3", "--samples", "5"]
TIMEOUT_S = 20


def run(*arguments, user=None, limit=None, **more):
    """The finished run; by `user`, or with files of at most `limit` bytes, as asked."""

    def before():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    if user is not None:
        more |= {"user": user, "group": user, "extra_groups": []}
    return subprocess.run([PROGRAM, *arguments], preexec_fn=before, text=True, timeout=TIMEOUT_S,
                          **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | more)


def listing():
    """All names below, with what they are and hold."""
    found = {}
    for path in sorted(Path(".").rglob("*")):
        mode = path.lstat().st_mode
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if stat.S_ISREG(mode) else b""
        found[str(path)] = (mode, content)
    return found


def refuses(words, *arguments, **more):
    """One line, exit status 2, nothing written."""
    before = listing()
    done = run(*arguments, **more)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), (arguments, done)
    assert words in done.stderr, (words, done.stderr)
    assert listing() == before, (arguments, "changed a file")


def writes(path, *arguments, **more):
    """Exit status 0, the file holds the JSON that standard output would, and no other file came but this one."""
    before = set(listing())
    expected = run(*SUM, "--json", "-").stdout
    done = run(*SUM, "--quiet", "--json", *arguments, **more)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert Path(path).read_text(encoding="utf-8") == expected, path
    assert set(listing()) - before <= {str(path)}, "left a file"


def standard_output_by_any_name():
    """JSON alone, in the file that standard output is."""
    expected = run(*SUM, "--json", "-").stdout
    os.symlink("/proc/self/fd/1", "link")  # as /dev/stdout is, which a faulty program would replace
    for name in ("link", "/proc/self/fd/1", "/dev/fd/1", "out"):
        for mode in ("w", "a"):
            with open("out", mode, encoding="utf-8") as out:
                before = os.fstat(out.fileno()).st_size
                done = run(*SUM, "--json", name, stdout=out)
            assert (done.returncode, done.stderr) == (0, ""), done
            assert Path("out").read_text(encoding="utf-8")[before:] == expected, (name, mode)
        with open("out", "w", encoding="utf-8") as out:
            done = run(*SUM, "--json", name, "--csv", "-", stdout=out)
        assert done.returncode == 2 and "both want standard output" in done.stderr, done
    assert run(*SUM, "--json", "link").stdout == expected
    assert os.readlink("link") == "/proc/self/fd/1"


def other_open_files():
    """Standard error and process substitution: written from where they stand, never replaced."""
    expected = run(*SUM, "--json", "-").stdout
    os.symlink("/proc/self/fd/2", "link")
    Path("log").write_text("before\n", encoding="utf-8")
    with open("log", "a", encoding="utf-8") as log:
        run(*SUM, "--quiet", "--json", "link", stderr=log)
    assert Path("log").read_text(encoding="utf-8") == "before\n" + expected
    assert os.readlink("link") == "/proc/self/fd/2"
    reader, writer = os.pipe()
    done = run(*SUM, "--quiet", "--json", f"/dev/fd/{writer}", pass_fds=[writer])
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:
        assert (done.returncode, pipe.read()) == (0, expected), done
    with open("log", encoding="utf-8") as log:
        refuses("cannot be written", *SUM, "--json", f"/dev/fd/{log.fileno()}", pass_fds=[log.fileno()])


def inputs_are_kept():
    """No output takes the place of a file that is read, by whatever name."""
    Path("in.txt").write_text("1\n2\n3\n", encoding="utf-8")
    Path("p.txt").write_text("2 0 1\n", encoding="utf-8")
    Path("t.txt").write_text("2 0 1\n0 1 2\n", encoding="utf-8")
    os.mkdir("folder")
    os.link("in.txt", "hard")
    os.symlink("in.txt", "link")
    for name in ("in.txt", "./in.txt", "folder/../in.txt", "hard", "link", os.path.abspath("in.txt")):
        refuses("is read", "worst", "--input", "in.txt", "--order", "random", "--order-file", name)
        for flag in ("--json", "--csv", "--html"):
            refuses("is read", "sample", "--input", "in.txt", "--order", "random", flag, name)
    with open("in.txt", encoding="utf-8") as terms:
        refuses("is standard input", "sum", "--input", "-", "--order", "seq", "--json", "in.txt", stdin=terms)
    refuses("is read", *SAMPLE, "--order", "perm('p.txt') | seq", "--json", "p.txt")
    refuses("is read", *SAMPLE, "--order", "random", "--baseline", "perm(p.txt) | seq", "--csv", "./p.txt")
    refuses("is read", *SAMPLE, "--order", "ao", "--arrival", "trace('t.txt')", "--html", "t.txt")
    refuses("is read", *SAMPLE, "--order", "arrive(trace('t.txt')) | seq", "--json", "./t.txt")
    refuses("is read", "fit", "t.txt", "--json", "t.txt")


def outputs_are_kept():
    """Two outputs never go to one file, there or not; a device may be named twice."""
    Path("a").write_text("old", encoding="utf-8")
    os.link("a", "hard")
    os.symlink("a", "link")
    os.symlink("new", "dangling")
    for one, other in (("new", "new"), ("new", "./new"), ("dangling", "new"), ("a", "hard"), ("link", "a")):
        refuses("name the same file", *SAMPLE, "--order", "random", "--json", one, "--html", other)
        refuses("name the same file", *SAMPLE, "--order", "random", "--csv", one, "--json", other)
    done = run(*SAMPLE, "--order", "random", "--json", "/dev/null", "--csv", "/dev/null")
    assert (done.returncode, done.stderr) == (0, ""), done


def modes_owners_and_links():
    """A file that is written again is the same to everyone but for what it holds."""
    for mode in (0o600, 0o644, 0o664):
        Path("old").write_text("old", encoding="utf-8")
        os.chmod("old", mode)
        if ROOT:
            os.chown("old", NOBODY, NOBODY)
        before = os.stat("old")
        writes("old", "old")
        after = os.stat("old")
        assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid), oct(mode)
        os.remove("old")
    umask = os.umask(0o027)
    writes("new", "new")
    os.umask(umask)
    assert stat.S_IMODE(os.stat("new").st_mode) == 0o640
    os.mkdir("folder")
    os.symlink("folder/later", "dangling")
    writes("folder/later", "dangling")
    os.symlink("new", "link")
    writes("new", "link")
    assert (os.readlink("dangling"), os.readlink("link")) == ("folder/later", "new")


def names_are_not_foreseen():
    """A link under a name that could be foreseen is not followed."""
    Path("victim").write_text("precious", encoding="utf-8")
    script = f'ln -s victim new.part$$; exec "$0" {" ".join(SUM)} --quiet --json new'
    subprocess.run(["/bin/sh", "-c", script, PROGRAM], check=True, timeout=TIMEOUT_S)
    assert Path("victim").read_text(encoding="utf-8") == "precious"


def rights():
    """What a user without rights may not do is said with its reason, and leaves all as it was."""
    user = NOBODY if ROOT else None
    Path("old").write_text("old", encoding="utf-8")
    os.mkdir("closed")
    Path("closed/mine").write_text("mine", encoding="utf-8")
    os.mkdir("sticky")
    Path("sticky/theirs").write_text("theirs", encoding="utf-8")
    if ROOT:
        os.chown("closed/mine", NOBODY, NOBODY)
    os.chmod("closed/mine", 0o666)
    os.chmod("closed", 0o555)
    os.chmod("old", 0o444)
    for path, words in (("old", "Permission denied"), ("closed/mine", "no file can be created in its folder"),
                        ("closed/new", "Permission denied")):
        refuses(words, *SUM, "--json", path, user=user)
    if not ROOT:
        return
    os.chmod("sticky", 0o1777)
    os.chmod("sticky/theirs", 0o666)
    refuses("only the owner", *SUM, "--json", "sticky/theirs", user=user)
    os.mkdir("shared", 0o777)
    os.chmod("shared", 0o777)
    Path("shared/team").write_text("team", encoding="utf-8")
    os.chmod("shared/team", 0o676)
    writes("shared/team", "shared/team", user=user)
    after = os.stat("shared/team")
    assert after.st_uid == NOBODY and stat.S_IMODE(after.st_mode) == 0o666, "a new group got rights of the old one"


def full_disks():
    """The reason is said, the old file stays, nothing is left."""
    Path("old").write_text("old", encoding="utf-8")
    for path in ("old", "new"):
        refuses("cannot be written: File too large", *SUM, "--quiet", "--json", path, limit=1000)
    if not ROOT:
        return
    os.mkdir("disk")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", "disk"], capture_output=True).returncode != 0:
        print("skipped: a disk that is full, as nothing can be mounted")
        return
    try:
        Path("disk/old").write_text("old", encoding="utf-8")
        Path("disk/filler").write_bytes(b"x" * 8192)
        for path in ("disk/old", "disk/new"):
            refuses("cannot be written: No space left on device", *SAMPLE, "--order", "random", "--quiet", "--html", path)
        Path("mounted").write_text("mine", encoding="utf-8")
        if subprocess.run(["mount", "--bind", "old", "mounted"], capture_output=True).returncode == 0:
            try:
                refuses("mounted as a file", *SUM, "--json", "mounted")
            finally:
                subprocess.run(["umount", "mounted"], check=True)
    finally:
        subprocess.run(["umount", "disk"], check=True)


@contextlib.contextmanager
def waiting_run():
    """A run that writes to the pipe `fifo`; killed where it waits for ever."""
    with subprocess.Popen([PROGRAM, *SUM, "--quiet", "--json", "fifo"], stderr=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(TIMEOUT_S, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            process.wait()
            watchdog.cancel()


def pipes():
    """A FIFO is written in place; one without a reader is told of, waits, and can be interrupted."""
    os.mkfifo("fifo")
    said = "orderlab: fifo: is a pipe that nobody reads; waiting for a reader\n"
    with waiting_run() as process:
        assert process.stderr.readline() == said
        process.send_signal(signal.SIGINT)
    assert process.returncode == 130
    with waiting_run() as process:
        assert process.stderr.readline() == said
        got = Path("fifo").read_text(encoding="utf-8")
    assert (process.returncode, got) == (0, run(*SUM, "--json", "-").stdout)
    assert stat.S_ISFIFO(os.stat("fifo").st_mode) and len(listing()) == 1


def pipes_in_place_of_kept_files():
    """What is read twice, or written again, is no pipe: refused at once, with a writer or without."""
    Path("c.toml").write_text('n = [10]\norder = "warp"\nsamples = 5\n', encoding="utf-8")
    run("sample", "--n", "10", "--order", "warp", "--samples", "5", "--counts", "good.counts", "--quiet")
    run("sweep", "c.toml", "--db", "good.sqlite", "--quiet")
    os.mkfifo("fifo")
    for held in (False, True):  # by a writer that writes nothing
        silent = os.open("fifo", os.O_RDWR) if held else None
        for arguments in (["sample", "--n", "10", "--order", "warp", "--samples", "5", "--counts", "fifo"],
                          ["merge", "--counts", "fifo", "good.counts"],
                          ["merge", "--counts", "new.counts", "fifo"],
                          ["merge", "--counts", "new.counts", "--complete", "good.counts", "fifo"],
                          ["sweep", "fifo", "--db", "new.sqlite"]):
            refuses("fifo: is a pipe, not a file", *arguments)
        for arguments in (["merge", "--db", "fifo", "good.sqlite"],
                          ["merge", "--db", "new.sqlite", "fifo"],
                          ["merge", "--db", "new.sqlite", "--complete", "good.sqlite", "fifo"],
                          ["sweep", "c.toml", "--db", "fifo"],
                          ["sweep", "c.toml", "--db", "fifo", "--status"],
                          ["report", "fifo", "-o", "page.html"],
                          ["export", "fifo", "--csv", "-"],
                          ["solve", "cg", "--matrix", "poisson2d(4)", "--samples", "1", "--db", "fifo"],
                          ["train", "--epochs", "1", "--seeds", "1", "--orders", "1", "--db", "fifo"]):
            refuses("fifo: is not a regular file", *arguments)
        if held:
            os.close(silent)
    reader, writer = os.pipe()
    os.write(writer, Path("good.counts").read_bytes())
    os.close(writer)
    refuses("is a pipe, not a file", "merge", "--counts", "new.counts", f"/dev/fd/{reader}", pass_fds=[reader])
    os.close(reader)


def inputs_from_pipes():
    """Terms, permutations and right-hand sides may come from a process."""

    def from_pipe(text, *arguments):
        reader, writer = os.pipe()
        os.write(writer, text.encode())
        os.close(writer)
        done = run(*(word.replace("PIPE", f"/dev/fd/{reader}") for word in arguments), pass_fds=[reader])
        os.close(reader)
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    assert from_pipe("1\n2\n3\n", "sum", "--input", "PIPE", "--order", "seq")
    assert from_pipe("2 0 1\n", *SUM[:3], "--order", "perm('PIPE') | seq")
    for command in ("explain", "sample", "tolerance"):  # a pipe has its bytes once, however many sizes are asked about
        compared = from_pipe("1\n2\n3\n4\n", command, "--op", "all_reduce(4,library=vllm)", "--input", "PIPE",
                             "--batch", "1,256")
        assert "in batches, compared with the first size" in compared, compared
    assert from_pipe("3\n", "solve", "cg", "--matrix", "poisson2d(1)", "--samples", "1", "--rhs", "PIPE", "--quiet",
                     "--json", "-")


TESTS = [standard_output_by_any_name, other_open_files, inputs_are_kept, outputs_are_kept, modes_owners_and_links,
         names_are_not_foreseen, rights, full_disks, pipes, pipes_in_place_of_kept_files, inputs_from_pipes]


def main():
    global PROGRAM
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=os.path.abspath)
    PROGRAM = parser.parse_args().program
    failed = 0
    with tempfile.TemporaryDirectory() as base:
        os.chmod(base, 0o755)
        if ROOT:  # where it was built, the user without rights may not look
            PROGRAM = shutil.copy(PROGRAM, base)
        for test in TESTS:
            folder = Path(base, test.__name__)
            folder.mkdir()
            os.chdir(folder)
            try:
                test()
            except AssertionError as error:
                failed += 1
                print(f"FAILED: {test.__name__}: {test.__doc__}\n  {error}")
            else:
                print(test.__name__, "passed")
            os.chdir("/")
            for path in folder.rglob("*"):  # so that the folder can be removed
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o755)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
