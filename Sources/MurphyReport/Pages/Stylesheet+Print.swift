extension Stylesheet {
  /// On paper the evidence is unfolded, the long tables of numbers are left out, and what belongs together stays so.
  static let print: StaticString = """

    @media print{
    @page{margin:14mm 13mm}
    :root{--paper:#fff;color-scheme:light}
    html{font-size:11px}
    header.verdict,main,footer{padding-inline:0;max-width:none}
    header.verdict::before{position:absolute;print-color-adjust:exact}
    nav,.command button,.numbers{display:none}
    section{padding-top:1.25rem}section+section{margin-top:1.25rem}
    h2,h3,h4{break-after:avoid}
    figure,.finding .what,tr,.equation,.strip{break-inside:avoid}
    details::details-content{content-visibility:visible;block-size:auto}
    details>:not(summary){display:block}
    summary{color:var(--muted)}
    pre{max-height:none;overflow:visible}
    .gauge,.gauge i,.outcomes i,.key i,.scale i,mark,pre,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    }

    """
}
