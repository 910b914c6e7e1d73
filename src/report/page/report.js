"use strict";
// This script builds the page from the embedded JSON. Text from the data is only inserted as text, never as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const target = data.target || "target";
const drawn = [];  // [canvas, () => configuration]

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

const grouped = count => String(count).replace(/\B(?=(\d{3})+$)/g, " ");

function figure(title, note, make, wide = false) {
  const canvas = element("canvas", {role: "img", "aria-label": note ? `${title}: ${note}` : title});
  drawn.push([canvas, make]);
  return element("figure", wide ? {class: "wide"} : {},
    element("figcaption", {}, title, note ? element("span", {}, note) : null),
    element("div", {class: "plot"}, canvas));
}

const grid = (figures, kind = "") => element("div", {class: `charts ${kind}`}, ...figures);

function section(title, intro, ...children) {
  return element("section", {}, element("h2", {}, title), intro ? element("p", {class: "intro"}, intro) : null, ...children);
}

// Table without the columns that are empty in every row.
function table(allHeads, allRows, allNumeric = []) {
  const kept = allHeads.map((_, i) => i).filter(i => allRows.some(row => row[i] !== ""));
  const heads = kept.map(i => allHeads[i]), rows = allRows.map(row => kept.map(i => row[i]));
  const numeric = kept.flatMap((i, at) => allNumeric.includes(i) ? [at] : []);
  const cells = row => row.map((cell, i) => element("td", {"data-head": heads[i], ...(numeric.includes(i) ? {class: "number"} : {})}, cell));
  return element("div", {class: "card"}, element("table", {class: "stack"},
    element("thead", {}, element("tr", {}, ...heads.map(h => element("th", {scope: "col"}, h)))),
    element("tbody", {}, ...rows.map(row => element("tr", {}, ...cells(row))))));
}

function pairTable(rows) {
  return element("div", {class: "card"}, element("table", {class: "pair"},
    element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("td", {}, name), element("td", {}, value))))));
}

const together = text => text.replace(/(\d) %/g, "$1\u00a0%");  // no line break between a number and its per cent sign

function summary() {
  const marks = {good: "✓", note: "i", warning: "!"}, words = {good: "good: ", note: "note: ", warning: "attention: "};
  return element("header", {},
    element("h1", {}, `Gaussian process for ${target}`),
    element("p", {class: "faint"}, data.facts),
    element("p", {class: `headline ${data.headline.level}`}, data.headline.text),
    element("div", {class: "tiles"}, ...data.tiles.map(t => element("div", {class: "tile"},
      element("span", {class: "label"}, t.label), element("b", {}, t.value), element("span", {}, t.hint)))),
    element("ul", {class: "verdict"}, ...data.verdict.map(s => element("li", {class: s.level},
      element("span", {class: "mark", role: "img", "aria-label": words[s.level]}, marks[s.level]), element("span", {}, together(s.text))))));
}

function assessment(title, intro, a) {
  if (!a) return section(title, "The model file does not contain held-out predictions.");
  const shown = (a.truth.length < a.rows ? `${grouped(a.truth.length)} of ` : "") + `${grouped(a.rows)} rows`;
  const figures = [
    figure("Predicted and true values", `${shown}; exact predictions lie on the dashed line`, () => predictedAgainstTruth(a, target)),
    figure("Residuals", "a good model leaves residuals without structure around zero", () => residualsAgainstPrediction(a, target))];
  if (a.calibration) {
    figures.push(
      figure("Calibration of intervals", "differences inside the grey band may be chance; below it intervals are too narrow",
             () => calibration(a.calibration)),
      figure("Distribution of errors", "residuals in standard deviations of the prediction", () => histogram(a.histogram)));
  } else {
    intro += " No variances were computed for these rows, so intervals cannot be checked.";
  }
  return section(title, intro, grid(figures), element("details", {}, element("summary", {}, "Scores"), pairTable(a.scores)));
}

function effects() {
  const one = data.effects.length === 1 && data.effects[0].y;
  if (one) {
    return section("The fit", "The chart shows the prediction along the only input. The wide band should contain 95 % of new rows.",
                   grid([figure(`${target} over ${data.effects[0].name}`, "", () => effect(data.effects[0], target), true)]));
  }
  const rest = data.relevance && data.relevance.names.length > data.effects.length
    ? ` The ${data.effects.length} most relevant of ${data.relevance.names.length} inputs are shown.` : "";
  return section("Effects", "Each chart shows the prediction along one input, with the others at their median. The band contains the function with "
    + "probability 95\u00a0%. The marks below show training rows; away from them the curve is extrapolated." + rest,
    grid(data.effects.map(e => figure(e.name, "", () => effect(e, target))), "small"));
}

