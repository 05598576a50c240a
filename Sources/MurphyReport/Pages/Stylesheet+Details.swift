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
