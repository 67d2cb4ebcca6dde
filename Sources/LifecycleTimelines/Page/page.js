// The script of the page.
"use strict";

// The data of the page.

const page = JSON.parse(document.getElementById("data").textContent);
const { unit, total, texts, styles } = page;
const sums = (steps) => { let sum = 0; return steps.map((step) => (sum += step)); };
const recordTimes = sums(page.t);
let number = 0;
const numbers = page.q.map((step) => step === null ? null : (number += step));
const recordCount = recordTimes.length;
for (const [time, text, style] of page.others) {
  recordTimes.push(time);
  page.k.push(text);
  page.s.push(style);
  page.l.push(0);
}
const recordText = (index) => texts[page.k[index]];
const lanes = page.lanes.map((lane) => {
  const rows = Array.from({ length: lane.rows }, () => []);
  let start = 0;
  for (let i = 0; i < lane.spans.length; i += 7) {
    const [step, length, style, row, label, detail, level] = lane.spans.slice(i, i + 7);
    start += step;
    rows[row].push({ start, end: start + length, style: styles[style],
      label: texts[label], detail: texts[detail], level });
  }
  return { name: lane.name, subject: lane.subject, rows, marks: sums(lane.marks) };
});

// Times as `TimeText`, `shortText` and `TimeAxis` write them.

const trim = (value) => String(Math.round(value * 100) / 100);
const pair = (first, unit, second, part) =>
  second === 0 ? `${first} ${unit}` : `${first} ${unit} ${second} ${part}`;
