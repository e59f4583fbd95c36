#!/usr/bin/env python3
"""Opens pages of `orderlab report`, and of `sample`, `solve` and `compare` with --html, in a browser, in two themes:
all charts are drawn, the console stays empty, nothing is asked of a network. Every kind of chart is on one of the pages.
What has got into a page is not run. Times are printed.

usage: browser_test.py PROGRAM [--all] [--screenshots DIR]      exit 77: no chromium, chromedriver or selenium here
    --all  every page in both themes and on a phone; else each in one theme, and every other on a phone
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
LARGEST_PAGE = 3_000_000
PATIENCE_S = 60

CONFIGS = {
    "growth": """title = "Growth"\nquestion = "Does it grow?"
n = [100, 1000, 10000]\ndist = ["uniform(0,10)", "normal(0,1)"]\nformat = ["fp64", "fp32"]
order = ["random", "spa", "sequential", "pairwise"]\ninput = { from = 0, to = 2 }\nsamples = 100""",
    "vs": """n = [300, 1000, 3000]\norder = "spa"\nbaseline = "sptr"\ninput = { from = 0, to = 5 }\nsamples = 100""",
    "formats": """n = [64, 1024, 4096]\ndist = ["constant(1)", "uniform(0,1)"]
format = ["fp64", "fp16", "bf16", "fp16:fp32:fp16"]\norder = ["sequential", "pairwise", "random"]\nsamples = 50""",
    "condition": """n = 1000\ndist = ["cancel(1)", "cancel(1e4)", "cancel(1e8)", "cancel(1e12)"]
order = ["random", "pairwise", "tprc_neumaier"]\ninput = [0, 1]\nsamples = 50""",
    "parameter": """n = [2000, 8000]\norder = ["spa(8)", "spa(16)", "spa(32)"]\ninput = [0, 1]\nsamples = 100""",
    "arrivals": """n = 5000\norder = "spa"\narrival = ["uniform", "jitter(3)", "trace('orders.csv')"]
input = { from = 0, to = 5 }\nsamples = 100""",
    "many": """n = 2000\norder = ["sequential", "pairwise", "numpy", "simd", "openmp", "warp", "ao", "spa", "sptr", "sprg",
"tprc_neumaier", "cub", "random", "random_tree"]\ninput = { from = 0, to = 99 }\nsamples = 50""",
    "exact": """n = [10, 20]\ndist = "integers(3)"\norder = ["random", "pairwise"]\nsamples = 20""",
    "differences": """n = [8, 16, 32]\norder = ["sequential", "pairwise", "simd", "mpi_recursive_doubling"]
format = ["fp32", "bf16"]\nbaseline = "mpi_recursive_doubling"\ninput = { from = 0, to = 9 }\nsamples = 1""",
    "all_orders": """n = 64\ndist = "normal(0,1)"\nformat = ["fp16", "fp32"]
order = ["chunks(2) | arrive | seq", "chunks(3) | arrive | seq", "chunks(5) | arrive | seq"]
input = [0, 1]\nsamples = "all"
""",
    "operations": """op = "index_add"\nshape = ["40x40", "80x80", "160x160"]\nratio = [0.3, 0.6, 0.9]
