// The script of the page. It draws the chart as `PictureDrawing` does, with the sizes, the widths of
// letters and the steps of the axis from there: the first view at the width of the picture is the
// picture, as `ChromiumTests` checks.
"use strict";

const page = JSON.parse(document.getElementById("data").textContent);
const { unit, total, texts, styles, size } = page;
const sums = (steps) => { let sum = 0; return steps.map((step) => (sum += step)); };
const times = sums(page.t), recordCount = times.length;
let number = 0;
const numbers = page.q.map((step) => step === null ? null : (number += step));
for (const [time, text, style] of page.others) {
  times.push(time);
  page.k.push(text);
  page.s.push(style);
  page.l.push(0);
}
const lanes = page.lanes.map((lane, number) => {
  const rows = Array.from({ length: lane.rows }, () => []);
  let start = 0;
  for (let i = 0; i < lane.spans.length; i += 7) {
    const [step, length, style, row, label, detail, level] = lane.spans.slice(i, i + 7);
    start += step;
    rows[row].push({ start, end: start + length, style: styles[style],
      label: texts[label], detail: texts[detail], level });
  }
  return { ...lane, number, rows, marks: sums(lane.marks) };
});
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

// Texts of times, as `TimeAxis`, `TimeText` and `WallClock` write them.

function tickText(microseconds) {
  const parts = [];
  for (const [length, name] of page.units) {
    if (microseconds < length) continue;
    const exact = microseconds / length, count = length > 1e6 ? Math.floor(exact) : exact;
    parts.push(`${count} ${name}`);
    microseconds -= count * length;
  }
  return parts.join(" ") || "0";
}
function position(time) {
  const milliseconds = Math.round(time / unit * 1e3), days = Math.floor(milliseconds / 864e5);
  if (milliseconds < 6e4) return `+${(milliseconds / 1e3).toFixed(3)} s`;
  const clock = new Date(milliseconds % 864e5).toISOString().slice(11, 23);
  return `+${days > 0 ? `${days} d ` : ""}${clock}`;
}
function wall(time) {
  const [, offset] = page.wall.findLast(([start]) => start <= time) ?? page.wall[0] ?? [0, null];
  if (offset === null) return "";
  const date = new Date(Math.floor((time + offset) / unit) * 1e3).toISOString();
  return date.slice(0, 19).replace("T", " ");
}

// What is too close together is one, as in `MarkGroup` and `SpanBlock`.

const widths = new Map();
function textWidth(text) {
  if (widths.size > 5000) widths.clear();
  if (!widths.has(text)) {
    const width = (letter) => page.letters.find(([, letters]) => letters.includes(letter))?.[0]
      ?? page.ranges.find(([last]) => letter.codePointAt(0) <= last)[1];
    const sum = Array.from(text, width).reduce((sum, width) => sum + width, 0);
    widths.set(text, sum * size.font);
  }
  return widths.get(text);
}
function short(count) {
  if (count < 1e3) return `${count}`;
  if (count < 1e4) return `${(Math.floor(count / 100) / 10).toFixed(1)}k`;
  return count < 1e6 ? `${Math.floor(count / 1e3)}k` : `${Math.floor(count / 1e6)}M`;
}
const pillWidths = [];
const pillWidth = (count) => (pillWidths[count] ??= textWidth(short(count)) + size.pill);
// The groups of the marks from `first` to before `end`.
function markGroups(marks, first, end, limit) {
  const groups = [];
  const extend = (group, end) => {
    group.end = end;
    group.right = group.left + pillWidth(end - group.first);
  };
  for (let index = first; index < end; index += 1) {
    const place = x(times[marks[index]]), last = groups.at(-1);
    const left = place - size.half, right = place + size.half;
    if (last !== undefined && left < last.right + size.gap) extend(last, index + 1);
    else groups.push({ left, right, first: index, end: index + 1 });
  }
  for (;;) {
    const last = groups.at(-1), before = groups.at(-2);
    if (last === undefined || last.end - last.first === 1 || last.right <= limit) return groups;
    const left = limit - (last.right - last.left);
    if (before === undefined || before.right + size.gap <= left) {
      [last.left, last.right] = [left, limit];
      return groups;
    }
    groups.pop();
    extend(before, last.end);
  }
}
function spanBlocks(row) {
  const blocks = [];
  for (let index = 0; index < row.length; index += 1) {
    const span = row[index];
    if (span.end < view.start || span.start > view.end) continue;
    const start = Math.max(x(span.start), left), end = Math.min(x(span.end), right);
    const width = end - start, last = blocks.at(-1);
    const isNarrow = () => width < size.narrow && last.longest < size.narrow
      && start < last.end + size.narrow && end - last.x <= size.widest;
    if (last !== undefined && (span.start < last.latest || isNarrow())) {
      last.end = Math.max(last.end, end);
      last.latest = Math.max(last.latest, span.end);
      last.spans.push(span);
      if (width > last.longest) { last.style = span.style; last.longest = width; }
    } else
      blocks.push({ x: start, end: Math.max(end, start + size.least), first: index, spans: [span],
        latest: span.end, style: span.style, longest: width, sums: {} });
    const { sums } = blocks.at(-1);
    if (width > 0) sums[span.style] = (sums[span.style] ?? 0) + width;
  }
  return blocks;
}
// The place of a label that overlaps none of the groups; undefined if there is no room.
function labelPlace(width, start, end, groups) {
  let place = start + size.inset;
  for (const { left, right } of groups)
    if (left - size.clear < place + width && right + size.clear > place)
      place = right + size.clear;
  return place + width <= end - size.clear ? place : undefined;
}

