extension Stylesheet {
  static let charts: StaticString = """

    svg.chart{display:block;width:100%;height:auto;font-family:inherit;overflow:visible}
    svg.narrow{display:none}
    .tip{position:absolute;z-index:3;padding:.2rem .55rem;background:var(--ink);color:var(--paper);font-size:.8125rem;
    border-radius:3px;pointer-events:none;max-width:22rem}
    .chart text{font-size:11.5px;fill:var(--muted)}
    .chart text.y{text-anchor:end}.chart text.x{text-anchor:middle}
    .chart .name{font-size:11.5px;font-weight:600;fill:var(--ink)}
    .chart .heading{font-size:13px;font-weight:600;fill:var(--ink)}.chart .subheading{font-size:11.5px}
    .chart .grid{stroke:var(--line);stroke-width:1;fill:none;shape-rendering:crispEdges}
    .line{fill:none;stroke:var(--ink);stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
    .line.p50{stroke:var(--p50);stroke-width:2.2}.line.p95{stroke:var(--p95)}.line.p99{stroke:var(--p99)}
    .chart .end{font-weight:600}
    .chart .end.p50{fill:var(--p50)}.chart .end.p95{fill:var(--p95)}.chart .end.p99{fill:var(--p99)}
    .dots.max{fill:var(--max)}.dots.ring{fill:none;stroke:currentColor;stroke-width:1.4}
    .line.planned{stroke:var(--ink);stroke-width:1.1;stroke-dasharray:3 3}
    .area{stroke:none}.area.sent{fill:var(--sent);fill-opacity:.55}.area.users{fill:var(--sent);fill-opacity:.4}
    .area.limited{fill:var(--limited)}.area.failed{fill:var(--failed)}
    .chart .end.limited{fill:var(--doubt)}.chart .end.failed{fill:var(--broken)}
    .rule path{stroke:var(--muted);stroke-width:1;stroke-dasharray:1 3;fill:none}
    .rule.limit path{stroke:var(--broken);stroke-dasharray:none}.rule.limit text{fill:var(--broken)}
    .line.latency{stroke:var(--p50);stroke-width:2}.line.service{stroke:var(--muted);stroke-dasharray:3 3}
    .band.window{fill:var(--window)}
    .ticks path{fill:none;stroke-width:1.1}
    .ticks .admitted{stroke:var(--kept)}.ticks .refused{stroke:var(--broken);stroke-width:1.6}
    .ticks .unknown{fill:var(--paper);stroke:var(--none);stroke-width:1.3}
    .spacetime .lane{stroke:var(--line);stroke-width:1}
    .spacetime .bound{stroke:var(--muted);stroke-width:1;stroke-dasharray:3 3}
    .spacetime .bar path{fill:var(--ink)}
    .spacetime .bar.read path{fill:none;stroke:var(--ink);stroke-width:2}
    .spacetime .bar.unknown path{fill:none;stroke:var(--ink);stroke-dasharray:2 2}
    .spacetime .bar.suspect path{fill:var(--broken)}
    .chart.spacetime .bar text{fill:var(--ink);font-weight:600;paint-order:stroke;stroke:var(--paper);stroke-width:4px}
    .exchanges{list-style:none;margin:.5rem 0;padding:0}.exchanges li{padding:.15rem 0}
    .exchanges code{white-space:pre-wrap}
    .bracket path{fill:none;stroke:var(--ink);stroke-width:1.4}
    .chart .bracket text{fill:var(--ink);font-weight:600}
    .heat .h0{fill:var(--h0)}.heat .h1{fill:var(--h1)}.heat .h2{fill:var(--h2)}
    .heat .h3{fill:var(--h3)}.heat .h4{fill:var(--h4)}.heat .h5{fill:var(--h5)}
    figcaption{margin-top:.5rem;font-size:.875rem;color:var(--muted)}
    .scale i{display:inline-block;width:1.1rem;height:.7rem;vertical-align:-.05rem}
    .scale .h0{background:var(--h0)}.scale .h1{background:var(--h1)}.scale .h2{background:var(--h2)}
    .scale .h3{background:var(--h3)}.scale .h4{background:var(--h4)}.scale .h5{background:var(--h5)}
    .panels svg+svg{margin-top:.6rem}
    .multiples{display:grid;grid-template-columns:repeat(auto-fill,minmax(17.5rem,1fr));gap:1.75rem 2rem;margin-bottom:2.25rem}
    .limit{padding-top:1.6rem}.limit .lead{margin:.15rem 0 0}.limit h3 .badge{margin-left:.5rem}
    .strip{margin-top:1.1rem}.strip h4 small{margin-left:.75rem;font-weight:400}

    """
}

extension Stylesheet {
  /// On a phone a row becomes a card, and the charts are those for a small display.
  static let narrow: StaticString = """

    @media screen and (max-width:52rem){
    html{font-size:15.5px}
    header.verdict,nav,main,footer{padding-inline:1.15rem}
    header.verdict{padding-block:1.6rem 1.75rem}
    h1{margin-top:1rem}h1 .scenario{font-size:1.375rem;margin-top:.75rem}
    .figures{grid-template-columns:repeat(auto-fill,minmax(6.2rem,1fr));gap:1.1rem 1rem;margin-top:1.5rem}
    .figures dd{font-size:1.375rem}.figures dd.long{font-size:1.0625rem}
    nav ul{flex-wrap:nowrap;overflow-x:auto;scrollbar-width:none}
    nav li{white-space:nowrap}
    svg.wide{display:none}svg.narrow{display:block;max-width:32rem}
    .next{grid-template-columns:1fr;gap:0}.next dd{margin-bottom:.5rem}
    section{padding-top:2rem}section+section{margin-top:2rem}
    table.rows,.rows tbody,.rows tr,.rows td,.rows th{display:block}
    .rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .rows tr{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:.5rem .75rem;padding:.9rem 0;border-bottom:1px solid var(--line)}
    .rows tbody th,.rows td{padding:0!important;border:0;text-align:left}
    .rows tbody th{grid-column:1/-1;font-size:1rem}
    .rows td::before{content:attr(data-label);display:block;font-size:.75rem;color:var(--muted)}
    .rows td[data-label=""]::before{display:none}
    .rows .n{text-align:left;white-space:normal}
    .rows td[data-label="statuses"],.rows td[data-label="early ends"],.rows td[data-label="seen"],
    .rows td[data-label="latency spread"],.rows td[data-label="verdict"]{grid-column:1/-1}
    .promises tr{grid-template-columns:7rem minmax(0,1fr)}.promises tbody th,.promises td{width:auto!important}
    .promises td[data-label="seen"]{order:3}
    .outcomes{width:100%}
    .rows.dense tr{grid-template-columns:repeat(4,minmax(0,1fr));padding:.5rem 0}
    .facts{grid-template-columns:1fr}.facts>div{grid-template-columns:8rem 1fr}
    .exchange{grid-template-columns:minmax(0,1fr)}
    .drift>div{grid-template-columns:1fr 6rem;gap:.2rem .75rem;padding:.3rem 0}.drift .share{grid-column:1/-1}
    .drift .gauge{width:6rem}
    .coverage summary{grid-template-columns:minmax(0,1fr) 5rem auto}.coverage .gauge{width:5rem}
    .coverage .kind{grid-template-columns:1fr;gap:.25rem}
    .finding{padding-left:.85rem}
    }

    """
}
