/// The script of the page: its parts in the order in which they stand there.
enum PageScript {
  static let text = "\n\"use strict\";\n" + data + times + groups + drawing + view + input + table

  /// Reads the data of the page.
  private static let data = #"""
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
    """# + "\n"

  /// Writes times as `TimeText` and `TimeAxis` do.
  private static let times = #"""
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
    """# + "\n"

  /// Groups what is too close together, as `MarkGroup` and `SpanBlock` do.
  private static let groups = #"""
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
    """# + "\n"
}
