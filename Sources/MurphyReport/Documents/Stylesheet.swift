/// The style of a report, by subject, in the order of the cascade.
enum Stylesheet {
  static let all: [StaticString] = [
    palette, type, page, verdict, tables, charts, findings, details, tuning, comparing, narrow, print,
  ]
}

extension Stylesheet {
  /// Two sets of the same names. Each text colour has a contrast of at least 4.5 : 1 on `paper` and on `sheet` (WCAG
  /// 2.2, 1.4.3). Each colour of a chart has 3 : 1 (1.4.11). A test computes them.
  static let palette: StaticString = """

    :root{color-scheme:light dark;
    --paper:#fcfbf8;--sheet:#f3f1ec;--ink:#1c1b19;--muted:#625f58;--line:#dedad1;
    --kept:#17704a;--broken:#b3261e;--doubt:#8a5300;--none:#5d5f66;--link:#1f55a8;
    --p50:#1f6f8b;--p95:#7a4fb0;--p99:#b1306b;--max:#8b8578;--sent:#7b93a8;--limited:#b0802a;--failed:#c23a30;
    --ok:#4f9a72;--client:#a06a3c;--lost:#4a4038;--cancelled:#858279;--window:#e9e3d2;--marked:#fbe3a6;
    --h0:#dbe8ec;--h1:#b5d0d9;--h2:#86b1bf;--h3:#538fa3;--h4:#276b83;--h5:#0b4458}
    @media screen and (prefers-color-scheme:dark){:root{
    --paper:#141517;--sheet:#1d1f22;--ink:#ebe8e2;--muted:#a5a29a;--line:#34363a;
    --kept:#58c48d;--broken:#ff8378;--doubt:#e5ac4d;--none:#a9abb3;--link:#8fb6f5;
    --p50:#5db8d6;--p95:#b697ec;--p99:#f27fb0;--max:#8f8a80;--sent:#66809a;--limited:#d3a24a;--failed:#f0685d;
    --ok:#3f9468;--client:#c48a58;--lost:#c9bfb3;--cancelled:#85837d;--window:#2a2c2c;--marked:#57430f;
    --h0:#1d2f36;--h1:#204551;--h2:#275f70;--h3:#2f768b;--h4:#55a8bf;--h5:#a5e0ef}}

    """
}

extension Stylesheet {
  static let tuning: StaticString = """

    .verdict.tuning{--tone:var(--p50)}
    .verdict.tuning .scenario{font-size:2.25rem;margin-top:.5rem}
    .dots.p50{fill:var(--p50);color:var(--p50)}.dots.p95{fill:var(--p95);color:var(--p95)}
    .dots.p99{fill:var(--p99);color:var(--p99)}.dots.ring{fill:none}.dots.faint{fill-opacity:.35}
    .line.dashed{stroke-dasharray:5 4}
    .key .swatch.p50{background:var(--p50)}.key .swatch.p95{background:var(--p95)}.key .swatch.p99{background:var(--p99)}
    .heat-table{overflow-x:auto;margin-bottom:1.5rem}
    .heat-table table{border-collapse:separate;border-spacing:2px;font-size:.8125rem}
    .heat-table caption{text-align:left;font-weight:600;padding-bottom:.4rem}
    .heat-table th{font-weight:500;color:var(--muted);padding:.3rem .5rem;text-align:right;white-space:nowrap}
    .heat-table td{padding:.3rem .5rem;text-align:right;white-space:nowrap;background:var(--sheet)}
    .heat-table .h0{background:var(--h0)}.heat-table .h1{background:var(--h1)}.heat-table .h2{background:var(--h2)}
    .heat-table .h3{background:var(--h3);color:#0b1418}.heat-table .h4{background:var(--h4);color:#fff}
    .heat-table .h5{background:var(--h5);color:#fff}
    @media screen and (prefers-color-scheme:dark){.heat-table .h3{color:#fff}
    .heat-table .h4,.heat-table .h5{color:#0b1418}}

    """
}

extension Stylesheet {
  /// In print the evidence is expanded, the long tables of numbers are omitted, and related content stays on one page.
  static let print: StaticString = """

    @media print{
    @page{margin:14mm 13mm}
    :root{--paper:#fff;color-scheme:light}
    html{font-size:11px}
    header.verdict,main,footer{padding-inline:0;max-width:none}
    header.verdict::before{position:absolute;print-color-adjust:exact}
    nav,.command button,.numbers,.filters,.tip{display:none}
    section{padding-top:1.25rem}section+section{margin-top:1.25rem}
    h2,h3,h4{break-after:avoid}
    figure,.finding .what,tr,.equation,.strip{break-inside:avoid}
    details::details-content{content-visibility:visible;block-size:auto}
    details>:not(summary){display:block}
    summary{color:var(--muted)}
    pre{max-height:none;overflow:visible}
    .exchange pre{max-height:calc(20 * 1.5em);overflow:hidden}
    .gauge,.gauge i,.outcomes i,.key i,.scale i,mark,pre,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    }

    """
}