arrival = ["uniform", "jitter(20)"]\nsamples = 10\npublished = "published.csv"\n""",
    "scans": """op = ["cumsum", "cumsum(lookback=uniform)"]\nn = [1e4, 3e4]\nsamples = 10\n""",
    "single": """n = 100\norder = "random"\nsamples = 20""",
}
OPERATIONS = {
    "map": ["--op", "index_add", "--shape", "100x300", "--samples", "20"],
    "line": ["--op", "cumsum(lookback=uniform)", "--shape", "30000", "--samples", "20"],
}
SOLVERS = {
    "drift": ["cg", "--matrix", "poisson2d(30)", "--scale", "2", "--samples", "20"],
    "tiny": ["gmres", "--matrix", "poisson2d(1)", "--samples", "2"],
    "unsolved": ["bicgstab", "--matrix", "poisson2d(30)", "--samples", "5", "--max-iterations", "7"],
}
COMPARISONS = {
    "compared": ["0.929,0.927,0.931,0.925,0.927", "0.931,0.930,0.937,0.927,0.933", "--difference", "0.002"],
    "paired": ["0.929,0.927,0.931,0.925,0.927", "0.931,0.930,0.937,0.927,0.933", "--paired", "--items", "1000"],
}
HOST = """#include <cstdio>
__global__ void add(float* sum) { atomicAdd(sum, 1.0f / (1 + blockIdx.x)); }
int main() {
  float *d_sum, h_sum;
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemset(d_sum, 0, sizeof(float));
  add<<<100, 1>>>(d_sum);
  cudaMemcpy(&h_sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.9g\\n", h_sum);
  cudaFree(d_sum);
}
"""
KINDS = {"condition", "parameter", "vs", "differences", "growth", "accuracy", "arrivals", "formats", "orders", "distinct",
         "histogram", "ecdf", "trees", "vc_size", "vc_ratio", "vermv_size", "vermv_ratio", "vermv_published_size",
         "vermv_published_ratio", "offset_order", "output_map", "output_counts", "scores", "difference",
         "power", "solve_divergence", "solve_history", "solve_iterations", "host_runs"}
ACTIONS = ["Save as SVG", "Save as PNG", "View Source", "Open in Vega Editor"]

# Of every chart: its name, its drawings, how many of the groups of marks in it are empty, the marks in all, and whether a
# coordinate is no number, and whether its menu lies on its drawing.
CHARTS = """return [...document.querySelectorAll(".chart")].map((chart) => {
  const marks = [...chart.querySelectorAll("svg.marks g.role-mark")];
  return { name: chart.dataset.chart, drawings: chart.querySelectorAll("svg.marks").length,
           empty: marks.filter((group) => group.childElementCount === 0).length,
           marks: chart.querySelectorAll("svg.marks g.role-mark > *").length,
           wrong: /NaN|Infinity|undefined/.test(chart.querySelector("svg.marks")?.outerHTML ?? "NaN"),
           covered: chart.querySelector("summary").getBoundingClientRect().bottom >
                    chart.querySelector("svg.marks").getBoundingClientRect().top,
           actions: [...chart.querySelectorAll(".vega-actions a")].map((link) => link.textContent) };
});"""

# How far the right edge of the first view of the first chart lies before that of the page.
HEADLINE = """const chart = document.querySelector(".chart");
const frame = chart.querySelector('g.role-scope[class*="concat_"] path.background') ?? chart.querySelector("path.background");
const ends = [frame, ...frame.closest("g").parentElement.querySelectorAll("text")];
return { missing: chart.getBoundingClientRect().right - Math.max(...ends.map((e) => e.getBoundingClientRect().right)) };"""

# How many numbers of terms there are below trees, and how many of them overlap another one of their tree.
OVERLAPS = """const chart = document.querySelector('.chart[data-chart="trees"]');
if (chart === null) return { numbers: 0, overlapping: 0 };
const scopes = 'g.role-scope[class*="concat_"]';
const panels = [...chart.querySelectorAll(scopes)].filter((group) => !group.querySelector(scopes));
const boxes = (panels.length > 0 ? panels : [chart]).map((tree) =>
  [...tree.querySelectorAll("g.mark-text.role-mark text")].map((text) => text.getBoundingClientRect()));
const overlap = (a, b) => a.left < b.right - 0.3 && b.left < a.right - 0.3 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
return { numbers: boxes.flat().length,
         overlapping: boxes.flatMap((tree) => tree.filter((a, i) => tree.some((b, k) => k > i && overlap(a, b)))).length };"""

# Of every chart: how many panels begin right of the first one, and how much smaller than drawn it is shown.
STACKED = """return [...document.querySelectorAll(".chart")].map((chart) => {
  const svg = chart.querySelector("svg.marks");
  const frames = [...chart.querySelectorAll('g.role-scope[class*="concat_"] path.background')]
    .map((f) => f.getBoundingClientRect());
  return { name: chart.dataset.chart, scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
           beside: frames.filter((f) => f.left > frames[0].left + frames[0].width / 2).length };
});"""

# Of a page on paper: how many pixels its widest part is wider than a sheet, its highest drawing and whether buttons show.
PAPER = """const shown = [...document.querySelectorAll("main *, header *")].filter((e) => e.checkVisibility());
const drawings = [...document.querySelectorAll("svg.marks")].map((e) => e.getBoundingClientRect());
return { wider: Math.max(...shown.map((e) => e.getBoundingClientRect().right)) - innerWidth,
         highest: Math.max(...drawings.map((box) => box.height)),
         buttons: document.querySelectorAll("#theme, .chart summary").length > 0 &&
                  [...document.querySelectorAll("#theme, .chart summary")].some((e) => e.checkVisibility()) };"""
SHEET = {"width": 718, "height": 1047, "deviceScaleFactor": 1, "mobile": False}  # A4 less margins of 1 cm, in pixels


def make_pages(program, folder):
    rows = [[block * row % 41 - 1 for block in range(1, 41)] for row in range(2, 10)]  # permutations of 0..39
    (folder / "orders.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    (folder / "published.csv").write_text("# numbers made up for a test\nop,n,R,vc_mean,vc_sd,vermv_mean\n" + "".join(
        f"index_add,{n},{ratio},{ratio / 10},{ratio / 100},{ratio}e-9\n" for n in (40, 80) for ratio in (0.3, 0.6)),
                                         encoding="utf-8")
    pages = []
    for name, config in CONFIGS.items():
        (folder / f"{name}.toml").write_text(config + "\n", encoding="utf-8")
        page = folder / f"{name}.html"
        for line in (["sweep", f"{name}.toml", "--db", f"{name}.sqlite", "--quiet"],
                     ["report", f"{name}.sqlite", "-o", page.name, "--quiet"]):
            subprocess.run([program, *line], cwd=folder, check=True)
        pages.append(page)
    page = folder / "sample.html"
    subprocess.run([program, "sample", "--n", "1e4", "--order", "spa", "--order", "random", "--samples", "200", "--html",
                    page.name, "--quiet"], cwd=folder, check=True)
    pages.append(page)
    for name, line in OPERATIONS.items():
        page = folder / f"{name}.html"
        subprocess.run([program, "sample", *line, "--html", page.name, "--quiet"], cwd=folder, check=True)
        pages.append(page)
    for name, line in SOLVERS.items():
        page = folder / f"{name}.html"
        subprocess.run([program, "solve", *line, "--html", page.name, "--quiet"], cwd=folder, check=True)
        pages.append(page)
    for name, line in COMPARISONS.items():
        page = folder / f"{name}.html"
        subprocess.run([program, "compare", *line, "--html", page.name, "--quiet"], cwd=folder, check=True)
        pages.append(page)
    page = folder / "host.html"
    (folder / "sum.cu").write_text(HOST, encoding="ascii")
    subprocess.run([program, "host", "sum.cu", "--runs", "8", "--fail-on", "fault", "--html", page.name, "--quiet"],
                   cwd=folder, check=True)
    pages.append(page)
    return pages


def start_browser():
    """A headless browser, or None where there is none."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        return None
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        return None
    options = Options()
    options.binary_location = browser
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1100,1400",
                 "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(driver), options=options)


class Checks:
    def __init__(self, browser, screenshots):
        self.browser = browser
        self.screenshots = screenshots
        self.failures = []
        self.kinds = set()
        self.numbers = 0

    def expect(self, condition, what):
        if not condition:
            self.failures.append(what)
            print(f"FAILED: {what}", file=sys.stderr)

    def wait_until_drawn(self, what):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            ready = self.browser.execute_script("return document.documentElement.dataset.ready")
            if ready:
                return float(ready)
            time.sleep(0.02)
        self.expect(False, f"{what}: not drawn after {PATIENCE_S} s")
        return float("nan")

    def requests(self):
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                yield message["params"]["request"]["url"]

    def charts(self, what):
        charts = self.browser.execute_script(CHARTS)
        for chart in charts:
            self.kinds.add(chart["name"])
            about = f"{what}, {chart['name']}"
            self.expect(chart["drawings"] == 1, f"{about}: {chart['drawings']} drawings")
            self.expect(chart["marks"] > 0 and chart["empty"] == 0,
                        f"{about}: {chart['marks']} marks, {chart['empty']} empty groups")
            self.expect(not chart["wrong"], f"{about}: a coordinate is no number")
            self.expect(not chart["covered"], f"{about}: the menu covers the drawing")
            self.expect(chart["actions"] == ACTIONS, f"{about}: actions {chart['actions']}")
        self.expect(charts, f"{what}: no charts")

    def layout(self, what):
        """The first chart is as wide as the page; numbers of terms below trees lie apart; the table hides no column."""
        wide = self.browser.execute_script(HEADLINE)
        self.expect(wide["missing"] <= 16, f"{what}: the first chart ends {wide['missing']:.0f} pixels before the page")
        trees = self.browser.execute_script(OVERLAPS)
        self.expect(trees["overlapping"] == 0, f"{what}: {trees['overlapping']} numbers of terms overlap")
        self.numbers += trees["numbers"]
        hidden = self.browser.execute_script(
            "const e = document.querySelector('#points .scroll'); return e.scrollWidth - e.clientWidth;")
        self.expect(hidden <= 0, f"{what}: {hidden} pixels of the table are hidden")

    def phone(self, page):
        """Panels stand below each other, and a drawing is not made smaller than it was drawn."""
        what = f"{page.stem}, phone"
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        self.browser.get(page.as_uri())
        self.wait_until_drawn(what)
        self.charts(what)
        for chart in self.browser.execute_script(STACKED):
            about = f"{what}, {chart['name']}"
            self.expect(chart["beside"] == 0, f"{about}: {chart['beside']} panels stand beside another")
            self.expect(chart["scale"] > 0.97, f"{about}: drawn at {chart['scale']:.2f} of its size")
        wide = self.browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
        self.expect(wide <= 0, f"{what}: {wide} pixels wider than the screen")
        self.quiet(what)
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def paper(self, page):
        """What a page that is open looks like in print: nothing is cut by the edge of a sheet."""
        what = f"{page.stem}, printed"
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SHEET)
        on_paper = self.browser.execute_script(PAPER)
        self.expect(on_paper["wider"] <= 1, f"{what}: {on_paper['wider']:.0f} pixels wider than the sheet")
        self.expect(on_paper["highest"] <= SHEET["height"], f"{what}: a drawing is {on_paper['highest']:.0f} pixels high")
        self.expect(not on_paper["buttons"], f"{what}: buttons are printed")
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def background(self):
        return self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")

    def colors(self):
        return self.browser.execute_script("""return [...new Set([...document.querySelectorAll("svg.marks *")].flatMap(
          (e) => [e.getAttribute("fill"), e.getAttribute("stroke")]))].sort();""")

    def open(self, page, theme):
        what = f"{page.stem}, {theme}"
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                     {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        self.browser.set_window_size(1100, 1400)
        self.browser.get(page.as_uri())
        ready = self.wait_until_drawn(what)
        first = float(self.browser.execute_script("return document.documentElement.dataset.first || NaN"))
        print(f"{what}: {page.stat().st_size / 1e6:.2f} MB, first chart after {first:.0f} ms, all after {ready:.0f} ms")
        self.charts(what)
        self.layout(what)
        dark = self.background() == "rgb(22, 24, 28)"
        self.expect(dark == (theme == "dark"), f"{what}: background {self.background()}")
        wide = self.browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
        self.expect(wide <= 0, f"{what}: {wide} pixels wider than the window")
        if self.screenshots:
            height = self.browser.execute_script("return document.documentElement.scrollHeight")
            self.browser.set_window_size(1100, min(height + 150, 8000))
            self.browser.save_screenshot(str(self.screenshots / f"{page.stem}_{theme}.png"))
        self.quiet(what)

    def quiet(self, what):
        """Neither the console nor the network heard of it."""
        for entry in self.browser.get_log("browser"):
            self.expect(False, f"{what}: console: {entry['level']} {entry['message'][-300:]}")
        for url in self.requests():
            self.expect(url.startswith(("file:", "data:", "blob:", "about:")), f"{what}: asked for {url}")

    def foreign(self, page):
        """Scripts that are not the page's own do not run, whatever brings them; its charts are drawn all the same."""
        strange = page.with_name("foreign.html")
        mark = "document.documentElement.dataset.foreign = 'ran'"
        html = page.read_text(encoding="utf-8").replace("<main>", f"""<main><script>{mark}</script>
<img src="data:," onerror="{mark}"><a id="foreign" href="javascript:void({mark})">x</a>
<script src="data:text/javascript,{mark}"></script>
<iframe srcdoc="<script>parent.{mark}</script>"></iframe>""", 1)
        strange.write_text(html, encoding="utf-8")
        self.browser.get(strange.as_uri())
        self.wait_until_drawn("foreign scripts")
        self.browser.execute_script("document.getElementById('foreign').click()")
        time.sleep(0.2)
        self.expect(not self.browser.execute_script("return document.documentElement.dataset.foreign"),
                    "a foreign script ran")
        said = [entry["message"] for entry in self.browser.get_log("browser")]
        self.expect(sum("Content Security Policy" in message for message in said) >= 3, f"the console says {said}")
        self.browser.get_log("performance")

    def toggle_and_print(self, page):
        """The button exchanges the themes; a dark page is printed with the colors of the light one, and dark again."""
        self.open(page, "dark")
        dark = self.colors()
        self.browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        printed = self.colors()
        self.browser.execute_script("dispatchEvent(new Event('afterprint'))")
        self.expect(self.colors() == dark, f"{page.stem}: colors after printing are not those before")
        self.browser.execute_script("document.getElementById('theme').click()")
        self.wait_until_drawn(f"{page.stem}, switched")
        self.charts(f"{page.stem}, switched")
        self.expect(self.background() == "rgb(255, 255, 255)", f"{page.stem}: still dark when switched")
        self.expect(self.colors() == printed, f"{page.stem}: printed {set(printed) ^ set(self.colors())} apart")
        self.browser.set_window_size(500, 900)
        wide = self.browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
        self.expect(wide <= 0, f"{page.stem}: {wide} pixels wider than a small window")
        self.quiet(f"{page.stem}, switched")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--screenshots", type=Path)
    arguments = parser.parse_args()
    browser = start_browser()
    if browser is None:
        print("skipped: no chromium, chromedriver or python3-selenium")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        try:
            checks = Checks(browser, arguments.screenshots)
            pages = make_pages(str(Path(arguments.program).resolve()), Path(folder))
            for i, page in enumerate(pages):
                checks.expect(page.stat().st_size < LARGEST_PAGE, f"{page.stem}: {page.stat().st_size} bytes")
                for theme in ("light", "dark") if arguments.all else ("dark" if i % 2 else "light",):
                    checks.open(page, theme)
                checks.paper(page)
            checks.toggle_and_print(pages[0])
            checks.foreign(pages[-1])
            for page in pages if arguments.all else pages[::2]:
                checks.phone(page)
            checks.expect(checks.numbers > 0, "no numbers of terms below trees")
            checks.expect(checks.kinds == KINDS, f"kinds of charts: {sorted(checks.kinds ^ KINDS)} not as listed")
        finally:
            browser.quit()
    print(f"{len(checks.failures)} failures")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
