"use strict";
// Each function returns the Chart.js configuration of one kind of chart.
const style = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const palette = () => ["one", "two", "three", "four", "five", "six"].map(style);

function faded(colour, alpha) {
  const [r, g, b] = [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));
  return `rgba(${r}, ${g}, ${b}, ${alpha})`;
}

// Label of an axis: up to six digits without separators, powers of ten for very large and small values.
function tick(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(1).replace(".0e", "e").replace("-", "−");
  return String(Number(value.toPrecision(6))).replace("-", "−");
}

function axis(title, more = {}) {
  return {
    title: {display: Boolean(title), text: title, color: style("faint")},
    grid: {color: style("grid"), borderColor: style("line")},
    ...more,
    ticks: {color: style("faint"), maxRotation: 0, autoSkipPadding: 12, callback: tick, ...(more.ticks || {})},
  };
}

// Logarithmic axis with labels at powers of ten, and between them where the range is short. A range below a factor of 3
// keeps its linear axis.
function logarithmic(values) {
  const [low, high] = extent(values), spread = high / low;
  if (spread < 3) return {};
  const steps = spread > 50 ? [1] : spread > 8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9];
  const callback = value => {
    const lead = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
    return steps.some(s => Math.abs(s - lead) < 1e-6) ? tick(value) : null;
  };
  return {type: "logarithmic", min: low / 1.08, max: high * 1.08, ticks: {callback, includeBounds: false}};
}

const pairs = (x, y) => x.map((v, i) => ({x: v, y: y[i]}));

function line(label, x, y, colour, more = {}) {
  return {type: "line", label, data: pairs(x, y), borderColor: colour, backgroundColor: colour, borderWidth: 2,
          pointRadius: 0, pointHitRadius: 6, ...more};
}

function points(label, x, y, colour, more = {}) {
  const radius = x.length > 800 ? 1.6 : x.length > 200 ? 2.2 : 3;
  return {type: "scatter", label, data: pairs(x, y), backgroundColor: faded(colour, x.length > 400 ? .45 : .65),
          borderWidth: 0, pointRadius: radius, pointHoverRadius: radius + 2, ...more};
}

// Band as two lines: the first fills down to the second, which the legend omits.
function band(label, x, lower, upper, colour, alpha) {
  const edge = {borderWidth: 0, pointHitRadius: 0, backgroundColor: faded(colour, alpha)};
  return [line(label, x, upper, colour, {...edge, fill: "+1"}), line("", x, lower, colour, {...edge, fill: false})];
}

// Legend with a plain box in the colour of each line, also of dashed ones; lines without a name have no box.
function legendLabels(chart) {
  return Chart.defaults.plugins.legend.labels.generateLabels(chart).filter(item => item.text !== "")
    .map(item => ({...item, lineDash: [], lineWidth: 0, pointStyle: undefined}));
}

function options(x, y, more = {}) {
  return {
    animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: false,
    interaction: {mode: "nearest", intersect: false},
    scales: {x: axis(x, {type: "linear", ...(more.x || {})}), y: axis(y, more.y || {})},
    plugins: {
      legend: {display: more.legend !== false, position: "bottom", onClick: null,  // nothing that only a mouse can do
               labels: {color: style("ink"), boxWidth: 12, boxHeight: 8, padding: 10, generateLabels: legendLabels}},
      tooltip: {filter: item => item.dataset.label !== "",
                callbacks: {title: () => "", label: item => `${item.dataset.label}: ${tick(item.parsed.x)}, ${tick(item.parsed.y)}`}},
    },
  };
}

const extent = values => values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);

function predictedAgainstTruth(a, target) {
  const [low, high] = extent(a.truth.concat(a.mean)), margin = .03 * (high - low || 1);
  const ends = [low - margin, high + margin], limits = {min: ends[0], max: ends[1], ticks: {includeBounds: false}};
  return {data: {datasets: [
    line("perfect", ends, ends, style("faint"), {borderWidth: 1, borderDash: [5, 4]}),
    points("row", a.truth, a.mean, style("points"))]},
    options: options(`true ${target}`, `predicted ${target}`, {legend: false, x: limits, y: limits})};
}