function duration(seconds) {
  if (seconds < 0.0009995) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 0.009995) return `${trim(seconds * 1e3)} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1e3)} ms`;
  if (seconds < 9.995) return `${trim(seconds)} s`;
  if (seconds < 59.95) return `${Math.round(seconds * 10) / 10} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return pair(Math.floor(whole / 60), "min", whole % 60, "s");
  const minutes = Math.floor((whole + 30) / 60);
  if (minutes < 1440) return pair(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.floor((whole + 1800) / 3600);
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}
// The time of a tick, with all units that its step has.
function tickText(seconds, step) {
  if (step < 1 || seconds < 60) {
    const digits = step < 1 ? Math.min(Math.ceil(-Math.log10(step) - 1e-9), 6) : 0;
    return seconds === 0 ? "0" : seconds < 1 || digits > 3
      ? duration(seconds) : `${seconds.toFixed(digits)} s`;
  }
  const whole = Math.round(seconds);
  const parts = [[Math.floor(whole / 86400), "d"], [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"], [whole % 60, "s"]];
  return parts.filter(([value]) => value > 0).map(([value, name]) => `${value} ${name}`)
    .join(" ");
}
function elapsed(time) {
  const thousandths = Math.round(time / unit * 1000);
  if (thousandths < 60000) return `+${(thousandths / 1000).toFixed(3)} s`;
  const two = (value) => String(Math.floor(value)).padStart(2, "0");
  const seconds = thousandths / 1000, days = Math.floor(seconds / 86400);
  const rest = String(thousandths % 1000).padStart(3, "0");
  return `+${days > 0 ? `${days} d ` : ""}${two(seconds % 86400 / 3600)}:`
    + `${two(seconds % 3600 / 60)}:${two(seconds % 60)}.${rest}`;
}
function wall(time) {
  let [low, high] = [0, page.wall.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (page.wall[middle][0] <= time) low = middle + 1; else high = middle;
  }
  const step = page.wall[Math.max(low - 1, 0)];
  if (step === undefined || step[1] === null) return "";
  const text = new Date((time / unit + step[1]) * 1000).toISOString();
  return text.slice(0, 19).replace("T", " ");
}
function axisStep(least) {
  const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600,
    43200, 86400];
  const step = least > 0.5 ? clock.find((step) => step >= least) : undefined;
  if (step !== undefined) return step;
  let power = least > 0.5 ? 86400 : 1e-6;
  for (;;) {
    for (const factor of [1, 2, 5])
      if (power * factor >= least * 0.999999) return power * factor;
    power *= 10;
  }
}

// What is too close together is grouped, as by `MarkGroup` and `SpanBlock`.

const context = document.createElement("canvas").getContext("2d");
const family = getComputedStyle(document.body).fontFamily;
const widths = new Map();
function textWidth(text, size) {
  const key = `${size} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context.font = `${size}px ${family}`;
    width = context.measureText(text).width * 1.04 + 1;
    if (widths.size > 5000) widths.clear();
    widths.set(key, width);
  }
  return width;
}
function fitted(text, width, size) {
  if (textWidth(text, size) <= width) return text;
  const characters = Array.from(text.slice(0, 400));
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const cut = characters.slice(0, middle).join("") + "…";
    if (textWidth(cut, size) <= width) low = middle; else high = middle - 1;
  }
  return low === 0 ? "" : characters.slice(0, low).join("") + "…";
}
function short(count) {
  if (count < 1000) return String(count);
  if (count < 10000) return `${Math.floor(count / 1000)}.${Math.floor(count % 1000 / 100)}k`;
  return count < 1e6 ? `${Math.floor(count / 1000)}k` : `${Math.floor(count / 1e6)}M`;
}
const pillWidth = (count) => textWidth(short(count), 11) + 12;
function merge(group, last) {
  if (group.first === group.last) group.x -= 7;
  group.last = last;
  group.right = group.x + pillWidth(group.last - group.first + 1);
}
// The groups of the marks from `first` to before `end`.
function markGroups(marks, first, end, x, limit) {
  const groups = [];
  let last = null;
  for (let index = first; index < end; index += 1) {
    const place = x(recordTimes[marks[index]]);
    if (last !== null && place - 7 < last.right + 2) {
      merge(last, index);
    } else {
      last = { x: place, right: place + 7, first: index, last: index };
      groups.push(last);
    }
  }
  while (groups.length > 0) {
    const group = groups[groups.length - 1];
    if (group.first === group.last || group.right <= limit) break;
    const moved = limit - (group.right - group.x);
    const before = groups[groups.length - 2];
    if (before === undefined || before.right + 2 <= moved) {
      group.right = limit;
      group.x = moved;
      break;
    }
    groups.pop();
    merge(before, group.last);
  }
  return groups;
}
function spanBlocks(row, from, to, x, left, right) {
  const blocks = [];
  let last = null;
  for (let index = 0; index < row.length; index += 1) {
    const span = row[index];
    if (span.end < from || span.start > to) continue;
    const start = Math.max(x(span.start), left), end = Math.min(x(span.end), right);
    const width = end - start;
    const isNarrow = () => width < 3 && last.longest < 3 && start < last.end + 3
      && end - last.x <= 48;
    if (last !== null && (span.start < last.latest || isNarrow())) {
      last.end = Math.max(last.end, end);
      last.latest = Math.max(last.latest, span.end);
      last.spans.push(span);
      if (width > last.longest) { last.style = span.style; last.longest = width; }
    } else {
      last = { x: start, end: Math.max(end, start + 1.5), first: index, spans: [span],
        latest: span.end, style: span.style, longest: width, sums: {} };
      blocks.push(last);
    }
    last.sums[span.style] = (last.sums[span.style] ?? 0) + Math.max(width, 0);
  }
  return blocks;
}
// The place of a label that overlaps none of the groups; undefined if there is no room.
function labelPlace(width, start, end, groups) {
  let place = start;
  for (const group of groups) {
    const groupLeft = group.first === group.last ? group.x - 7 : group.x;
    if (groupLeft - 4 < place + width && group.right + 4 > place) place = group.right + 4;
  }
  return place + width <= end ? place : undefined;
}

// The drawing of the part of the time that is in view.

const chart = document.getElementById("chart");
const tip = document.getElementById("tip");
const margin = 12, rowHeight = 20;
const shade = new Set(page.patterns);
let view = { start: 0, end: Math.max(total, 1e-6 * unit) };
let layout = { left: 0, right: 1 };
let items = new Map();
let current = null;

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) {
    const value = attributes[key];
    element.setAttribute(key, typeof value === "number" ? Math.round(value * 10) / 10 : value);
  }
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
  return element;
}
function addItem(parent, key, entry) {
  const { length, text } = entry.lines;
  const shown = length === 1 ? cut(text(0)) : entry.from < entry.to
    ? `${length} until ${elapsed(entry.to)}`
    : `${length} at the same instant: ${cut(firstTexts(entry, 3).join("; "))}`;
  const group = add(parent, "g", { class: "item", tabindex: -1, role: "img",
    "aria-label": `${cut(entry.lane)}, ${elapsed(entry.from)}: ${shown}`, "data-key": key });
  entry.element = group;
  items.set(key, entry);
  return group;
}
const cut = (text) => text.length <= 300 ? text
  : `${Array.from(text.slice(0, 301)).slice(0, -1).join("")}…`;
