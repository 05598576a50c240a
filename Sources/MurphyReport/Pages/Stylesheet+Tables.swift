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
    .key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:.75rem;font-size:.8125rem;color:var(--muted)}
    .key i{display:inline-block;width:.7rem;height:.7rem;margin-right:.4rem;vertical-align:-.05rem}
    .gauge.budget{display:block;height:.7rem;margin:.35rem 0 .1rem}
    .gauge.budget::after{content:"";position:absolute;left:50%;top:0;bottom:0;width:2px;background:var(--ink)}
    .promises tbody th{width:34%}.promises td:nth-child(2){width:7rem}.promises td:last-child{width:7rem}
    .promises tr:target,.promises :target,.finding:target{background:var(--marked)}
    .fold{margin-top:.75rem}
    .ends .zero{color:var(--muted)}.ends .figure{font-weight:600}.ends .figure.ok{font-weight:400}
    .ends .figure.server{color:var(--broken)}.ends .figure.unchecked,.ends .figure.lost{color:var(--doubt)}
    .spark{display:block;width:112px;height:26px;fill:var(--p50)}

    """
}
