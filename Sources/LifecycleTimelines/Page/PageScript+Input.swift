extension PageScript {
  /// Moves the view, and shows the tooltip.
  static let view = #"""
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
    """# + "\n"

  /// Reacts to the keyboard, the pointer and the buttons.
  static let input = #"""
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
    """# + "\n"
}