const firstTexts = ({ lines }, most) =>
  Array.from({ length: Math.min(lines.length, most) }, (_, line) => cut(lines.text(line)));
const lower = (marks, time) => {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (recordTimes[marks[middle]] < time) low = middle + 1; else high = middle;
  }
  return low;
};

function draw() {
  const width = Math.max(chart.parentElement.clientWidth, 280);
  const isWide = width >= 620;
  let gutter = 0;
  if (isWide)
    for (const lane of lanes) gutter = Math.max(gutter, textWidth(lane.name, 12) + 16);
  const left = margin + Math.min(gutter, 190) + 7, right = width - margin - 7;
  layout = { left, right };
  const scale = (right - left) / (view.end - view.start);
  const x = (time) => left + (time - view.start) * scale;
  const before = current === null ? undefined : items.get(current);
  const hadFocus = before !== undefined && before.element === document.activeElement;
  const hadTip = !tip.hidden;
  items = new Map();
  const root = document.createDocumentFragment();
  const bands = add(root, "g", {}), grid = add(root, "g", { class: "axis" });
  const clip = add(root, "g", {});
  let y = 4;
  lanes.forEach((lane, number) => {
    const top = y;
    y += 6;
    const room = isWide ? left - margin - 15 : width - 2 * margin;
    add(clip, "text", { x: margin, y: isWide ? y + 14 : y + 10, class: "t" },
      fitted(lane.name, room, 12));
    if (!isWide) y += 16;
    const place = { x, y, left, right, width };
    const { marks } = lane;
    const groups = markGroups(marks, lower(marks, view.start),
      lower(marks, view.end + 1e-6 * unit), x, right + 7);
    if (lane.subject === "observers") drawLevels(clip, lane, number, place);
    else drawSpans(clip, lane, number, place, groups);
    drawMarks(clip, lane, number, place, groups);
    y += lane.rows.length * (rowHeight + 2) + 4;
    if (number % 2 === 1)
      add(bands, "rect", { class: "band", x: 4, y: top, width: width - 8, height: y - top,
        rx: 4 });
  });
  drawAxis(grid, x, left, right, y, width);
  const height = y + 44;
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  chart.setAttribute("height", height);
  for (const old of chart.querySelectorAll(":scope > g")) old.remove();
  chart.appendChild(root);
  restoreFocus(hadFocus ? before : undefined);
  if (!hadTip) hideTip();
}

function drawSpans(parent, lane, number, { x, y, left, right }, groups) {
  const isThin = lane.subject === "source";
  lane.rows.forEach((row, rowNumber) => {
    const middle = y + rowNumber * (rowHeight + 2) + rowHeight / 2;
    const height = isThin ? 3 : rowHeight - 2;
    const busy = rowNumber === 0 ? groups : [];
    const blocks = spanBlocks(row, view.start, view.end, x, left, right);
    const labels = [];
    let free = 0;
    blocks.forEach((block, index) => {
      const first = block.spans[0], count = block.spans.length;
      const group = addItem(parent, `${number}:s${rowNumber}:${block.first}`, {
        lane: lane.name, number, from: first.start, to: block.latest, x: block.x,
        lines: { length: count, text: (line) => block.spans[line].detail } });
      const box = { x: block.x, y: isThin ? middle + 7 : middle - height / 2,
        width: block.end - block.x, height, rx: 2 };
      const isMixed = drawBlock(group, block, box);
      if (isThin) return;
      const label = count === 1 ? first.label : short(count);
      const width = textWidth(label, 11), next = blocks[index + 1];
      const limit = next === undefined ? right + 7 : next.x;
      const isFree = label !== "" && block.x >= free;
      const inside = labelPlace(width, block.x + 5, Math.min(block.end, limit) - 4, busy);
      const beside = labelPlace(width, block.end + 5, limit - 4, busy);
      if (isFree && isMixed && pillWidth(count) + 4 <= block.end - block.x)
        drawPill(group, (block.x + block.end - pillWidth(count)) / 2, middle, count);
      else if (isFree && !isMixed && inside !== undefined)
        labels.push([group, inside, `l i-${block.style}`, label]);
      else if (isFree && !isMixed && count === 1 && beside !== undefined
        && lane.subject !== "phase" && lane.subject !== "process")
        labels.push([group, beside, "n s", label]);
      free = Math.max(free, block.end);
    });
    for (const [group, place, name, label] of labels)
      add(group, "text", { x: place, y: middle + 4, class: name }, label);
  });
}

