"use strict";
// This script builds the page from the embedded JSON. Text from the data is only inserted as text, never as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const target = data.target || "target", modelled = data.transformed || target;
const drawn = [];  // [canvas, () => configuration]

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

const grouped = count => String(count).replace(/\B(?=(\d{3})+$)/g, " ");

// Chart with its caption, its text alternative and, behind it, its data as tables.
function figure(title, note, make, tables, wide = false) {
  const said = [note ? `${title}: ${note}` : title, "The table below the chart has its data."].join(". ");
  const canvas = element("canvas", {role: "img", "aria-label": said});
  drawn.push([canvas, make]);
  return element("figure", wide ? {class: "wide"} : {},
    element("figcaption", {}, title, note ? element("span", {}, note) : null),
    element("div", {class: "plot"}, canvas), dataOfChart(title, tables));
}

function dataOfChart(title, tables) {
  return element("details", {class: "data"}, element("summary", {}, "Data of this chart", element("span", {class: "unseen"}, `: ${title}`)),
    ...tables.map(t => dataTable(`${title}, ${t.name}`, t)));
}

const cellText = value => value === null || value === undefined ? "–" : typeof value === "number" ? tick(value) : value;

// Table of columns [[head, values], …]. Of many rows the first are shown, of a curve with many points every few.
function dataTable(caption, {columns, isCurve}) {
  const most = 200, count = columns[0][1].length, every = isCurve ? Math.ceil(count / 100) : 1;
  const shown = columns[0][1].map((_, i) => i).filter(i => i % every === 0).slice(0, most);
  const left = shown.length === count ? "" : every > 1 ? ` Every ${every}th of ${grouped(count)} points is listed.`
    : ` The first ${most} of ${grouped(count)} rows are listed.`;
  const row = i => columns.map(([, values], c) => element(c === 0 ? "th" : "td", c === 0 ? {scope: "row"} : {}, cellText(values[i])));
  return element("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": `Table: ${caption}`}, element("table", {},
    element("caption", {}, `${caption}.${left}`),
    element("thead", {}, element("tr", {}, ...columns.map(([head]) => element("th", {scope: "col"}, head)))),
    element("tbody", {}, ...shown.map(i => element("tr", {}, ...row(i))))));
}

// Columns of a curve with its bands.
function curveColumns(first, at, curve) {
  const bands = [["lower", "95 % from"], ["upper", "95 % to"], ["row_lower", "95 % of new rows from"], ["row_upper", "95 % of new rows to"]];
  return [[first, at], ["prediction", curve.mean], ...bands.filter(([key]) => curve[key]).map(([key, head]) => [head, curve[key]])];
}

const grid = (figures, kind = "") => element("div", {class: `charts ${kind}`}, ...figures);

const slug = title => title.toLowerCase().replace(/[^a-z]+/g, "-").replace(/^-|-$/g, "");

function section(title, intro, ...children) {
  const id = slug(title);
  return element("section", {id, "aria-labelledby": `${id}-heading`}, element("h2", {id: `${id}-heading`}, title),
                 intro ? element("p", {class: "intro"}, intro) : null, ...children);
}

// Table without the columns that are empty in every row. The roles remain where a narrow window stacks the cells.
function table(caption, allHeads, allRows, allNumeric = []) {
  const kept = allHeads.map((_, i) => i).filter(i => allRows.some(row => row[i] !== ""));
  const heads = kept.map(i => allHeads[i]), rows = allRows.map(row => kept.map(i => row[i]));
  const numeric = kept.flatMap((i, at) => allNumeric.includes(i) ? [at] : []);
  const cells = row => row.map((cell, i) => element(i === 0 ? "th" : "td", {"data-head": heads[i], role: i === 0 ? "rowheader" : "cell",
    ...(i === 0 ? {scope: "row"} : {}), ...(numeric.includes(i) ? {class: "number"} : {})}, cell));
  return element("div", {class: "card"}, element("table", {class: "stack", role: "table"},
    element("caption", {class: "unseen"}, caption),
    element("thead", {role: "rowgroup"}, element("tr", {role: "row"}, ...heads.map(h => element("th", {scope: "col", role: "columnheader"}, h)))),
    element("tbody", {role: "rowgroup"}, ...rows.map(row => element("tr", {role: "row"}, ...cells(row))))));
}

