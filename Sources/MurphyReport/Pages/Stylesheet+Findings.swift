extension Stylesheet {
  static let findings: StaticString = """

    article{padding:1.35rem 0}
    article+article{border-top:1px solid var(--line)}
    .finding{padding-left:1.15rem;border-left:3px solid var(--tone);margin-top:1.75rem}
    .finding+.finding{border-top:0}
    .finding{padding-block:.15rem .35rem}
    .finding.error{--tone:var(--broken)}.finding.warning{--tone:var(--doubt)}.finding.note{--tone:var(--none)}
    .finding .what{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;font-size:.9375rem}
    .finding>h4{font-size:1.0625rem;line-height:1.35;color:inherit;margin:.3rem 0 .2rem;max-width:56rem}
    .finding .number{font-weight:700}
    .chapter{margin:2rem 0 -.5rem}
    .finding .when,.fingerprint{color:var(--muted);font-size:.875rem}
    .finding .when strong{color:var(--ink)}
    .fingerprint,.fingerprint code{font-size:.75rem}
    .finding .details{margin:.5rem 0}
    .finding .details li{padding:.1rem 0 .1rem 1rem;text-indent:-1rem}
    .finding .details li::before{content:"–";display:inline-block;width:1rem;text-indent:0;color:var(--muted)}
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