// Draws one span, or what part of the time each form had; returns whether there are several.
function drawBlock(parent, block, box) {
  const sums = styles.filter((style) => block.sums[style] > 0)
    .map((style) => [style, block.sums[style]]);
  const isMixed = sums.length > 1;
  const whole = sums.reduce((sum, [, part]) => sum + part, 0);
  let bottom = box.y + box.height;
  for (const [style, part] of isMixed ? sums : [[block.style, whole]]) {
    const height = isMixed ? box.height * part / whole : box.height;
    bottom -= height;
    const layer = { ...box, y: bottom, height, rx: isMixed ? 0 : box.rx };
    add(parent, "rect", { ...layer, class: `f-${style}` });
    if (shade.has(style)) add(parent, "rect", { ...layer, fill: `url(#p-${style})` });
  }
  add(parent, "rect", { ...box, class: `edge o-${block.style}` });
  return isMixed;
}
function drawPill(parent, x, middle, count, name = "pill") {
  const width = pillWidth(count);
  add(parent, "rect", { class: name, x, y: middle - 8, width, height: 16, rx: 8 });
  add(parent, "text", { class: "t s", x: x + width / 2, y: middle + 4,
    "text-anchor": "middle" }, short(count));
}

function drawMarks(parent, lane, number, { y, right }, groups) {
  const { marks } = lane;
  const middle = y + rowHeight / 2 - (lane.subject === "source" ? 2 : 0);
  groups.forEach((group, index) => {
    const first = marks[group.first], count = group.last - group.first + 1;
    const item = addItem(parent, `${number}:m:${first}`, {
      lane: lane.name, number, from: recordTimes[first], to: recordTimes[marks[group.last]],
      x: group.x, lines: { length: count, text: (line) => recordText(marks[group.first + line]) }
    });
    if (count > 1) {
      let hasSuppressed = false;
      for (let index = group.first; index <= group.last && !hasSuppressed; index += 1)
        hasSuppressed = styles[page.s[marks[index]]] === "suppressed";
      drawPill(item, group.x, middle, count, hasSuppressed ? "pill pill-suppressed" : "pill");
      return;
    }
    const style = styles[page.s[first]];
    const form = add(item, "use", { x: group.x, y: middle, class: `mark m-${style}` });
    form.setAttribute("href", `#m-${style}`);
    const next = groups[index + 1];
    const end = next === undefined ? right + 7
      : (next.first === next.last ? next.x - 7 : next.x) - 4;
    const label = texts[page.l[first]];
    if (lane.subject !== "process" && label !== ""
      && textWidth(label, 11) <= end - group.right - 4)
      add(item, "text", { class: "n s", x: group.right + 4, y: middle + 4 }, label);
  });
}

function drawLevels(parent, lane, number, { x, y, left, right }) {
  const levels = new Array(Math.floor(right - left) + 1).fill(0);
  for (const span of lane.rows[0]) {
    if (span.end < view.start || span.start > view.end) continue;
    const from = Math.max(Math.floor(x(span.start) - left), 0);
    const to = Math.min(Math.floor(x(span.end) - left), levels.length - 1);
    for (let place = from; place <= to; place += 1)
      levels[place] = Math.max(levels[place], span.level);
  }
  const most = Math.max(...levels);
  if (most === 0) return;
  const bottom = y + rowHeight;
  let path = `M${left} ${bottom}`, previous = 0;
  levels.forEach((level, place) => {
    if (level === previous) return;
    path += `H${left + place}V${bottom - level / most * (rowHeight - 2)}`;
    previous = level;
  });
  const group = addItem(parent, `${number}:o`, { lane: lane.name, number, from: view.start,
    to: view.end, x: left, lines: { length: 1, text: () => `at most ${most}` } });
  add(group, "path", { class: "f-observers", d: `${path}H${right}V${bottom}Z` });
  add(group, "text", { class: "l i-observers", x: left + 4, y: y + 14 }, `at most ${most}`);
}