// The drawing of the part of the time that is in view.

const chart = document.getElementById("chart"), tip = document.getElementById("tip");
// In a shorter part of a long time, the numbers of JavaScript are not exact enough for an axis.
const whole = Math.max(total, 1e-6 * unit);
const shortest = Math.min(whole, Math.max(20e-6 * unit, whole * 1e-12));
let view = { start: 0, end: whole }, left = 0, right = 1;
let items = [], current = null;
const x = (time) => left + (time - view.start) / (view.end - view.start) * (right - left);
const round = (value) => Math.round(value * 10) / 10;

function add(parent, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined)
      element.setAttribute(key, typeof value === "number" ? round(value) : value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}
function cut(text) {
  const start = Array.from(text.slice(0, 600)).slice(0, 300).join("");
  return start.length < text.length ? `${start}…` : text;
}
const firstTexts = ({ count, text }, most) =>
  Array.from({ length: Math.min(count, most) }, (_, line) => cut(text(line)));
function addItem(parent, item) {
  const { lane, from, to, count } = item, [first] = firstTexts(item, 1);
  const [start, end] = [from, to].map(position), time = start === end ? start : `${start} to ${end}`;
  const shown = count === 1 ? `${start}: ${first}`
    : `${time}: ${count.toLocaleString("en")} ${item.noun}s`
      + (from < to ? "" : `: ${firstTexts(item, 3).join("; ")}`);
  item.element = add(parent, "g", { class: "item", tabindex: -1, role: "img",
    "aria-label": `${cut(lane.name)}, ${shown}` });
  item.element.item = item;
  items.push(item);
  return item.element;
}
function lower(marks, time) {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[marks[middle]] < time) low = middle + 1; else high = middle;
  }
  return low;
}

function draw() {
  const width = Math.max(chart.parentElement.clientWidth, 280), isWide = width >= 620;
  left = isWide ? page.left : size.margin + size.half;
  right = width - size.margin - size.half;
  const hadFocus = current !== null && current.element === document.activeElement;
  const hadTip = !tip.hidden;
  items = [];
  const root = document.createDocumentFragment();
  const bands = add(root, "g", {}), axis = add(root, "g", {}), parent = add(root, "g", {});
  let y = 0;
  for (const lane of lanes) {
    const top = y;
    y += size.above;
    const base = y + size.row / 2 + size.base;
    add(parent, "text", { x: size.margin, y: base, class: "t" },
      isWide ? lane.shown : cut(lane.name));
    if (!isWide) y += size.row;
    const { marks } = lane;
    const end = lower(marks, Math.floor(view.end) + 1);
    const groups = markGroups(marks, lower(marks, view.start), end, right + size.half);
    if (lane.subject === "observers") drawLevels(parent, lane, y);
    else drawSpans(parent, lane, y, groups);
    drawMarks(parent, lane, y, groups);
    y += lane.rows.length * (size.row + size.rowGap) + size.below;
    if (lane.number % 2 === 1)
      add(bands, "rect", { class: "band", x: size.margin / 2, y: top,
        width: width - size.margin, height: y - top, rx: 4 });
  }
  drawAxis(axis, y, width);
  chart.setAttribute("viewBox", `0 0 ${width} ${y + size.axis}`);
  chart.setAttribute("height", y + size.axis);
  for (const old of chart.querySelectorAll(":scope > g")) old.remove();
  chart.appendChild(root);
  restoreFocus(hadFocus);
  if (!hadTip) hideTip();
}