function pairTable(caption, rows) {
  return element("div", {class: "card"}, element("table", {class: "pair"}, element("caption", {class: "unseen"}, caption),
    element("tbody", {}, ...rows.map(([name, value]) => element("tr", {}, element("th", {scope: "row"}, name), element("td", {}, value))))));
}

const together = text => text.replace(/(\d) %/g, "$1\u00a0%");  // no line break between a number and its per cent sign

function heading() {
  return [element("h1", {}, `Gaussian process for ${target}`), element("p", {class: "faint"}, data.facts)];
}

function answer() {
  const {level, answer, rest} = data.headline;
  return section("Can it be used, and for what?", "",
    element("div", {class: `answer ${level}`},
      element("p", {class: "headline"}, element("strong", {}, answer), together(rest)),
      data.limits.length ? element("ul", {class: "limits"}, ...data.limits.map(text => element("li", {}, together(text)))) : null),
    element("dl", {class: "tiles"}, ...data.tiles.map(t => element("div", {class: "tile"},
      element("dt", {}, t.label), element("dd", {}, element("b", {}, together(t.value)), element("span", {}, t.hint))))));
}

function findings() {
  const marks = {good: "✓", note: "i", warning: "!"}, words = {good: "good: ", note: "note: ", warning: "attention: "};
  return section("Findings", "", element("ul", {class: "verdict"}, ...data.verdict.map(s => element("li", {class: s.level},
    element("span", {class: "mark", role: "img", "aria-label": words[s.level]}, marks[s.level]), element("span", {}, together(s.text))))));
}

function contents(sections) {
  return element("nav", {"aria-label": "Contents"}, element("ul", {}, ...sections.map(s =>
    element("li", {}, element("a", {href: `#${s.id}`}, s.querySelector("h2").textContent)))));
}

function assessment(title, intro, a) {
  if (!a) return section(title, "The model file does not contain held-out predictions.");
  const shown = (a.truth.length < a.rows ? `${grouped(a.truth.length)} of ` : "") + `${grouped(a.rows)} rows`;
  const whose = title.toLowerCase(), rows = columns => [{name: whose, columns}];
  const far = a.outlier.map(o => o ? "yes" : "no");
  const figures = [
    figure("Predicted and true values", `${shown}; exact predictions lie on the dashed line`, () => predictedAgainstTruth(a, target),
           rows([["row", a.truth.map((_, i) => i + 1)], ["true", a.truth], ["predicted", a.mean]])),
    figure("Residuals", "a good model leaves residuals without structure around zero", () => residualsAgainstPrediction(a, target),
           rows([["row", a.mean.map((_, i) => i + 1)], ["predicted", a.mean], ["true − predicted", a.residual], ["above 4 standard deviations", far]]))];
  if (a.calibration) {
    const c = a.calibration, h = a.histogram;
    figures.push(
      figure("Calibration of intervals", "differences inside the grey band may be chance; below it intervals are too narrow",
             () => calibration(c), [{name: whose, columns: [["probability, %", c.promised], ["rows inside, %", c.covered],
               ["chance from, %", c.lower], ["chance to, %", c.upper]]}]),
      figure("Distribution of errors", "residuals in standard deviations of the prediction", () => histogram(h),
             [{name: whose, columns: [["from", h.edges.slice(0, -1)], ["to", h.edges.slice(1)], ["rows", h.counts], ["expected", h.expected]]}]));
  } else {
    intro += " No variances were computed for these rows, so intervals cannot be checked.";
  }
  return section(title, intro, grid(figures), element("details", {class: "scores"}, element("summary", {}, `Scores: ${whose}`), pairTable(`Scores: ${whose}`, a.scores)));
}