function drawAxis(parent, x, left, right, y, width) {
  const [from, to] = [view.start / unit, view.end / unit];
  const count = Math.max(Math.floor((right - left) / 80), 1);
  const isOneDay = wall(0).slice(0, 10) === wall(total).slice(0, 10);
  const step = axisStep(Math.max((to - from) / count, 1e-6));
  let freeElapsed = 0, freeWall = 0, date = "", last = "";
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + step * 1e-9; index += 1) {
    const time = index * step, place = x(time * unit);
    add(parent, "path", { class: "g", d: `M${place.toFixed(1)} 0V${y + 5}` });
    const label = tickText(time, step);
    let end = place + textWidth(label, 11);
    if (place >= freeElapsed && end <= width) {
      add(parent, "text", { class: "t s", x: place, y: y + 18 }, label);
      freeElapsed = end + 8;
    }
    const text = wall(time * unit), day = text.slice(0, 10);
    const shown = isOneDay || day === date ? text.slice(11) : text.slice(5);
    end = place + textWidth(shown, 11);
    if (shown !== "" && text !== last && place >= freeWall && end <= width) {
      add(parent, "text", { class: "n s", x: place, y: y + 33 }, shown);
      freeWall = end + 8;
      date = day;
      last = text;
    }
  }
}

// What is in view, and the tooltip.

const whole = { start: 0, end: view.end };
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const range = document.getElementById("range");
let frame = 0, moving = null;
// What the view is moving to, from which the next step goes on.
let aim = view;
// What the tooltip is about.
let pointed = null;
function limited(start, end) {
  const least = Math.min(whole.end, 20e-6 * unit);
  const length = Math.min(Math.max(end - start, least), whole.end);
  const from = Math.min(Math.max(start, 0), whole.end - length);
  return { start: from, end: from + length };
}
function redraw() {
  if (frame === 0) frame = requestAnimationFrame(() => { frame = 0; draw(); });
}
function show(start, end, animated) {
  const target = aim = limited(start, end);
  range.textContent = target.end - target.start >= whole.end ? "The whole time is shown."
    : `${duration(target.end / unit - target.start / unit)} from `
      + `${elapsed(target.start)} are shown.`;
  for (const button of document.querySelectorAll("button[data-do]"))
    button.setAttribute("aria-disabled", !canDo(button.dataset.do, target));
  if (!animated || reduced.matches) {
    moving = null;
    view = target;
    redraw();
    return;
  }
  const from = view, begin = performance.now();
  const move = moving = (now) => {
    if (moving !== move) return;
    const share = Math.min(Math.max((now - begin) / 160, 0), 1);
    const eased = 1 - (1 - share) ** 3;
    view = share === 1 ? target : { start: from.start + (target.start - from.start) * eased,
      end: from.end + (target.end - from.end) * eased };
    draw();
    if (share < 1) requestAnimationFrame(move); else moving = null;
  };
  requestAnimationFrame(move);
}
function canDo(action, { start, end }) {
  if (action === "left") return start > 0;
  if (action === "right") return end < whole.end;
  if (action === "in") return end - start > 20.1e-6 * unit;
  return end - start < whole.end;
}
function zoom(factor, at, animated) {
  const middle = at === undefined ? (aim.start + aim.end) / 2 : at;
  show(middle - (middle - aim.start) * factor, middle + (aim.end - middle) * factor, animated);
}
function pan(share, animated) {
  const length = aim.end - aim.start;
  const start = Math.min(Math.max(aim.start + length * share, 0), whole.end - length);
  show(start, start + length, animated);
}
function act(action) {
  if (action === "in") zoom(0.5, undefined, true);
  else if (action === "out") zoom(2, undefined, true);
  else if (action === "left") pan(-0.25, true);
  else if (action === "right") pan(0.25, true);
  else show(0, whole.end, true);
}