function residualsAgainstPrediction(a, target) {
  const pick = which => points(which ? "error above 4 standard deviations" : "row",
    a.mean.filter((_, i) => a.outlier[i] === which), a.residual.filter((_, i) => a.outlier[i] === which),
    which ? style("two") : style("points"), which ? {pointRadius: 4, pointStyle: "triangle"} : {});
  const ends = extent(a.mean);
  return {data: {datasets: [line("", ends, [0, 0], style("faint"), {borderWidth: 1, borderDash: [5, 4]}), pick(1), pick(0)]},
          options: options(`predicted ${target}`, `true − predicted ${target}`, {legend: a.outlier.includes(1)})};
}

function histogram(h) {
  const labels = h.counts.map((_, i) => Math.round(h.edges[i] + h.edges[i + 1]) / 2);
  const chart = {data: {labels, datasets: [
    {type: "line", label: "normal distribution", data: h.expected, borderColor: style("two"), backgroundColor: style("two"),
     borderWidth: 2, pointRadius: 0, cubicInterpolationMode: "monotone"},
    {type: "bar", label: "rows", data: h.counts, backgroundColor: faded(style("one"), .6), barPercentage: 1, categoryPercentage: .94}]},
    options: options("standardised residual (beyond ±5 in the outer bars)", "rows")};
  chart.options.parsing = true;
  chart.options.scales.x = axis("standardised residual (beyond ±5 in the outer bars)",
                                {type: "category", grid: {display: false}});
  chart.options.scales.x.ticks.autoSkip = false;
  chart.options.scales.x.ticks.callback = (_, i) => Number.isInteger(labels[i]) ? tick(labels[i]) : "";
  chart.options.plugins.tooltip.callbacks.label = item => `${item.dataset.label}: ${tick(item.parsed.y)}`;
  return chart;
}

function calibration(c) {
  const percent = {min: 0, max: 100};
  return {data: {datasets: [
    line("observed", c.promised, c.covered, style("one"), {pointRadius: 3, borderWidth: 2}),
    line("nominal", [0, 100], [0, 100], style("faint"), {borderWidth: 1, borderDash: [5, 4]}),
    ...band("chance", c.promised, c.lower, c.upper, style("faint"), .22)]},
    options: options("probability of the interval, %", "rows inside, %", {x: percent, y: percent})};
}

function convergence(c, along, title) {
  const colours = palette();
  const all = c.series.flatMap(s => s.objective);
  return {data: {datasets: c.series.map((s, i) => line(s.name, s[along], s.objective, colours[i % colours.length],
    {pointRadius: s[along].length > 25 ? 0 : 2, borderWidth: 1.8, borderDash: i < colours.length ? [] : [6, 3]}))},
    options: options(title, c.objective, {legend: c.series.length > 1 && c.series.length <= 8, x: along === "iteration" ? {ticks: {precision: 0}} : {},
                                        y: c.logarithmic ? logarithmic(all) : {}})};
}

function effect(e, target) {
  const colour = style("one"), sets = [];
  if (e.levels) return levels(e, target);
  if (e.y) sets.push(points("training row", e.x, e.y, style("ink"), {pointRadius: e.x.length > 400 ? 1.5 : 2}));
  sets.push(line(e.y ? "prediction" : "effect", e.at, e.mean, colour, e.at.length <= 8 ? {pointRadius: 3} : {}));
  if (e.lower) sets.push(...band(e.y ? "95 % for the function" : "95 %", e.at, e.lower, e.upper, colour, .32));
  if (e.row_lower) sets.push(...band("95 % of new rows", e.at, e.row_lower, e.row_upper, colour, .14));
  const chart = {data: {datasets: sets}, options: options(e.name, target, {legend: Boolean(e.y)})};
  const [low, high] = extent(e.at);
  chart.options.scales.x.min = low;
  chart.options.scales.x.max = high;
  chart.options.scales.x.ticks.includeBounds = false;
  if (e.marks) chart.plugins = [rug(e.marks)];
  return chart;
}

