extension Stylesheet {
  /// On a phone a row becomes a card, and the drawings are those made for few pixels.
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
    .rows td[data-label="statuses"],.rows td[data-label="ended early, why"],.rows td[data-label="seen"],
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
