import MurphyModel

/// `docs/findings.md`, from the rules of the kinds and the advice on them.
enum FindingsPage {
  static var text: String {
    var lines = [
      "# Findings", "",
      "Every kind of finding, as reports, `junit.xml`, SARIF and `result.json` name it: how severe it is, what it means, an",
      "example of its message, and what to do. The severity is the usual one; an occurrence can be milder. A kind that *rests on",
      "timing* decides nothing in a run in which murphy itself was the bottleneck. The page of a report has the advice under",
      "*What to do*, SARIF in the help of a rule.", "",
      "The link to a kind is its id without dots: `findings.md#contractstatus`. Keys such as `expect:` are those of",
      "[scenario.md](scenario.md). This page is written from `FindingRule` by a test.", "",
      "Three or more findings of one kind that break one rule are one finding: one status that several operations do not",
      "document, one line of the contract that is broken in several places, one equal message. It names its operations, and its",
      "count is the sum of theirs.", "",
      "Credentials that stop working end a run as INVALID, with the time and the last successful write request before it: from",
      "the last success on, every response to operations that had succeeded with credentials is 401, for five seconds. A",
      "response 403 counts so only where all sessions have the same credentials, no limit is declared to reject with 403, the",
      "response has no header of a limiter, and no operation that needs no credentials gets 403; and only for 30 seconds, or",
      "for the last ten of the load. What a step expects or handles with `on:` does not count.", "",
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
    case .traffic: "Do the sessions end as scripted, and is every operation called ([scenario.md](scenario.md#expect))?"
    case .relation: "Are responses consistent with requests and with each other ([relations.md](relations.md))?"
    case .coverage: "How much of the contract did the run cover ([scenario.md](scenario.md#coverage))?"
    case .transport: "Did every request get a valid HTTP response ([transport.md](transport.md))?"
    case .explore: "Does the API accept what its contract allows, and reject what it forbids (`murphy explore`)?"
    case .generator: "What were murphy's own limits?"
    }
  }
}