function effectTables(e) {
  const tables = [{name: "prediction", columns: curveColumns(e.name, e.levels || e.at, e), isCurve: !e.levels}];
  if (e.y) tables.push({name: "training rows", columns: [["row", e.x.map((_, i) => i + 1)], [e.name, e.x], [target, e.y]]});
  return tables;
}

const barTable = (first, names, second, values) => [{name: second, columns: [[first, names], [second, values]]}];

function effects() {
  const one = data.effects.length === 1 && data.effects[0].y;
  if (one) {
    return section("The fit", "The chart shows the prediction along the only input. The wide band should contain 95 % of new rows.",
                   grid([figure(`${target} over ${data.effects[0].name}`, "", () => effect(data.effects[0], target), effectTables(data.effects[0]), true)]));
  }
  const rest = data.relevance && data.relevance.names.length > data.effects.length
    ? ` The ${data.effects.length} most relevant of ${data.relevance.names.length} inputs are shown.` : "";
  return section("Effects", "Each chart shows the prediction along one input, with the others at their median. The band contains the function with "
    + "probability 95\u00a0%. The marks below show training rows; away from them the curve is extrapolated." + rest,
    grid(data.effects.map(e => figure(e.name, "", () => effect(e, target), effectTables(e))), "small"));
}

function relevance() {
  const r = data.relevance, i = data.importance;
  if (!r) return null;
  const most = 25, names = r.names.slice(0, most), figures = [];
  if (i) {
    const unit = `increase of the error, ${modelled}`;
    figures.push(figure("Importance", `increase of the root mean square error of ${grouped(i.rows)} held-out rows when the input is that of another row; lines are two standard errors`,
      () => bars(i.names.slice(0, most), "increase", i.increase.slice(0, most), unit, i.error.slice(0, most)),
      [{name: "by held-out error", columns: [["input", i.names], [unit, i.increase], ["standard error", i.error], ["in % of the error", i.relative]]}]));
  } else {
    figures.push(figure("Permutation importance", `root mean square change of predictions when the input's values are permuted, in units of ${target}`,
      () => bars(names, "moved", r.moved.slice(0, most), `change of ${target}`), barTable("input", r.names, `change of ${target}`, r.moved)));
  }
  if (r.inverse_length) {
    figures.push(figure("Inverse length scales", "standard deviation over length scale, relative to the largest: they measure curvature, not size",
                        () => bars(names, "relative 1/length", r.inverse_length.slice(0, most), "1 / length scale, relative"),
                        barTable("input", r.names, "1 / length scale, relative", r.inverse_length)));
  }
  const section_ = section("Relevance of the inputs", "", grid(figures));
  if (names.length > 8) section_.querySelectorAll(".plot").forEach(p => { p.style.height = `${90 + 24 * names.length}px`; });
  return section_;
}

function components() {
  const c = data.components;
  if (!c) return null;
  const figures = (c.curves || []).map((curve, i) =>
    figure(curve.name, "", () => component(curve, c.at, data.features[0], modelled, palette()[i % 6]),
           [{name: "contribution", columns: curveColumns(data.features[0], c.at, curve), isCurve: true}]));
  figures.push(figure("Size of each component", "standard deviation of its contribution to training rows",
                      () => bars(c.names, "spread", c.spread, modelled), barTable("component", c.names, "standard deviation", c.spread)));
  return section("Components of the kernel", (data.transformed ? `The kernel is a sum, so the prediction of ${modelled} is the sum of these components and its mean. `
      : "The kernel is a sum, so the prediction is the sum of these components and the target's mean. ")
    + "A wide band means that other components can explain the same variation.", grid(figures));
}

