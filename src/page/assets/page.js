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

  const draw = (element) => {
    const name = element.dataset.chart;
    return vegaEmbed(element, colored(specs[name], themes[theme()].range.category), {
      mode: "vega-lite",
      renderer: "svg",
      config: themes[theme()],
      actions: { export: true, source: true, compiled: false, editor: true },
      downloadFileName: name,
      scaleFactor: { svg: 1, png: 3 },
    });
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
  drawAll();
})();
