extension PageScript {
  /// Fills the table of records, a part at a time.
  static let table = #"""
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
    """# + "\n"
}