function drawSpans(parent, lane, y, groups) {
  const isLine = lane.subject === "source";
  const isBeside = lane.subject !== "phase" && lane.subject !== "process";
  lane.rows.forEach((row, number) => {
    const middle = y + number * (size.row + size.rowGap) + size.row / 2;
    const blocks = spanBlocks(row), busy = number === 0 ? groups : [];
    let free = 0;
    blocks.forEach((block, index) => {
      const { spans, x, end } = block, [first] = spans, count = spans.length;
      const item = addItem(parent, { lane, key: `s${number}:${block.first}`, noun: "span", x,
        from: first.start, to: block.latest, count, text: (line) => spans[line].detail });
      const height = isLine ? size.line : size.row - 2;
      const isMixed = drawBlock(item, block, isLine ? middle + size.lineTop : middle - height / 2,
        height);
      const isFree = !isLine && x >= free;
      free = Math.max(free, end);
      if (isFree && isMixed && pillWidth(count) + size.clear <= end - x)
        drawPill(item, (x + end - pillWidth(count)) / 2, middle, count);
      const label = count === 1 ? first.label : short(count);
      if (!isFree || isMixed || label === "") return;
      const limit = blocks[index + 1]?.x ?? right + size.half, width = textWidth(label);
      const inside = labelPlace(width, x, Math.min(end, limit), busy);
      const place = inside ?? (isBeside && count === 1 ? labelPlace(width, end, limit, busy)
        : undefined);
      const name = inside === undefined ? "n s" : `l i-${block.style}`;
      if (place !== undefined)
        add(item, "text", { x: place, y: middle + size.base, class: name }, label);
    });
  });
}
// Draws one span, or what part of the time each form had; returns whether there are several.
function drawBlock(parent, { x, end, style, sums }, y, height) {
  const forms = styles.filter((style) => sums[style] !== undefined), isMixed = forms.length > 1;
  const whole = forms.reduce((sum, style) => sum + sums[style], 0);
  const box = { x, y, width: end - x, height, rx: isMixed ? undefined : 2 };
  let bottom = y + height;
  for (const form of isMixed ? forms : [style]) {
    const layer = { ...box, height: isMixed ? height * sums[form] / whole : height };
    layer.y = bottom -= layer.height;
    add(parent, "rect", { class: `f-${form}`, ...layer });
    if (page.patterns.includes(form)) add(parent, "rect", { fill: `url(#p-${form})`, ...layer });
  }
  add(parent, "rect", { class: `edge o-${style}`, ...box });
  return isMixed;
}
function drawPill(parent, x, middle, count, name = "pill") {
  const width = pillWidth(count), height = size.pillHeight;
  add(parent, "rect", { class: name, x, y: middle - height / 2, width, height, rx: height / 2 });
  add(parent, "text", { x: x + width / 2, y: middle + size.base, class: "t s",
    "text-anchor": "middle" }, short(count));
}
function drawMarks(parent, lane, y, groups) {
  const { marks } = lane;
  const middle = y + size.row / 2 - (lane.subject === "source" ? size.raised : 0);
  groups.forEach(({ left, right: edge, first, end }, index) => {
    const record = marks[first], count = end - first, place = edge + size.clear;
    const item = addItem(parent, { lane, key: `m${record}`, noun: "record", x: left, count,
      from: times[record], to: times[marks[end - 1]],
      text: (line) => texts[page.k[marks[first + line]]] });
    if (count > 1) {
      const isSuppressed = (record) => styles[page.s[record]] === "suppressed";
      const hasSuppressed = marks.slice(first, end).some(isSuppressed);
      drawPill(item, left, middle, count, hasSuppressed ? "pill pill-suppressed" : "pill");
      return;
    }
    const style = styles[page.s[record]], label = texts[page.l[record]];
    add(item, "use", { href: `#m-${style}`, x: left + size.half, y: middle,
      class: `mark m-${style}` });
    const next = groups[index + 1];
    const limit = next === undefined ? right + size.half : next.left - size.clear;
    if (lane.subject !== "process" && label !== "" && place + textWidth(label) <= limit)
      add(item, "text", { x: place, y: middle + size.base, class: "n s" }, label);
  });
}
// A curve of the greatest level in each pixel.
function drawLevels(parent, lane, y) {
  const levels = new Array(Math.floor(right - left) + 1).fill(0), bottom = y + size.row;
  for (const span of lane.rows[0]) {
    const from = Math.max(Math.floor(x(span.start) - left), 0);
    const to = Math.min(Math.floor(x(span.end) - left), levels.length - 1);
    for (let place = from; place <= to; place += 1)
      levels[place] = Math.max(levels[place], span.level);
  }
  const most = Math.max(...levels), label = `at most ${most}`;
  if (most === 0) return;
  let path = `M${round(left)} ${round(bottom)}`, previous = 0;
  levels.forEach((level, place) => {
    if (level === previous) return;
    path += `H${round(left + place)}V${round(bottom - level / most * (size.row - 2))}`;
    previous = level;
  });
  const item = addItem(parent, { lane, key: "o", x: left, from: view.start, to: view.end,
    count: 1, text: () => label });
  add(item, "path", { class: "f-observers", d: `${path}H${round(right)}V${round(bottom)}Z` });
  add(item, "text", { x: left + size.clear, y: y + size.row / 2 + size.base,
    class: "l i-observers" }, label);
}
function drawAxis(parent, y, width) {
  const scale = unit / 1e6, count = Math.max(Math.floor((right - left) / size.tick), 1);
  const least = (view.end - view.start) / scale / count * 0.999999;
  const step = page.steps.find((step) => step >= least) ?? page.steps.at(-1);
  const end = Math.floor(Math.min(view.end, total) / scale / step + 1e-9);
  let freeElapsed = 0, freeWall = 0, last = "";
  for (let index = Math.ceil(view.start / scale / step - 1e-9); index <= end; index += 1) {
    const time = index * step * scale, place = x(time);
    add(parent, "path", { class: "g", d: `M${round(place)} 0V${round(y + size.tickEnd)}` });
    const label = tickText(index * step);
    let end = place + textWidth(label);
    if (place >= freeElapsed && end <= width) {
      add(parent, "text", { x: place, y: y + size.elapsed, class: "t s" }, label);
      freeElapsed = end + size.tickGap;
    }
    const date = wall(time);
    const shown = date.slice(page.isOneDay || date.slice(0, 10) === last.slice(0, 10) ? 11 : 5);
    end = place + textWidth(shown);
    if (date !== "" && date !== last && place >= freeWall && end <= width) {
      add(parent, "text", { x: place, y: y + size.wall, class: "n s" }, shown);
      [freeWall, last] = [end + size.tickGap, date];
    }
  }
}

