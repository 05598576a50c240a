extension Stylesheet {
  static let page: StaticString = """

    header.verdict,nav,main,footer{max-width:70rem;margin:0 auto;padding-inline:3rem}
    nav{border-block:1px solid var(--line);max-width:none}
    nav ul{max-width:64rem;margin:0 auto;display:flex;flex-wrap:wrap;gap:0 1.25rem;padding:.55rem 0}
    nav a{color:var(--muted);text-decoration:none;font-size:.875rem;line-height:2}
    nav a:hover{color:var(--ink);text-decoration:underline;text-underline-offset:.25em}
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