function showTip(entry) {
  tip.replaceChildren();
  const addLine = (name, text) => {
    const line = document.createElement("p");
    line.className = name;
    line.textContent = text;
    tip.appendChild(line);
  };
  const date = wall(entry.from);
  addLine("when", elapsed(entry.from) + (date === "" ? "" : ` · ${date} UTC`));
  // Zooming takes apart only what has different times.
  const isApart = entry.from < entry.to;
  const shown = firstTexts(entry, isApart ? 6 : 30), rest = entry.lines.length - shown.length;
  for (const text of shown) addLine("", text);
  if (rest > 0)
    addLine("when", `and ${rest.toLocaleString("en")} more${isApart ? "" : " in the table"}`);
  if (entry.lines.length > 1 && isApart) addLine("when", "Enter or double-click zooms in.");
  tip.hidden = false;
  pointed = entry;
  placeTip();
}
function placeTip() {
  if (tip.hidden) return;
  const entry = pointed;
  const box = entry.element.getBoundingClientRect(), size = tip.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const place = Math.min(Math.max(box.left + box.width / 2 - size.width / 2, 8),
    Math.max(room - size.width - 8, 0));
  const above = box.top - size.height - 8;
  const below = Math.min(box.bottom + 8, innerHeight - size.height - 4);
  tip.style.left = `${place}px`;
  tip.style.top = `${above > 4 ? above : Math.max(below, 4)}px`;
}
addEventListener("scroll", placeTip, { passive: true, capture: true });
const hideTip = () => { tip.hidden = true; };
const entryOf = (target) => {
  const element = target.closest === undefined ? null : target.closest(".item");
  return element === null ? undefined : items.get(element.dataset.key);
};
// Focuses what had the focus before the drawing; if it is gone, what is nearest to it in time.
function restoreFocus(before) {
  const near = before === undefined ? [] : inLane(before.number).sort((one, other) =>
    Math.abs(one.from - before.from) - Math.abs(other.from - before.from));
  const entry = (current === null ? undefined : items.get(current)) ?? near[0];
  const first = entry ?? items.values().next().value;
  if (first !== undefined) first.element.setAttribute("tabindex", 0);
  if (before === undefined) return;
  if (entry === undefined) { current = null; chart.focus({ preventScroll: true }); }
  else entry.element.focus({ preventScroll: true });
}
function focusItem(entry) {
  for (const old of chart.querySelectorAll('.item[tabindex="0"]'))
    old.setAttribute("tabindex", -1);
  entry.element.setAttribute("tabindex", 0);
  entry.element.focus();
}
function zoomTo(entry) {
  const length = Math.max(entry.to - entry.from, 20e-6 * unit);
  show(entry.from - length * 0.2, entry.to + length * 0.2, true);
}

// The keyboard, the pointer and the buttons.

// The items of a lane from left to right.
const inLane = (number) => Array.from(items.values()).filter((item) => item.number === number)
  .sort((one, other) => one.x - other.x);
