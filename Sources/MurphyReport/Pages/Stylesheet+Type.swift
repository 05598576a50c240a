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
