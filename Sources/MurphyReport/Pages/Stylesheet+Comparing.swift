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
