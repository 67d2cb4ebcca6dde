/// The style sheet of the page.
enum PageStyle {
  static var text: String {
    """
    :root{color-scheme:light dark;\(variables(of: .light))}
    @media (prefers-color-scheme:dark){:root{\(variables(of: .dark))}}
    \(PictureParts.rules)
    \(Palette.light.rules)
    @media (prefers-color-scheme:dark){
    \(Palette.dark.rules)
    }
    \(layout)
    """
  }

  private static func variables(of palette: Palette) -> String {
    """
    --bg:\(palette.background);--band:\(palette.band);--text:\(palette.text);\
    --note:\(palette.note);--line:\(palette.line);--focus:\(palette.focus)
    """
  }

  private static let layout = """
    *{box-sizing:border-box}
    [hidden]{display:none!important}
    body{margin:0 auto;max-width:1800px;padding:20px 24px 40px;background:var(--bg);
    color:var(--text);font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",
    sans-serif;position:relative;overflow-wrap:anywhere}
    h1{margin:0;font-size:24px;line-height:1.25;letter-spacing:-.01em}
    header p{margin:2px 0 0;color:var(--note)}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(108px,1fr));gap:8px;
    margin:16px 0}
    .figures div{background:var(--band);border-radius:10px;padding:10px 12px}
    .figures dt{color:var(--note);font-size:12px}
    .figures dd{margin:0;font-size:18px;font-weight:600;line-height:1.3;
    font-variant-numeric:tabular-nums}
    .tools{display:flex;flex-wrap:wrap;align-items:center;gap:6px;margin-bottom:8px}
    .tools p{margin:0 0 0 6px;color:var(--note);font-size:13px}
    button,input{font:inherit;color:inherit;background:var(--band);border:1px solid var(--line);
    border-radius:8px;min-height:32px;padding:2px 11px}
    button{cursor:pointer}
    button:hover{border-color:var(--note)}
    button[aria-disabled=true]{color:var(--note);cursor:default;border-style:dashed}
    :focus-visible{outline:2px solid var(--focus);outline-offset:2px}
    .frame{border:1px solid var(--line);border-radius:12px;overflow:hidden}
    #chart{display:block;width:100%;touch-action:pan-y;cursor:grab;user-select:none;
    -webkit-user-select:none}
    #chart.dragging{cursor:grabbing}
    #chart:focus-visible{outline-offset:-3px;border-radius:12px}
    .item{outline-offset:1px}
    .item:hover .edge,.item:focus .edge{stroke-opacity:1;stroke-width:1.5}
    .item:hover .pill{stroke-width:2}
    #chart .item:hover .f-observers{stroke:var(--note)}
    .legend{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:10px 0 0;padding:0;
    color:var(--note);font-size:12px}
    .legend li{display:flex;align-items:center;gap:6px}
    .help{margin:8px 0 0;color:var(--note);font-size:12px}
    kbd{font:inherit;border:1px solid var(--line);border-radius:4px;padding:0 4px;
    color:var(--text)}
    details{margin-top:20px}
    summary{cursor:pointer;font-weight:600}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
    th,td{text-align:left;vertical-align:top;padding:3px 14px 3px 0;
    border-bottom:1px solid var(--line);white-space:nowrap}
    td:nth-child(3){white-space:normal;min-width:180px;width:99%}
    th{color:var(--note);font-weight:600}
    #tip{position:fixed;z-index:1;left:0;top:0;max-width:min(420px,calc(100vw - 16px));
    background:var(--text);color:var(--bg);border-radius:8px;padding:7px 10px;font-size:12px;
    line-height:1.4;pointer-events:none;box-shadow:0 4px 16px rgb(0 0 0/.25)}
    #tip p{margin:0}
    #tip .when{opacity:.8}
    svg{max-width:100%}noscript svg{height:auto}
    .skip{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
    white-space:nowrap}
    @media (max-width:560px){body{padding:14px 12px 32px}h1{font-size:20px}
    .figures dd{font-size:15px}}
    @media (prefers-reduced-motion:no-preference){.figures div,button{transition:border-color .15s}}
    @media print{.tools,.help,details{display:none}}
    """
}