function moveFocus(entry, key) {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const step = key === "ArrowUp" ? -1 : 1;
    for (let lane = entry.number + step; lane >= 0 && lane < lanes.length; lane += step) {
      const near = inLane(lane).sort((one, other) =>
        Math.abs(one.x - entry.x) - Math.abs(other.x - entry.x))[0];
      if (near !== undefined) return focusItem(near);
    }
    return undefined;
  }
  const list = inLane(entry.number), index = list.indexOf(entry);
  const target = key === "Home" ? list[0] : key === "End" ? list[list.length - 1]
    : list[index + (key === "ArrowLeft" ? -1 : 1)];
  if (target !== undefined) return focusItem(target);
  return pan(key === "ArrowLeft" ? -0.25 : 0.25, false);
}
chart.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const entry = entryOf(event.target);
  const actions = { "+": "in", "=": "in", "-": "out", "_": "out", "0": "all" };
  const arrows = { ArrowLeft: "left", ArrowRight: "right" };
  const isMove = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]
    .includes(event.key);
  if (actions[event.key] !== undefined) act(actions[event.key]);
  else if (event.key === "Escape") { hideTip(); return; }
  else if (entry !== undefined && isMove) moveFocus(entry, event.key);
  else if (entry !== undefined && event.key === "Enter") zoomTo(entry);
  else if (entry === undefined && arrows[event.key] !== undefined) act(arrows[event.key]);
  else return;
  event.preventDefault();
});
chart.addEventListener("focusin", (event) => {
  const entry = entryOf(event.target);
  if (entry === undefined) return;
  current = event.target.closest(".item").dataset.key;
  showTip(entry);
});
chart.addEventListener("focusout", hideTip);
chart.addEventListener("pointerover", (event) => {
  const entry = entryOf(event.target);
  if (entry === undefined || dragged !== null) hideTip(); else showTip(entry);
});
chart.addEventListener("pointerleave", hideTip);
const timeAt = (event) => {
  const box = chart.getBoundingClientRect();
  const share = (event.clientX - box.left - layout.left) / (layout.right - layout.left);
  return view.start + Math.min(Math.max(share, 0), 1) * (view.end - view.start);
};
chart.addEventListener("wheel", (event) => {
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
  const amount = (isSideways ? event.deltaX || event.deltaY : event.deltaY)
    * (event.deltaMode === 1 ? 20 : 1);
  // At the greatest extent the page scrolls on.
  if (!isSideways && amount > 0 && aim.end - aim.start >= whole.end) return;
  event.preventDefault();
  hideTip();
  if (isSideways) pan(amount / (layout.right - layout.left), false);
  else zoom(Math.exp(Math.min(Math.max(amount, -200), 200) / 300), timeAt(event), false);
}, { passive: false });
let dragged = null;
chart.addEventListener("pointerdown", (event) => {
  if (event.button === 0) dragged = { x: event.clientX, start: view.start, end: view.end };
});
addEventListener("pointermove", (event) => {
  if (dragged === null) return;
  const distance = event.clientX - dragged.x;
  if (Math.abs(distance) < 4) return;
  hideTip();
  chart.classList.add("dragging");
  const length = dragged.end - dragged.start;
  const start = dragged.start - distance / (layout.right - layout.left) * length;
  const from = Math.min(Math.max(start, 0), whole.end - length);
  show(from, from + length, false);
});
for (const name of ["pointerup", "pointercancel"])
  addEventListener(name, () => { dragged = null; chart.classList.remove("dragging"); });
chart.addEventListener("dblclick", (event) => {
  const entry = entryOf(event.target);
  if (entry !== undefined && entry.lines.length > 1 && entry.from < entry.to) zoomTo(entry);
  else zoom(0.5, timeAt(event), true);
});
for (const button of document.querySelectorAll("button[data-do]"))
  button.addEventListener("click", () => act(button.dataset.do));
document.getElementById("timeline").hidden = false;
new ResizeObserver(redraw).observe(chart.parentElement);
show(0, whole.end, false);

// The table of records, a part at a time.

const details = document.getElementById("records");
const body = details.querySelector("tbody"), filter = document.getElementById("filter");
const place = document.getElementById("place"), pageLength = 200;
let found = null, first = 0;
function fillTable() {
  const count = found === null ? recordCount : found.length;
  first = Math.max(Math.min(first, Math.floor((count - 1) / pageLength) * pageLength), 0);
  const last = Math.min(first + pageLength, count);
  body.replaceChildren();
  for (let line = first; line < last; line += 1) {
    const index = found === null ? line : found[line];
    const row = body.insertRow();
    const texts = [String(index + 1), elapsed(recordTimes[index]), recordText(index),
      wall(recordTimes[index]), numbers[index] === null ? "" : `#${numbers[index]}`];
    for (const text of texts) row.insertCell().textContent = text;
  }
  place.textContent = count === 0 ? "No records" : `Records ${(first + 1).toLocaleString("en")} `
    + `to ${last.toLocaleString("en")} of ${count.toLocaleString("en")}`;
  for (const button of document.querySelectorAll("button[data-page]")) {
    const isBack = ["first", "back"].includes(button.dataset.page);
    button.setAttribute("aria-disabled", isBack ? first === 0 : last === count);
  }
}
details.hidden = false;
details.addEventListener("toggle", () => { if (details.open) fillTable(); });
filter.addEventListener("input", () => {
  const wanted = filter.value.toLowerCase();
  if (wanted === "") found = null;
  else {
    const matches = texts.map((text) => text.toLowerCase().includes(wanted));
    found = [];
    page.k.forEach((text, index) => {
      if (index < recordCount && matches[text]) found.push(index);
    });
  }
  first = 0;
  fillTable();
});
for (const button of document.querySelectorAll("button[data-page]"))
  button.addEventListener("click", () => {
    const moves = { first: 0, back: first - pageLength, on: first + pageLength, last: Infinity };
    first = Math.max(moves[button.dataset.page], 0);
    fillTable();
  });