// Plugin that marks the training rows along the lower edge.
function rug(values) {
  return {id: "rug", afterDatasetsDraw(chart) {
    const {ctx, chartArea: area, scales} = chart;
    ctx.save();
    ctx.strokeStyle = faded(style("ink"), .4);
    ctx.beginPath();
    for (const v of values) {
      const x = scales.x.getPixelForValue(v);
      ctx.moveTo(x, area.bottom);
      ctx.lineTo(x, area.bottom - 7);
    }
    ctx.stroke();
    ctx.restore();
  }};
}

function levels(e, target) {
  const chart = {data: {labels: e.levels, datasets: [
    {type: "bar", label: "95 %", data: e.at.map((_, i) => [e.lower[i], e.upper[i]]), backgroundColor: faded(style("one"), .32), barPercentage: .5},
    {type: "line", label: "effect", data: e.mean, showLine: false, pointRadius: 5, backgroundColor: style("one"), borderColor: style("one")}]},
    options: options(e.name, target, {legend: false, x: {type: "category"}})};
  chart.options.parsing = true;
  chart.options.scales.y.beginAtZero = false; // which bars would have
  delete chart.options.scales.x.ticks.callback;
  chart.options.plugins.tooltip = {};
  return chart;
}

// Plugin that draws two standard errors to both sides of each bar.
function whiskers(values, errors) {
  return {id: "whiskers", afterDatasetsDraw(chart) {
    const {ctx, scales} = chart;
    ctx.save();
    ctx.strokeStyle = style("ink");
    ctx.beginPath();
    values.forEach((value, i) => {
      if (errors[i] === null) return;
      const y = scales.y.getPixelForValue(i);
      ctx.moveTo(scales.x.getPixelForValue(value - 2 * errors[i]), y);
      ctx.lineTo(scales.x.getPixelForValue(value + 2 * errors[i]), y);
    });
    ctx.stroke();
    ctx.restore();
  }};
}

function bars(names, label, values, title, errors = null) {
  const chart = {type: "bar", data: {labels: names.map(n => n.length > 22 ? n.slice(0, 21) + "…" : n),
    datasets: [{label, data: values, backgroundColor: faded(style("one"), .75), maxBarThickness: 22}]},
    options: options(title, "", {legend: false})};
  chart.options.indexAxis = "y";
  chart.options.parsing = true;
  if (errors) {
    const [low, high] = extent([0, ...values.flatMap((v, i) => [v - 2 * (errors[i] ?? 0), v + 2 * (errors[i] ?? 0)])]);
    // A little chance below 0 is not worth a part of the axis.
    Object.assign(chart.options.scales.x, low < -.03 * high ? {suggestedMin: low} : {min: 0}, {suggestedMax: high});
    chart.plugins = [whiskers(values, errors)];
  } else {
    chart.options.scales.x.min = 0;
  }
  chart.options.scales.y = axis("", {type: "category", grid: {display: false}});
  chart.options.scales.y.ticks = {color: style("ink"), autoSkip: false};
  chart.options.plugins.tooltip.callbacks = {label: item => tick(item.parsed.x)};
  return chart;
}

function component(c, at, input, target, colour) {
  const sets = [line(c.name, at, c.mean, colour)];
  if (c.lower) sets.push(...band("95 %", at, c.lower, c.upper, colour, .22));
  const chart = {data: {datasets: sets}, options: options(input, target, {legend: false})};
  [chart.options.scales.x.min, chart.options.scales.x.max] = extent(at);
  chart.options.scales.x.ticks.includeBounds = false;
  return chart;
}