// What is in view.

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const range = document.getElementById("range");
// What the view is moving to, from which the next step goes on.
let aim = view;
function show(start, end, isAnimated) {
  const length = clamp(end - start, shortest, whole), from = clamp(start, 0, whole - length);
  const before = view, target = aim = { start: from, end: from + length };
  const isWhole = length >= whole, exact = tickText(Number((length / unit * 1e6).toPrecision(3)));
  range.textContent = isWhole ? "The whole time is shown."
    : `${exact.split(" ").slice(0, 4).join(" ")} from ${position(from)} are shown.`;
  const can = { in: length > shortest * 1.005, out: !isWhole, all: !isWhole, left: from > 0,
    right: target.end < whole };
  for (const button of document.querySelectorAll("button[data-do]"))
    button.setAttribute("aria-disabled", !can[button.dataset.do]);
  const begin = performance.now();
  const move = (now) => {
    if (aim !== target) return;
    const share = isAnimated && !reduced.matches ? clamp((now - begin) / 160, 0, 1) : 1;
    const rest = (1 - share) ** 3;
    view = share === 1 ? target : { start: target.start + (before.start - target.start) * rest,
      end: target.end + (before.end - target.end) * rest };
    draw();
    if (share < 1) requestAnimationFrame(move);
  };
  requestAnimationFrame(move);
}
function zoom(factor, at = (aim.start + aim.end) / 2, isAnimated = true) {
  show(at - (at - aim.start) * factor, at + (aim.end - at) * factor, isAnimated);
}
function pan(share, isAnimated) {
  const distance = (aim.end - aim.start) * share;
  show(aim.start + distance, aim.end + distance, isAnimated);
}
const actions = { in: () => zoom(0.5), out: () => zoom(2), left: () => pan(-0.25, true),
  right: () => pan(0.25, true), all: () => show(0, whole, true) };