function relevance() {
  const r = data.relevance;
  if (!r) return null;
  const most = 25, names = r.names.slice(0, most), figures = [
    figure("Permutation importance", `root mean square change of predictions when the input's values are permuted, in units of ${target}`,
           () => bars(names, "moved", r.moved.slice(0, most), `change of ${target}`))];
  if (r.inverse_length) {
    figures.push(figure("Inverse length scales", "standard deviation over length scale, relative to the largest: they measure curvature, not size",
                        () => bars(names, "relative 1/length", r.inverse_length.slice(0, most), "1 / length scale, relative")));
  }
  const section_ = section("Relevance of the inputs", "", grid(figures));
  if (names.length > 8) section_.querySelectorAll(".plot").forEach(p => { p.style.height = `${90 + 24 * names.length}px`; });
  return section_;
}

function components() {
  const c = data.components;
  if (!c) return null;
  const figures = (c.curves || []).map((curve, i) =>
    figure(curve.name, "", () => component(curve, c.at, data.features[0], target, palette()[i % 6])));
  figures.push(figure("Size of each component", "standard deviation of its contribution to training rows",
                      () => bars(c.names, "spread", c.spread, target)));
  return section("Components of the kernel", "The kernel is a sum, so the prediction is the sum of these components and the target's mean. "
    + "A wide band means that other components can explain the same variation.", grid(figures));
}

function convergenceSection() {
  const c = data.convergence;
  if (!c) return null;
  const figures = [figure("By step", "", () => convergence(c, "iteration", "step"))];
  // A model file contains no times, so only the report that fit writes shows them.
  if (c.series.every(s => s.seconds)) figures.push(figure("By time", "", () => convergence(c, "seconds", "seconds")));
  return section("Convergence", `The charts show the objective of training; each line is one start${c.by_fold ? " on one fold" : ""}.`, grid(figures));
}

function parameters() {
  const known = new Set();  // each meaning is shown once
  const meaning = text => known.has(text) ? "" : (known.add(text), text);
  const rows = data.parameters.map(p => [
    element("span", {}, p.label, element("br"), element("code", {class: "faint"}, p.name)), p.value, p.unit, p.error, meaning(p.meaning), p.remark]);
  return section("Hyper-parameters", "Values are in the units of the table; the standard error shows how well the data determine each of them.",
                 table(["parameter", "value", "in units of", "standard error", "meaning", "remark"], rows, [1, 3]));
}

function optima() {
  if (data.optima.length < 2) return null;
  return section("Optima found", "The table lists the optimum of each start, best first; values are for standardised data.",
    table(["start", "status", "objective", "noise", "kernel"],
          data.optima.map(o => [String(o.start), o.status, o.objective, o.noise, element("code", {}, o.kernel)]), [2, 3]));
}

function ending() {
  const parts = [];
  if (data.mean.length) {
    parts.push(section("Mean function", "The coefficients are in the units of target and inputs.", pairTable(data.mean)));
  }
  parts.push(element("div", {class: "columns"}, section("Settings", "", pairTable(data.settings)), section("Time", "", pairTable(data.timing))));
  if (data.command) {
    parts.push(section("Command", "", element("div", {class: "card"}, element("pre", {}, data.command))));
  }
  parts.push(element("footer", {}, `gpcv ${data.version} · drawn with Chart.js (MIT licence)`));
  return parts;
}

function draw() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  Chart.defaults.font.size = 12;
  for (const [canvas, make] of drawn) {
    const old = Chart.getChart(canvas);
    if (old) old.destroy();
    new Chart(canvas, {type: "scatter", ...make()});
  }
  document.documentElement.dataset.drawn = drawn.length;
}

document.getElementById("report").append(...[
  summary(), effects(), relevance(), components(), parameters(),
  assessment("Held-out rows", "Each row is predicted by the fold that held it out.", data.held_out),
  data.test ? assessment("Test table", "The model predicts the rows of the test table given to the report.", data.test) : null,
  convergenceSection(), optima(), ...ending()].filter(Boolean));
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
