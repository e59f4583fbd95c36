"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const themes = read("themes");
  const specs = read("specs");
  const root = document.documentElement;
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const charts = [...document.querySelectorAll(".chart")];

  const theme = () => root.dataset.theme || (systemDark.matches ? "dark" : "light");

  // "@3" stands for the fourth color of the theme; data are left alone.
  const colored = (spec, palette) => {
    if (typeof spec === "string") return /^@\d+$/.test(spec) ? palette[Number(spec.slice(1)) % palette.length] : spec;
    if (Array.isArray(spec)) return spec.map((inner) => colored(inner, palette));
    if (spec === null || typeof spec !== "object") return spec;
    return Object.fromEntries(Object.entries(spec).map(([key, inner]) =>
      [key, key === "values" ? inner : colored(inner, palette)]));
  };

  // All single views of a spec, in the order in which they stand.
  const views = (spec) => (spec.vconcat || spec.concat) ? (spec.vconcat || spec.concat).flatMap(views) : [spec];

  const kNarrow = 640;
  const kLabels = 145;
  const shortLabels = (spec) => {
    for (const [key, inner] of Object.entries(spec))
      if (key === "labelLimit") spec[key] = Math.min(inner, kLabels);
      else if (key !== "values" && inner !== null && typeof inner === "object") shortLabels(inner);
  };

  // On a narrow screen all views of a spec stand below each other, as wide as the page.
  const stacked = (spec) => {
    const inside = views(spec);
    shortLabels(spec);
    if (inside.length === 1) return spec;
    const { concat, vconcat, columns, ...rest } = spec;
    return { ...rest, vconcat: inside };
  };

  // Axes and labels beside a view are known once it is drawn: how much wider than its place a drawing is.
  const excess = (element) => element.querySelector("svg.marks").viewBox.baseVal.width - element.clientWidth;

  // The same of the first view, whose place is the page, or the views below it where those are wider.
  const headlineExcess = (element) => {
    const svg = element.querySelector("svg.marks");
    const frame = svg.querySelector('g.role-scope[class*="concat_"] path.background');
    if (frame === null) return excess(element);
    const kPadding = 5;
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    const ends = [frame, ...frame.closest("g.role-scope").querySelectorAll("text")];
    const edge = Math.max(...ends.map((end) => end.getBoundingClientRect().right));  // lines may have labels there
    const right = (edge - svg.getBoundingClientRect().left) * scale + kPadding;
    return right - Math.max(element.clientWidth, svg.viewBox.baseVal.width);
  };

  const embed = (element, spec, columns) => {
    const config = themes[theme()];
    return vegaEmbed(element, spec, {
      mode: "vega-lite",
      renderer: "svg",
      ast: true,  // expressions are interpreted: the page's policy has no eval
      config: columns ? { ...config, legend: { ...config.legend, columns, labelLimit: 260 } } : config,
      actions: { export: true, source: true, compiled: false, editor: true },
      downloadFileName: element.dataset.chart,
      scaleFactor: { svg: 1, png: 3 },
    });
  };

  const draw = async (element) => {
    const narrow = element.clientWidth < kNarrow;
    const headline = element === charts[0];
    let spec = colored(structuredClone(specs[element.dataset.chart]), themes[theme()].range.category);
    if (narrow) {
      spec = stacked(spec);
      for (const view of views(spec)) {
        view.width = element.clientWidth - 80;
        if (view.title?.limit) view.title.limit = element.clientWidth - 20;
      }
    }
    await embed(element, spec, narrow ? 2 : 0);
    const over = narrow ? excess(element) : headlineExcess(element);
    if (!narrow && !headline || Math.abs(over) < 2) return;
    if (!narrow) {
      views(spec)[0].width -= over;
      await embed(element, spec, 0);
      return;
    }
    const widths = views(spec).map((view) => view.width);
    const resize = (by) => views(spec).forEach((view, i) => { view.width = Math.max(120, widths[i] - by); });
    resize(over);
    await embed(element, spec, 2);
    if (excess(element) < 2) return;
    resize(0);  // two columns of the legend are what is too wide
    await embed(element, spec, 1);
    resize(excess(element));
    await embed(element, spec, 1);
  };

  // One after the other, the first one at once: the page can be read while the rest is drawn.
  let round = 0;
  const drawAll = async () => {
    const mine = ++round;
    delete root.dataset.ready;
    for (const element of charts) {
      await draw(element);
      if (mine !== round) return;
      if (element === charts[0]) root.dataset.first = String(performance.now());
      await new Promise((next) => setTimeout(next));
    }
    root.dataset.ready = String(performance.now());
  };

  // Vega draws when it has time, a printer does not wait: colors are exchanged in the drawing, and back.
  const colors = (config, found = []) => {
    for (const value of Object.values(config)) {
      if (typeof value === "object") colors(value, found);
      else if (typeof value === "string" && value.startsWith("#")) found.push(value);
    }
    return found;
  };
  const recolor = (from, to) => {
    const exchange = new Map(colors(themes[from]).map((color, i) => [color, colors(themes[to])[i]]));
    for (const element of document.querySelectorAll(".chart svg, .chart svg *"))
      for (const name of ["fill", "stroke"])
        if (exchange.has(element.getAttribute(name))) element.setAttribute(name, exchange.get(element.getAttribute(name)));
    for (const svg of document.querySelectorAll(".chart svg"))
      if (exchange.has(svg.style.backgroundColor)) svg.style.backgroundColor = exchange.get(svg.style.backgroundColor);
  };
  let printed = null;
  addEventListener("beforeprint", () => {
    printed = theme();
    if (printed === "dark") recolor("dark", "light");
  });
  addEventListener("afterprint", () => {
    if (printed === "dark") recolor("light", "dark");
  });

  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = theme() === "dark" ? "light" : "dark";
    drawAll();
  });
  systemDark.addEventListener("change", () => {
    if (!root.dataset.theme) drawAll();
  });
  let width = charts[0]?.clientWidth;
  addEventListener("resize", () => {
    const before = width;
    width = charts[0]?.clientWidth;
    if (width !== before && (Math.min(width, before) < kNarrow)) drawAll();
  });
  drawAll();
})();
