"""The plugin of pytest: fixtures order_tolerance and order_explained.

pytest finds it by its entry point where the package is installed; elsewhere -p orderlab.pytest_plugin loads it.

It imports nothing of orderlab before the header is printed or a test uses a fixture, so that it costs other sessions
nothing and cannot break them.
"""

import hashlib
import os

import pytest

_SECTIONS = pytest.StashKey()
_CACHE = pytest.StashKey()
_SPEED_ONLY = ("threads", "progress")  # keywords that change no result


def pytest_addoption(parser):
    group = parser.getgroup("orderlab", "orderlab: sums in different orders")
    group.addoption("--orderlab-confidence", type=_confidence, default=0.999, metavar="P",
                    help="probability that order_explained passes results that order does explain, in one call; "
                         "default: 0.999")
    group.addoption("--orderlab-seed", type=_seed, default=1, metavar="SEED",
                    help="seed of the orders that order_explained and order_tolerance draw; default: 1")


def _confidence(text):
    try:
        confidence = float(text)
    except ValueError:
        confidence = -1
    if not 0 < confidence < 1:
        raise pytest.UsageError(f"--orderlab-confidence {text}: must lie between 0 and 1, both excluded, such as 0.999")
    return confidence


def _seed(text):
    if not (text.isascii() and text.isdigit() and int(text) < 2**64):
        raise pytest.UsageError(f"--orderlab-seed {text}: must be a whole number from 0 to 2^64 - 1, such as 1")
    return int(text)


def pytest_report_header(config):
    """The version and that of drawn bits; pytest does not ask for it with -q."""
    try:
        from orderlab import _core
    except Exception as error:  # the plugin is loaded in sessions that do not use it
        return f"orderlab: cannot be imported ({type(error).__name__}: {error})"
    return f"orderlab {_core.version}, bits version {_core.bits_version}"


class OrderTolerance(dict):
    """{"rtol": ..., "atol": ...} for numpy.testing.assert_allclose(actual, desired, **tolerance), with the same as
    attributes: pytest.approx(desired, rel=tolerance.rtol, abs=tolerance.atol). `result` is orderlab's Tolerance."""

    def __init__(self, result):
        super().__init__(result.kwargs)
        self.result = result

    @property
    def rtol(self):
        return self["rtol"]

    @property
    def atol(self):
        return self["atol"]


@pytest.fixture
def order_tolerance(request):
    """order_tolerance(x, order, **options): what to pass to a compare call. Options are those of orderlab.tolerance.

    Returns {"rtol": ..., "atol": ...}, with attributes rtol, atol, and result, which tells how they were found:
    np.testing.assert_allclose(np.float64(actual), np.float64(desired), **order_tolerance(x, order="warp")).
    """

    def tolerance(x=None, order=None, **options):
        import orderlab

        options.setdefault("seed", request.config.getoption("--orderlab-seed"))
        key = _key("tolerance", (x,), {"order": order, **options})
        return OrderTolerance(_once(request.config, key, lambda: orderlab.tolerance(x, order, **options)))

    return tolerance


@pytest.fixture
def order_explained(request):
    """order_explained(actual, x, order, **options): fails the test unless order explains the result.

    Options are those of orderlab.testing.assert_explained. The report of orderlab.check becomes a section of a failing
    test; verdict and p-value become properties of the test in JUnit's XML.
    """

    def explained(actual, x, order=None, *, err_msg="", **options):
        __tracebackhide__ = True
        from orderlab import testing

        options.setdefault("confidence", request.config.getoption("--orderlab-confidence"))
        options.setdefault("seed", request.config.getoption("--orderlab-seed"))
        key = _key("check", (actual, x), {"order": order, **options})
        check = _once(request.config, key, lambda: testing.judged(actual, x, order, **options))
        p = check["p"] if "p" in check else check["outside_samples"]["p"]
        request.node.user_properties.append(("orderlab_verdict", str(check["verdict"])))
        request.node.user_properties.append(("orderlab_p", "certain" if p is None else f"{float(p):.4g}"))
        if check.explained:
            return
        request.node.stash.setdefault(_SECTIONS, []).append(str(check))
        del options["confidence"]  # that of tolerances and enumerations means something else
        raise AssertionError(testing.explanation(check, x, order, err_msg=err_msg, verbose=False, **options))

    return explained


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" and report.failed:
        for text in item.stash.get(_SECTIONS, []):
            report.sections.append(("orderlab check", text))


def _once(config, key, compute):
    """Results of this session by content."""
    cache = config.stash.setdefault(_CACHE, {})
    if key not in cache:
        cache[key] = compute()
    return cache[key]


def _key(command, arrays, options):
    digest = hashlib.blake2b(command.encode(), digest_size=16)
    for value in [*arrays, *(one for item in sorted(options.items()) if item[0] not in _SPEED_ONLY for one in item)]:
        _feed(digest, value)
    return digest.digest()


def _feed(digest, value):
    """A value by its content; an array by dtype, shape and bytes, a file by its path, size and time."""
    import numpy as np

    if isinstance(value, (list, tuple)):
        digest.update(f"{type(value).__name__} {len(value)};".encode())
        for one in value:
            _feed(digest, one)
    elif hasattr(value, "__array__"):
        array = np.ascontiguousarray(value)
        digest.update(f"array {array.dtype.name} {array.dtype.str} {np.shape(value)};".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    else:
        digest.update(f"{type(value).__name__} {value!r};".encode())
        if isinstance(value, (str, os.PathLike)) and os.path.isfile(value):
            state = os.stat(value)
            digest.update(f"{state.st_size} {state.st_mtime_ns};".encode())
