import LifecycleCore

extension LifecycleTimeline {
  /// A self-contained page that loads nothing; its security policy forbids network access.
  ///
  /// The page first shows the picture ``svg``, at the width that it has, and then draws what is in
  /// view. What is closer together than can be told apart is one mark with a count. Zooming in
  /// takes it apart, unless all of it happened at the same instant; then the tooltip lists it. The
  /// page is operated by pointer or keyboard, has a tooltip for each mark and span, and a table of
  /// all records for screen readers. Without scripts it shows the picture alone.
  ///
  /// The recording's texts, such as names and notes, can't become markup or scripts. The security
  /// policy allows only the page's own script, which it identifies by a random number that differs
  /// in each page.
  ///
  /// - Complexity: O(*n*) in the number of records, as is the size of the page: 100,000 records
  ///   take 4 MB.
  public var html: String {
    let nonce = "\(UInt64.random(in: 0...(.max)))-\(UInt64.random(in: 0...(.max)))"
    return """
      <!DOCTYPE html>
      <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'unsafe-inline'; script-src 'nonce-\(nonce)'; base-uri 'none'; \
      form-action 'none'"/>
      <title>\(SafeText.markup(SafeText.short(title))) – timeline</title>
      <style>
      \(style)
      </style>
      </head>
      <body>
      <header>
      <h1>\(SafeText.markup(SafeText.short(title)))</h1>
      <p>\(dates ?? "The date is not known.")</p>
      </header>
      <main>
      <dl class="figures">
      \(figures.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" }.joined(separator: "\n"))
      </dl>
      <noscript>\(svg)</noscript>
      \(chart)
      \(table)
      </main>
      <div id="tip" hidden="hidden" aria-hidden="true"></div>
      <script type="application/json" id="data">\(PageData.json(self))</script>
      <script nonce="\(nonce)">//<![CDATA[
      \(Self.text(of: PackageResources.page_js))//]]></script>
      </body>
      </html>

      """
  }

  /// The numbers at the top of the page.
  private var figures: [(name: String, value: String)] {
    func sum(of style: Style, in subject: Lane.Subject) -> Duration {
      lanes(subject).flatMap(\.spans).filter { $0.style == style }
        .reduce(.zero) { $0 + ($1.end - $1.start) }
    }
    let stays = lanes(.background).flatMap(\.spans)
    let (suppressed, killed) = (suppressedCount, killedCount)
    var figures = [
      ("Time", duration.shortText), ("Records", Self.grouped(records.count)),
      ("Active", sum(of: .active, in: .phase).shortText),
      ("Stays in the background", Self.grouped(stays.count)),
    ]
    if let longest = stays.map({ $0.end - $0.start }).max() {
      figures.append(("Longest stay", longest.shortText))
    }
    let asleep = sum(of: .asleep, in: .sleep)
    if asleep > .zero { figures.append(("Machine asleep", asleep.shortText)) }
    if suppressed > 0 { figures.append(("Suppressed inputs", Self.grouped(suppressed))) }
    if runCount > 1 {
      figures.append(("Runs", killed == 0 ? "\(runCount)" : "\(runCount), \(killed) killed"))
    }
    return figures
  }

  private var style: String {
    """
    :root{color-scheme:light dark;\(Palette.light.variables)}
    @media (prefers-color-scheme:dark){:root{\(Palette.dark.variables)}}
    \(PictureParts.rules)
    \(Palette.light.rules)
    @media (prefers-color-scheme:dark){
    \(Palette.dark.rules)
    }
    \(Self.text(of: PackageResources.page_css))
    """
  }

  private static func text(of resource: [UInt8]) -> String {
    String(decoding: resource, as: UTF8.self)
  }

  private var chart: String {
    """
    <section id="timeline" hidden="hidden" aria-label="Timeline">
    <div class="tools">
    <button type="button" data-do="in" aria-label="Zoom in">+</button>
    <button type="button" data-do="out" aria-label="Zoom out">−</button>
    <button type="button" data-do="left" aria-label="Earlier">←</button>
    <button type="button" data-do="right" aria-label="Later">→</button>
    <button type="button" data-do="all">All</button>
    <p id="range" aria-live="polite"></p>
    </div>
    <div class="frame">
    <svg id="chart" xmlns="http://www.w3.org/2000/svg" tabindex="0" role="group" \
    aria-label="Timeline of \(SafeText.markup(SafeText.short(title)))" aria-describedby="help" height="200">
    \(PictureParts.definitions)
    </svg>
    </div>
    <ul class="legend">
    \(legendItems)
    </ul>
    <p class="help" id="help">Zoom: wheel, <kbd>+</kbd> <kbd>−</kbd>, or double-click. Move: drag, or \
    <kbd>←</kbd> <kbd>→</kbd>. All: <kbd>0</kbd>. <kbd>Tab</kbd> enters the marks, arrow keys move \
    between them, <kbd>Enter</kbd> zooms to one. A number stands for as many marks.</p>
    </section>
    """
  }

  private var legendItems: String {
    usedStyles.map { style in
      """
      <li><svg xmlns="http://www.w3.org/2000/svg" width="18" height="14" aria-hidden="true">\
      \(PictureDrawing.sample(of: style, x: 9, y: 7))</svg>\(PictureParts.meaning(of: style))</li>
      """
    }
    .joined(separator: "\n")
  }

  private var table: String {
    """
    <details id="records" hidden="hidden">
    <summary>All \(Self.count(records.count, "record")) as a table</summary>
    <div class="tools">
    <label for="filter">Containing</label> <input id="filter" type="search"/>
    <button type="button" data-page="first">First</button>
    <button type="button" data-page="back">Back</button>
    <button type="button" data-page="on">Next</button>
    <button type="button" data-page="last">Last</button>
    <p id="place" aria-live="polite"></p>
    </div>
    <div class="scroll" tabindex="0" role="region" aria-label="Records">
    <table>
    <thead><tr><th scope="col">No.</th><th scope="col">Time</th>\
    <th scope="col">Record</th><th scope="col">UTC</th><th scope="col">Event</th></tr></thead>
    <tbody></tbody>
    </table>
    </div>
    </details>
    """
  }
}

extension Palette {
  fileprivate var variables: String {
    """
    --bg:\(background);--band:\(band);--text:\(text);--note:\(note);--line:\(line);--focus:\(focus)
    """
  }
}