function zoomTo({ from, to }) {
  const length = Math.max(to - from, 20e-6 * unit);
  show(from - length * 0.2, to + length * 0.2, true);
}

// The tooltip, and the focus.

// What the tooltip is about.
let pointed = null;
function showTip(item) {
  tip.replaceChildren();
  const addLine = (name, text) => {
    const line = tip.appendChild(document.createElement("p"));
    line.className = name;
    line.textContent = text;
  };
  const date = wall(item.from);
  addLine("when", position(item.from) + (date === "" ? "" : ` · ${date} UTC`));
  // Zooming takes apart only what has different times.
  const isApart = item.from < item.to;
  const shown = firstTexts(item, isApart ? 6 : 30), rest = item.count - shown.length;
  for (const text of shown) addLine("", text);
  if (rest > 0)
    addLine("when", `and ${rest.toLocaleString("en")} more${isApart ? "" : " in the table"}`);
  if (item.count > 1 && isApart) addLine("when", "Enter or double-click zooms in.");
  tip.hidden = false;
  pointed = item;
  placeTip();
}
function placeTip() {
  if (tip.hidden) return;
  const box = pointed.element.getBoundingClientRect(), tipBox = tip.getBoundingClientRect();
  const room = Math.max(document.documentElement.clientWidth - tipBox.width - 8, 8);
  tip.style.left = `${clamp(box.left + (box.width - tipBox.width) / 2, 8, room)}px`;
  const above = box.top - tipBox.height - 8;
  const below = Math.min(box.bottom + 8, innerHeight - tipBox.height - 4);
  tip.style.top = `${above > 4 ? above : Math.max(below, 4)}px`;
}
addEventListener("scroll", placeTip, { passive: true, capture: true });
const hideTip = () => { tip.hidden = true; };
const itemOf = (target) => target.closest?.(".item")?.item;
const nearest = (list, distance) =>
  list.sort((one, other) => distance(one) - distance(other))[0];
// Focuses what had the focus before the drawing; if it is gone, what is nearest to it in time.
function restoreFocus(hadFocus) {
  const old = current, list = old === null ? [] : inLane(old.lane.number);
  const same = list.find((item) => item.key === old.key);
  const found = same ?? (hadFocus ? nearest(list, (item) => Math.abs(item.from - old.from)) : null);
  (found ?? items[0])?.element.setAttribute("tabindex", 0);
  if (found) current = found;
  if (hadFocus) (found?.element ?? chart).focus({ preventScroll: true });
  if (hadFocus && !found) current = null;
}
// The items of a lane from left to right.
const inLane = (number) => items.filter(({ lane }) => lane.number === number)
  .sort((one, other) => one.x - other.x);
function moveFocus(item, key) {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const step = key === "ArrowUp" ? -1 : 1;
    for (let lane = item.lane.number + step; lanes[lane] !== undefined; lane += step) {
      const near = nearest(inLane(lane), ({ x }) => Math.abs(x - item.x));
      if (near !== undefined) return near.element.focus();
    }
    return undefined;
  }
  const list = inLane(item.lane.number), index = list.indexOf(item);
  const target = key === "Home" ? list[0] : key === "End" ? list.at(-1)
    : list[index + (key === "ArrowLeft" ? -1 : 1)];
  if (target !== undefined) return target.element.focus();
  return pan(key === "ArrowLeft" ? -0.25 : 0.25, false);
}

// The keyboard, the pointer and the buttons.

