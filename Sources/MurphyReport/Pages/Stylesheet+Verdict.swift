extension Stylesheet {
  static let verdict: StaticString = """

    header.verdict{padding-block:2.25rem 2.5rem;position:relative}
    header.verdict::before{content:"";position:fixed;inset:0 0 auto;height:6px;background:var(--tone)}
    .verdict.pass{--tone:var(--kept)}.verdict.fail{--tone:var(--broken)}
    .verdict.invalid{--tone:var(--doubt)}.verdict.no-data{--tone:var(--none)}
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