function noise() {
  const n = data.noise;
  if (!n) return null;
  const unit = `standard deviation of the noise, ${modelled}`;
  return section("Noise", `The noise is ${n.text}. Each chart shows it along one input, with the others at their median.`,
    grid(n.curves.map(c => figure(`Noise over ${c.name}`, "", () => component(c, c.at, c.name, unit, palette()[1]),
      [{name: "noise", columns: [[c.name, c.levels || c.at], [unit, c.mean]], isCurve: !c.levels}]))));
}

function convergenceSection() {
  const c = data.convergence;
  if (!c) return null;
  const all = key => c.series.flatMap(s => s[key]), names = c.series.flatMap(s => s.objective.map(() => s.name));
  const tables = (head, key) => [{name: c.objective, columns: [["line", names], [head, all(key)], [c.objective, all("objective")]]}];
  const figures = [figure("By step", "", () => convergence(c, "iteration", "step"), tables("step", "iteration"))];
  // A model file contains no times, so only the report that fit writes shows them.
  if (c.series.every(s => s.seconds)) {
    figures.push(figure("By time", "", () => convergence(c, "seconds", "seconds"), tables("seconds", "seconds")));
  }
  return section("Convergence", `The charts show the objective of training; each line is one start${c.by_fold ? " on one fold" : ""}.`, grid(figures));
}

function parameters() {
  const known = new Set();  // each meaning is shown once
  const meaning = text => known.has(text) ? "" : (known.add(text), text);
  const rows = data.parameters.map(p => [
    element("span", {}, p.label, element("br"), element("code", {class: "faint"}, p.name)), p.value, p.unit, p.error, meaning(p.meaning), p.remark]);
  return section("Hyper-parameters", "Values are in the units of the table; the standard error shows how well the data determine each of them.",
                 table("Hyper-parameters", ["parameter", "value", "in units of", "standard error", "meaning", "remark"], rows, [1, 3]));
}

function optima() {
  if (data.optima.length < 2) return null;
  return section("Optima found", "The table lists the optimum of each start, best first; values are for standardised data.",
    table("Optima of all starts", ["start", "status", "objective", "noise", "kernel"],
          data.optima.map(o => [String(o.start), o.status, o.objective, o.noise, element("code", {}, o.kernel)]), [2, 3]));
}

function ending() {
  const parts = [];
  if (data.mean.length) {
    parts.push(section("Mean function", data.transformed ? `The coefficients are in the units of ${modelled} and of the inputs.`
      : "The coefficients are in the units of target and inputs.", pairTable("Coefficients of the mean function", data.mean)));
  }
  parts.push(element("div", {class: "columns"}, section("Settings", "", pairTable("Settings", data.settings)), section("Time", "", pairTable("Time", data.timing))));
  if (data.command) {
    parts.push(section("Command", "", element("div", {class: "card"}, element("pre", {}, data.command))));
  }
  return parts;
}

function draw() {
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  // On paper two charts share the width, so that their letters shrink.
  Chart.defaults.font.size = document.documentElement.hasAttribute("data-print") ? 16 : 12;
  for (const [canvas, make] of drawn) {
    const old = Chart.getChart(canvas);
    if (old) old.destroy();
    new Chart(canvas, {type: "scatter", ...make()});
  }
  document.documentElement.dataset.drawn = drawn.length;
}

// Paper is white: charts are drawn again in light colours, and the scores are unfolded.
function print(on) {
  document.documentElement.toggleAttribute("data-print", on);
  document.querySelectorAll("details.scores").forEach(d => { d.open = on; });
  draw();
}

const parts = [
  answer(), findings(), effects(), relevance(), components(), noise(), parameters(),
  assessment("Held-out rows", "Each row is predicted by the fold that held it out.", data.held_out),
  data.test ? assessment("Test table", "The model predicts the rows of the test table given to the report.", data.test) : null,
  convergenceSection(), optima(), ...ending()].filter(Boolean);
document.getElementById("report").append(...parts);
document.getElementById("top").append(...heading(), contents([...document.querySelectorAll("main section")]));
document.getElementById("end").append(`gpcv ${data.version} · drawn with Chart.js (MIT licence)`);
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
