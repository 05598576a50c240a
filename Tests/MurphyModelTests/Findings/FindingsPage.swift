import MurphyModel

/// `docs/findings.md`, from the rules of the kinds and the advice on them.
enum FindingsPage {
  static var text: String {
    var lines = [
      "# Findings", "",
      "This page lists every kind of finding. Reports, `junit.xml`, SARIF and `result.json` use the same names.", "",
      "Each section describes one kind of finding. A section states what is wrong and the severity, and has an example of a",
      "message and the advice. A single finding can have a lower severity than its kind. If a kind *depends on timing*, and",
      "murphy was the bottleneck of a run, findings of this kind do not affect the verdict. A report shows the advice under",
      "*What to do*. SARIF contains the advice as the `help` of a rule.", "",
      "To link to a kind of finding, write its name without dots: `findings.md#contractstatus`. [scenario.md](scenario.md)",
      "explains scenario keys such as `expect:`, which the advice mentions. A test generates this page from `FindingRule`.",
      "",
      "If three or more findings of one kind violate the same rule, murphy groups them into one finding. For example, several",
      "operations send the same undocumented status, or several places violate one line of the contract. For",
      "`explore.auth-ignored`, two findings are enough. The group names all affected operations. The count of the group is the",
      "sum of the counts of its findings.", "",
      "If the credentials of a run stop working, the run is INVALID. The report states when the credentials stopped working,",
      "and names the last successful write request before that time. Murphy considers only operations that succeeded with the",
      "credentials before. The credentials have stopped working if all three conditions are true:", "",
      "- For at least 5 seconds, every response of these operations has the status 401.",
      "- In this time, murphy received at least 20 responses with status 401.",
      "- These responses are from at least two operations, or from all operations that had succeeded.", "",
      "If each session can get its own credentials, murphy also requires that a session which began later was rejected.",
      "",
      "Murphy also counts responses with the status 403 if all four conditions are true:", "",
      "- All sessions use the same credentials.",
      "- No declared rate limit rejects requests with 403.",
      "- The responses with status 403 have no rate-limit header.",
      "- No operation without credentials returns 403.", "",
      "If responses with 403 count, 30 seconds are required instead of 5 seconds. At the end of the load, 10 seconds are enough.",
      "If a step expects a status, or handles a status with `on:`, murphy never counts this status.", "",
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
    let timing = kind.rule.isTimingSensitive ? ", depends on timing" : ""
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
    case .limit: "Does every rate limit work as declared ([limits.md](limits.md), [rate-limits.md](rate-limits.md))?"
    case .state: "Do counts, versions and lists match the requests that were sent ([state.md](state.md))?"
    case .budget: "Does the API meet its latency, error and throughput budgets ([drift.md](drift.md), [ci.md](ci.md))?"
    case .traffic: "Do the sessions complete, and call every operation ([expect.md](scenario/expect.md#expect))?"
    case .relation: "Are responses consistent with their requests and with each other ([relations.md](relations.md))?"
    case .coverage: "How much of the contract did the run cover ([coverage.md](scenario/coverage.md#coverage))?"
    case .transport: "Did every request get a valid HTTP response ([transport.md](transport.md))?"
    case .explore: "Does the API accept requests that its contract allows, and reject the others (`murphy explore`)?"
    case .behaviour: "Does a candidate respond as the base does ([behaviour-diff.md](behaviour-diff.md))?"
    case .generator: "Did a limit of murphy itself affect the run?"
    }
  }
}
