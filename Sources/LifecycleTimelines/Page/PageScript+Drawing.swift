extension PageScript {
  /// Draws the part of the time that is in view.
  static let drawing = #"""
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
    """# + "\n"
}
