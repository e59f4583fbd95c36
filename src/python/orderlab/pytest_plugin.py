"""The plugin of pytest: fixtures order_tolerance, order_explained and sum_close.

pytest finds it by its entry point where the package is installed; elsewhere -p orderlab.pytest_plugin loads it, and
-p no:orderlab -p orderlab.pytest_plugin works in both.

It imports nothing of orderlab before the header is printed or a test uses a fixture, so that it costs other sessions
nothing and cannot break them.
"""

import collections

import pytest

_SECTIONS = pytest.StashKey()


def pytest_addoption(parser):
    group = parser.getgroup("orderlab", "orderlab: sums in different orders")
    group.addoption("--orderlab-confidence", type=lambda text: _share("confidence", text), default=0.999, metavar="P",
                    help="probability that order_explained passes results that order does explain, in one call; "
                         "default: 0.999")
    group.addoption("--orderlab-coverage", type=lambda text: _share("coverage", text), default=0.999, metavar="P",
                    help="share of runs that order_tolerance and sum_close cover; default: 0.999")
    group.addoption("--orderlab-seed", type=_seed, default=1, metavar="SEED",
                    help="seed of the orders that the fixtures draw; default: 1")


def _share(name, text):
    try:
        share = float(text)
    except ValueError:
        share = -1
    if not 0 < share < 1:
        raise pytest.UsageError(f"--orderlab-{name} {text}: must lie between 0 and 1, both excluded, such as 0.999")
    return share


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
        from orderlab import _closeness

        options = {**_of_tolerances(request.config), **options}
        found, _ = _closeness.tolerance_of(x, order, options)
        _note_tolerance(request, found)
        return OrderTolerance(found)

    return tolerance


def _of_tolerances(config):
    return {"seed": config.getoption("--orderlab-seed"), "coverage": config.getoption("--orderlab-coverage")}


def _note_tolerance(request, found):
    request.node.user_properties.append(("orderlab_tolerance", f"rtol={found.rtol!r}, atol={found.atol!r}"))


@pytest.fixture
def sum_close(request):
    """sum_close(actual, terms, order, **options): fails the test if the sum is farther from the exact one than the
    order moves it. Options are those of orderlab.testing.assert_sum_close."""

    def close(actual, terms, order="random", *, err_msg="", verbose=True, **options):
        __tracebackhide__ = True
        from orderlab import _closeness

        options = {**_of_tolerances(request.config), **options}
        found, text = _closeness.compared(actual, terms, order, options, err_msg, verbose)
        _note_tolerance(request, found)
        if text:
            raise AssertionError(text)

    return close


@pytest.fixture
def order_explained(request):
    """order_explained(actual, x, order, **options): fails the test unless order explains the result.

    Options are those of orderlab.testing.assert_explained. The report of orderlab.check becomes a section of a failing
    test; verdict and p-value become properties of the test in JUnit's XML.
    """

    def explained(actual, x, order=None, *, err_msg="", verbose=False, **options):
        __tracebackhide__ = True
        from orderlab import _closeness, _contents, testing

        x = testing.read_terms(x)
        options.setdefault("confidence", request.config.getoption("--orderlab-confidence"))
        options.setdefault("seed", request.config.getoption("--orderlab-seed"))
        key = _contents.key_of("check", (actual, x), {"order": order, **options})
        check, _ = _closeness.kept.get(key, lambda: testing.judged(actual, x, order, **options))
        p = check.pvalue
        request.node.user_properties.append(("orderlab_verdict", str(check["verdict"])))
        request.node.user_properties.append(("orderlab_p", "certain" if p is None else f"{float(p):.4g}"))
        if check.explained:
            return
        request.node.stash.setdefault(_SECTIONS, []).append(str(check))
        del options["confidence"]  # that of tolerances and enumerations means something else
        raise AssertionError(testing.explanation(check, x, order, err_msg=err_msg, verbose=verbose, **options))

    return explained


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when == "call" and report.failed:
        for text in item.stash.get(_SECTIONS, []):
            report.sections.append(("orderlab check", text))


def pytest_terminal_summary(terminalreporter):
    """One line on what the fixtures found. Properties of tests come with their reports, also from workers of xdist."""
    verdicts, tolerances = collections.Counter(), 0
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) != "call":
                continue
            verdicts.update(value for name, value in report.user_properties if name == "orderlab_verdict")
            tolerances += sum(name == "orderlab_tolerance" for name, _ in report.user_properties)
    parts = []
    if verdicts:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
        parts.append(f"{sum(verdicts.values())} results checked ({counts})")
    if tolerances:
        parts.append(f"{tolerances} tolerances")
    if parts:
        terminalreporter.write_line(f"orderlab: {', '.join(parts)}")