chart.addEventListener("keydown", (event) => {
  const { key } = event, item = itemOf(event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === "Escape") { hideTip(); return; }
  const move = { ArrowLeft: "left", ArrowRight: "right" }[key];
  const action = { "+": "in", "=": "in", "-": "out", _: "out", 0: "all" }[key]
    ?? (item === undefined ? move : undefined);
  if (action !== undefined) actions[action]();
  else if (item !== undefined && key === "Enter") zoomTo(item);
  else if (item !== undefined && /^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key))
    moveFocus(item, key);
  else return;
  event.preventDefault();
});
chart.addEventListener("focusin", ({ target }) => {
  if (itemOf(target) === undefined) return;
  current = itemOf(target);
  for (const { element } of items)
    element.setAttribute("tabindex", element === target ? 0 : -1);
  showTip(current);
});
chart.addEventListener("focusout", hideTip);
chart.addEventListener("pointerover", ({ target }) => {
  if (itemOf(target) === undefined || dragged !== null) hideTip(); else showTip(itemOf(target));
});
chart.addEventListener("pointerleave", hideTip);
function timeAt({ clientX }) {
  const share = (clientX - chart.getBoundingClientRect().left - left) / (right - left);
  return view.start + clamp(share, 0, 1) * (view.end - view.start);
}
chart.addEventListener("wheel", (event) => {
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
  const amount = (isSideways ? event.deltaX || event.deltaY : event.deltaY)
    * (event.deltaMode === 1 ? 20 : 1);
  // At the greatest extent the page scrolls on.
  if (!isSideways && amount > 0 && aim.end - aim.start >= whole) return;
  event.preventDefault();
  hideTip();
  if (isSideways) pan(amount / (right - left), false);
  else zoom(Math.exp(clamp(amount, -200, 200) / 300), timeAt(event), false);
}, { passive: false });
let dragged = null;
chart.addEventListener("pointerdown", ({ button, clientX }) => {
  if (button === 0) dragged = { ...view, x: clientX };
});
addEventListener("pointermove", ({ clientX }) => {
  if (dragged === null || Math.abs(clientX - dragged.x) < 4) return;
  hideTip();
  chart.classList.add("dragging");
  const { start, end } = dragged, distance = (clientX - dragged.x) / (right - left) * (end - start);
  show(start - distance, end - distance, false);
});
for (const name of ["pointerup", "pointercancel"])
  addEventListener(name, () => { dragged = null; chart.classList.remove("dragging"); });
chart.addEventListener("dblclick", (event) => {
  const item = itemOf(event.target);
  if (item?.count > 1 && item.from < item.to) zoomTo(item); else zoom(0.5, timeAt(event));
});
for (const button of document.querySelectorAll("button[data-do]"))
  button.addEventListener("click", () => actions[button.dataset.do]());
document.getElementById("timeline").hidden = false;
new ResizeObserver(() => show(aim.start, aim.end, false)).observe(chart.parentElement);

// The table of records, a part at a time.

const details = document.getElementById("records"), filter = document.getElementById("filter");
const body = details.querySelector("tbody"), pageLength = 200;
const all = Array.from({ length: recordCount }, (_, index) => index);
let found = all, first = 0;
function fillTable(start) {
  const count = found.length;
  first = clamp(start, 0, Math.floor(Math.max(count - 1, 0) / pageLength) * pageLength);
  const last = Math.min(first + pageLength, count);
  body.replaceChildren();
  for (const index of found.slice(first, last)) {
    const row = body.insertRow(), time = times[index], event = numbers[index];
    for (const text of [index + 1, position(time), texts[page.k[index]], wall(time),
      event === null ? "" : `#${event}`]) row.insertCell().textContent = text;
  }
  const [from, to, of] = [first + 1, last, count].map((value) => value.toLocaleString("en"));
  document.getElementById("place").textContent =
    count === 0 ? "No records" : `Records ${from} to ${to} of ${of}`;
  for (const button of document.querySelectorAll("button[data-page]")) {
    const isBack = ["first", "back"].includes(button.dataset.page);
    button.setAttribute("aria-disabled", isBack ? first === 0 : last === count);
  }
}
details.hidden = false;
details.addEventListener("toggle", () => { if (details.open) fillTable(first); });
filter.addEventListener("input", () => {
  const wanted = filter.value.toLowerCase();
  const matches = texts.map((text) => text.toLowerCase().includes(wanted));
  found = wanted === "" ? all : all.filter((index) => matches[page.k[index]]);
  fillTable(0);
});
for (const button of document.querySelectorAll("button[data-page]"))
  button.addEventListener("click", () => {
    const starts = { first: 0, back: first - pageLength, on: first + pageLength, last: Infinity };
    fillTable(starts[button.dataset.page]);
  });
