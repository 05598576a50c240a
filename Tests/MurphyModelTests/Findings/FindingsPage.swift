import MurphyModel

/// `docs/findings.md`, from the rules of the kinds and the advice on them.
enum FindingsPage {
  static var text: String {
    var lines = [
      "# Findings", "",
      "This page lists every kind of finding. Reports, `junit.xml`, SARIF and `result.json` use the same names. Each kind has its",
      "severity, its meaning, an example of its message, and what to do. An occurrence can have a lower severity than its kind.",
      "A kind that *rests on timing* decides nothing if murphy itself was the bottleneck. A report shows the advice under",
      "*What to do*. SARIF has it in the help of a rule.", "",
      "The link to a kind is its id without dots: `findings.md#contractstatus`. [scenario.md](scenario.md) explains keys such as",
      "`expect:`. A test writes this page from `FindingRule`.", "",
      "Three or more findings of one kind are grouped into one finding if they violate the same rule. Examples are a status that",
      "several operations do not document, and one line of the contract that several places violate. The finding names its",
      "operations, and its count is the sum of their counts.", "",
      "A run is INVALID if its credentials stop working. The report shows the time and the last successful write request before",
      "it. murphy detects this if, for five seconds, every response is 401 to operations that had succeeded with credentials.",
      "Responses 403 count as well under four conditions: all sessions have the same credentials; no limit is declared to",
      "reject with 403; the response has no header of a limiter; and no operation without credentials gets 403. With 403 it",
      "takes 30 seconds, or the last ten seconds of the load.",
      "Statuses that a step expects or handles with `on:` do not count.", "",
    ]
    lines.append(FindingRule.Family.allCases.map { "[\($0.rawValue)](#\($0.rawValue))" }.joined(separator: " · "))
    for family in FindingRule.Family.allCases {
      let kinds = FindingKind.allCases.filter { $0.family == family }
      lines += [
        "", "## \(family.rawValue)", "", question(family), "", "| kind | severity | what is wrong |", "|---|---|---|",
      ]
      lines += kinds.map {
        "| [`\($0.rawValue)`](#\(anchor("### `\($0.rawValue)`"))) | \($0.rule.severity.rawValue) | \($0.rule.sentence) |"
      }
      for kind in kinds { lines += section(kind) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ kind: FindingKind) -> [String] {
    let timing = kind.rule.isTimingSensitive ? ", rests on timing" : ""
    return [
      "", "### `\(kind.rawValue)`", "", "\(kind.rule.sentence) (\(kind.rule.severity.rawValue)\(timing))", "",
      "```text",
      kind.rule.example, "```", "", "**What to do:** \(kind.rule.remedy)",
    ]
  }

  /// What GitHub makes of a heading: small letters, blanks as hyphens, and no other sign than hyphen and underscore.
  static func anchor(_ heading: Substring) -> String {
    String(
      heading.drop { $0 == "#" || $0 == " " }.lowercased().compactMap { sign -> Character? in
        if sign == " " { return "-" }
        return sign.isLetter || sign.isNumber || sign == "-" || sign == "_" ? sign : nil
      })
  }

  private static func anchor(_ heading: String) -> String { anchor(heading[...]) }

  private static func question(_ family: FindingRule.Family) -> String {
    switch family {
    case .contract: "Does every response match the contract ([openapi.md](openapi.md))?"
    case .limit: "Is every rate limit as declared ([limits.md](limits.md), [rate-limits.md](rate-limits.md))?"
    case .state: "Do counts, versions and lists follow from what was sent ([state.md](state.md))?"
    case .budget: "Are the budgets for latency, errors and throughput met ([drift.md](drift.md), [ci.md](ci.md))?"
    case .traffic: "Do sessions complete, and is every operation called ([scenario/expect.md](scenario/expect.md#expect))?"
    case .relation: "Are responses consistent with requests and with each other ([relations.md](relations.md))?"
    case .coverage: "How much of the contract did the run cover ([scenario/coverage.md](scenario/coverage.md#coverage))?"
    case .transport: "Did every request get a valid HTTP response ([transport.md](transport.md))?"
    case .explore: "Does the API accept what its contract allows, and reject what it forbids (`murphy explore`)?"
    case .generator: "What were murphy's own limits?"
    }
  }
}