extension Stylesheet {
  static let verdict: StaticString = """

    header.verdict{padding-block:2.25rem 2.5rem;position:relative}
    header.verdict::before{content:"";position:fixed;inset:0 0 auto;height:6px;background:var(--tone)}
    .verdict.pass{--tone:var(--kept)}.verdict.fail{--tone:var(--broken)}
    .verdict.invalid{--tone:var(--doubt)}.verdict.no-data{--tone:var(--none)}.verdict.shard{--tone:var(--p50)}
    .kicker{color:var(--muted);font-size:.875rem}
    .kicker strong{color:var(--ink);letter-spacing:.01em}
    h1{margin-top:1.4rem;font-weight:400}
    h1 .word{display:block;color:var(--tone);font-weight:800;font-size:clamp(3.25rem,9vw,5.5rem);line-height:.95;
    letter-spacing:-.035em}
    h1 .scenario{display:block;margin-top:1.1rem;font-size:1.625rem;line-height:1.2;letter-spacing:-.015em;font-weight:600}
    .answer{font-size:1.125rem;margin-top:.35rem;max-width:46rem}
    .reasons{margin-top:1.1rem;max-width:50rem;padding-left:1.1rem;border-left:3px solid var(--tone)}
    .reasons li{padding:.15rem 0}
    .next{display:grid;grid-template-columns:7rem 1fr;gap:.35rem 1rem;margin-top:1.1rem;max-width:52rem}
    .next dt{color:var(--muted);font-size:.9375rem}
    .figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(6.5rem,1fr));gap:1.25rem;margin-top:2rem}
    .figures dt{font-size:.8125rem;color:var(--muted)}
    .figures dd{font-size:1.625rem;line-height:1.25;font-weight:600;letter-spacing:-.02em}
    .figures dd.long{font-size:1.125rem;line-height:1.6}
    .figures small{display:block;font-weight:400;letter-spacing:0;line-height:1.35}

    """
}

extension Stylesheet {
  static let page: StaticString = """

    header.verdict,nav,main,footer{max-width:70rem;margin:0 auto;padding-inline:3rem}
    nav{border-block:1px solid var(--line);max-width:none}
    nav ul{max-width:64rem;margin:0 auto;display:flex;flex-wrap:wrap;gap:0 1.25rem;padding:.55rem 0}
    nav a{color:var(--muted);text-decoration:none;font-size:.875rem;line-height:2}
    nav a:hover{color:var(--ink);text-decoration:underline;text-underline-offset:.25em}
    @media screen and (min-width:48rem){nav{position:sticky;top:0;z-index:2;background:var(--paper)}
    :target{scroll-margin-top:3.5rem}}
    section{padding:2.75rem 0 0}
    section+section{margin-top:2.75rem;border-top:1px solid var(--line)}
    section>h3{margin:1.5rem 0 .35rem}
    footer{margin-top:3.5rem;padding-block:1.25rem 2.5rem;color:var(--muted);font-size:.8125rem}
    ul.plain li{padding:.15rem 0}
    .badge{display:inline-flex;align-items:baseline;gap:.35em;font-size:.8125rem;font-weight:600;white-space:nowrap}
    .badge .sign{font-weight:700}
    .kept{color:var(--kept)}.broken{color:var(--broken)}.doubt{color:var(--doubt)}.none{color:var(--none)}
    .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:.35rem 2.5rem}
    .facts>div{display:grid;grid-template-columns:9.5rem 1fr;gap:.75rem;padding:.3rem 0;align-items:baseline}
    .facts dt{color:var(--muted);font-size:.9375rem}
    .gauge{position:relative;display:inline-block;width:7.5rem;height:.5rem;background:var(--sheet);
    max-width:100%;border-radius:1px;vertical-align:middle;overflow:hidden;box-shadow:inset 0 0 0 1px var(--line)}
    .gauge i{position:absolute;inset:0 auto 0 0;background:currentColor}
    .gauge.plain{color:var(--p50)}

    """
}

