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