extension Stylesheet {
  static let type: StaticString = """

    *,::before,::after{box-sizing:border-box}
    html{font:16px/1.5 "Inter","SF Pro Text","Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;
    -webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
    body{margin:0;background:var(--paper);color:var(--ink);font-variant-numeric:tabular-nums;
    overflow-wrap:anywhere;text-rendering:optimizeLegibility}
    h1,h2,h3,h4,p,ul,dl,dd,figure,pre{margin:0;padding:0}
    ul{list-style:none}
    h2{font-size:1.375rem;line-height:1.2;letter-spacing:-.012em;font-weight:650;margin:0 0 .5rem}
    h3{font-size:1.0625rem;line-height:1.35;font-weight:600}
    h4{font-size:.8125rem;line-height:1.4;font-weight:600;color:var(--muted)}
    small{font-size:.8125rem;color:var(--muted)}
    code,pre{font-family:ui-monospace,"SF Mono","Cascadia Mono","JetBrains Mono",Menlo,Consolas,"Liberation Mono",monospace;
    font-size:.8125rem}
    a{color:var(--link)}
    .unit{font-size:.66em;font-weight:500;color:var(--muted)}
    .lead{color:var(--muted);max-width:46rem;margin-bottom:1.25rem}
    .cut{color:var(--muted);font-size:.875rem;font-style:italic;margin-top:.5rem}
    .name{font-weight:600}
    .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    :focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:2px}

    """
}

extension Stylesheet {
  static let details: StaticString = """

    summary{cursor:pointer;padding:.35rem 0;font-size:.9375rem;color:var(--link);width:fit-content}
    summary::marker{color:var(--muted)}
    details>table{margin-top:.5rem}
    .coverage{display:grid;gap:0}
    .coverage summary{width:100%;display:grid;grid-template-columns:minmax(10rem,18rem) 7.5rem 1fr;gap:1rem;align-items:center;
    color:inherit;border-bottom:1px solid var(--line);padding:.45rem 0}
    .coverage summary .name::before{content:"";display:inline-block;margin:0 .55em .1em .1em;
    border:.28em solid transparent;border-right-width:0;border-left:.38em solid var(--muted)}
    .coverage [open] summary .name::before{transform:rotate(90deg)}
    .coverage .share{color:var(--muted);font-size:.875rem}
    .coverage .kind{display:grid;grid-template-columns:8rem 1fr;gap:1rem;padding:.5rem 0}
    .coverage .kind h3{font-size:.8125rem;color:var(--muted);font-weight:500}
    .coverage .kind ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
    .coverage li{display:inline-flex;gap:.4em;align-items:baseline;font-size:.875rem}
    .coverage li code{color:var(--ink)}
    .coverage li.never{color:var(--doubt)}
    .coverage li.never small{color:var(--doubt)}
    .equation{display:flex;flex-wrap:wrap;gap:.35rem .75rem;padding:.35rem 0;font-size:1.0625rem}
    .term{white-space:nowrap}
    .term .op{color:var(--muted)}
    .term.zero strong{font-weight:400;color:var(--muted)}
    .sum{margin-top:.75rem;font-weight:600}
    .doubts li{color:var(--broken);font-weight:600;font-size:1.0625rem;padding:.25rem 0}
    .doubts{margin-bottom:1rem}

    """
}

extension Stylesheet {
  static let tables: StaticString = """

    table.rows{border-collapse:collapse;width:100%;font-size:.9375rem;line-height:1.35}
    .rows th,.rows td{padding:.6rem .65rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
    .rows th:first-child{padding-left:0}.rows td:last-child,.rows thead th:last-child{padding-right:0}
    .rows thead th{font-size:.8125rem;font-weight:500;color:var(--muted);vertical-align:bottom;border-bottom-color:var(--muted)}
    .rows tbody th{font-weight:400}
    .rows .n{text-align:right;white-space:nowrap;max-width:15rem;overflow:hidden;text-overflow:ellipsis}
    .rows td small,.rows th small{display:block}
    .rows.dense{font-size:.8125rem}.rows.dense th,.rows.dense td{padding-block:.25rem}
    .operations{font-size:.875rem}
    .operations th,.operations td{padding-inline:.45rem}
    .operations tbody th{min-width:9.5rem}
    .operations .n small{font-size:.75rem}
    .outcomes{display:flex;width:8.5rem;height:.625rem;gap:1px;margin:.25rem 0 .2rem;overflow:hidden}
    .outcomes i,.key i{background:var(--ok)}
    i.ok{background:var(--ok)}i.limited{background:var(--limited)}i.client{background:var(--client)}
    i.unchecked{background:var(--none)}i.server{background:var(--failed)}i.lost{background:var(--lost)}i.cancelled{background:var(--cancelled)}
    .outcomes i{min-width:2px}
    i.connect{background:var(--p95)}i.tls{background:var(--p99)}i.wait{background:var(--p50)}i.body{background:var(--limited)}
    .key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:.75rem;font-size:.8125rem;color:var(--muted)}
    .key i{display:inline-block;width:.7rem;height:.7rem;margin-right:.4rem;vertical-align:-.05rem}
    .gauge.budget{display:block;height:.7rem;margin:.35rem 0 .1rem}
    .gauge.budget::after{content:"";position:absolute;left:50%;top:0;bottom:0;width:2px;background:var(--ink)}
    .promises .strength{font-size:.85em;color:var(--faint);margin-top:.25rem}
    .promises tbody th{width:34%}.promises td:nth-child(2){width:7rem}.promises td:last-child{width:7rem}
    .promises tr:target,.promises :target,.finding:target{background:var(--marked)}
    .fold{margin-top:.75rem}
    .folded>summary h2{display:inline}
    .ends .zero{color:var(--muted)}.ends .figure{font-weight:600}.ends .figure.ok{font-weight:400}
    .ends .figure.server{color:var(--broken)}.ends .figure.unchecked,.ends .figure.lost{color:var(--doubt)}
    .spark{display:block;width:112px;height:26px;fill:var(--p50)}

    """
}

extension Stylesheet {
  static let findings: StaticString = """

    article{padding:1.35rem 0}
    article+article{border-top:1px solid var(--line)}
    .finding{padding-left:1.15rem;border-left:3px solid var(--tone);margin-top:1.75rem}
    .finding+.finding{border-top:0}
    .finding{padding-block:.15rem .35rem}
    .finding.error{--tone:var(--broken)}.finding.warning{--tone:var(--doubt)}.finding.note{--tone:var(--none)}
    .finding .what{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;font-size:.9375rem}
    .finding>h3,.finding>h4{font-size:1.0625rem;line-height:1.35;color:inherit;margin:.3rem 0 .2rem;max-width:56rem}
    .finding .number{font-weight:700;color:inherit}
    .filters{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin:.75rem 0;font-size:.875rem}
    .filters label{display:flex;gap:.4rem;align-items:center}
    .filters input,.filters select{font:inherit;padding:.15rem .4rem;background:var(--paper);color:var(--ink);
    border:1px solid var(--muted);border-radius:3px;max-width:16rem}
    .filters output{color:var(--muted)}
    .chapter{margin:2rem 0 -.5rem}
    .finding .when,.fingerprint{color:var(--muted);font-size:.875rem}
    .finding .when strong{color:var(--ink)}
    .fingerprint,.fingerprint code{font-size:.75rem}
    .finding .details{margin:.5rem 0}
    .finding .details li{padding:.1rem 0 .1rem 1rem;text-indent:-1rem}
    .finding .details li::before{content:"–";display:inline-block;width:1rem;text-indent:0;color:var(--muted)}
    .remedy p{max-width:46rem;font-size:.9375rem;padding-bottom:.35rem}
    p.remedy{font-size:.875rem;color:var(--muted)}
    .drift{margin:.75rem 0}
    .drift>div{display:grid;grid-template-columns:minmax(9rem,14rem) 7.5rem 1fr;gap:1rem;align-items:baseline;font-size:.875rem;padding:.12rem 0}
    .drift .share{color:var(--muted)}
    .exchange{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:1.25rem;margin-top:.75rem}
    pre{background:var(--sheet);padding:.75rem .9rem;margin-top:.3rem;line-height:1.5;white-space:pre-wrap;
    max-height:32rem;overflow:auto;border-radius:3px}
    pre .field{color:var(--muted)}
    mark{background:var(--marked);color:inherit;font-weight:700;text-decoration:underline;text-underline-offset:.2em}
    .command{position:relative;margin-top:.75rem}
    .command button{position:absolute;right:.4rem;top:1.85rem;font:inherit;font-size:.75rem;padding:.15rem .55rem;
    background:var(--paper);color:var(--ink);border:1px solid var(--line);border-radius:3px;cursor:pointer}
    .command pre{padding-right:5rem}
    .places{margin-top:.5rem}

    """
}

extension Stylesheet {
  /// Changes with their intervals, coloured by their verdicts.
  static let comparing: StaticString = """

    .line.change{stroke-width:3}.line.kept{stroke:var(--kept)}.line.broken{stroke:var(--broken)}
    .line.none,.line.shown{stroke:var(--none)}
    .dots.kept{fill:var(--kept)}.dots.broken{fill:var(--broken)}.dots.none,.dots.shown{fill:var(--none)}
    .dots.single{fill:var(--muted);fill-opacity:.55}.dots.base{color:var(--muted)}
    .band.margin{fill:var(--window)}
    .rule.other path{stroke-dasharray:1 4}.rule.better path{stroke:var(--kept);stroke-dasharray:none}
    .rule.better text{fill:var(--kept)}
    .rule.zero path{stroke:var(--ink);stroke-dasharray:none}
    .changes{margin-bottom:1.75rem}.changes h3{margin-bottom:.35rem}
    .compared{font-size:.875rem;margin-bottom:1.5rem}.compared tbody th{width:9.5rem}

    """
}
