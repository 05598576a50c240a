import MurphyModel

/// `junit.xml`: one case per check, valid against Jenkins' schema (xunit-plugin, `junit-10.xsd`).
///
/// A failed check is a `failure`, an unreliable load generator an `error`. A check without enough samples is an `error`
/// when it decided the run. It is `skipped` in a run that passed nevertheless. The same applies to a limit that was not
/// tested, and to an operation with unchecked responses.
package struct JUnitReport: Sendable {
  package let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  /// The whole file.
  package var text: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + document.xml + "\n"
  }

  /// The order of the suites.
  private static let families: [FindingRule.Family] = [
    .contract, .explore, .relation, .budget, .traffic, .limit, .state, .transport, .coverage, .generator,
  ]

  private var document: Markup {
    let checks = result.checks
    let list = result.findingList
    let suites = Self.families.map { family in (family, checks.filter { $0.family == family }) }
      .filter { !$0.1.isEmpty }.enumerated()
      // The suite with the first finding comes first, as the findings do in each report.
      .map { (first: $1.1.flatMap(\.findings).min() ?? .max, index: $0, suite: $1) }
      .sorted { ($0.first, $0.index) < ($1.first, $1.index) }.map(\.suite)
    return element(
      .testsuites, Attribute("name", result.run.scenario), Attribute("tests", "\(checks.count)"),
      Attribute("failures", "\(count(.failure, checks))"), Attribute("errors", "\(count(.error, checks))"),
      Attribute("time", seconds)
    ) {
      for (family, checks) in suites { suite(family, checks, list) }
    }
  }

  private func suite(_ family: FindingRule.Family, _ checks: [Check], _ list: FindingList) -> Markup {
    element(
      .testsuite, Attribute("name", "\(result.run.scenario): \(family.rawValue)"),
      Attribute("tests", "\(checks.count)"),
      Attribute("failures", "\(count(.failure, checks))"), Attribute("errors", "\(count(.error, checks))"),
      Attribute("skipped", "\(count(.skipped, checks))"), Attribute("timestamp", result.run.started),
      Attribute("time", seconds)
    ) {
      "\n"
      element(.properties) {
        property("verdict", result.verdict.word)
        property("seed", String(result.run.seed))
        property("target", result.run.target)
        property("murphy", result.run.murphy)
      }
      for check in checks {
        "\n"
        testcase(check, list)
      }
      "\n"
    }
  }

  private func testcase(_ check: Check, _ list: FindingList) -> Markup {
    element(
      .testcase, Attribute("name", check.name), Attribute("classname", "murphy.\(check.family.rawValue)"),
      Attribute("time", "0")
    ) {
      if let tag = mark(check) {
        element(tag, Attribute("type", check.outcome.word), Attribute("message", headline(check, list))) {
          details(check, list)
        }
      } else {
        element(
          .systemOut,
          text: [check.seenText, check.strength].compactMap(\.self).joined(separator: "\n")
        )
      }
    }
  }

  /// The message of the first finding, because a list of failures shows it. Without a finding, the measured value.
  private func headline(_ check: Check, _ list: FindingList) -> String {
    guard let first = check.findings.first else { return check.seenText }
    let more = check.findings.count - 1
    return list[first].message + (more == 0 ? "" : " (and \(counted(more, "more finding")))")
  }

  /// The measured value, and the findings with the command that reproduces each. The message of the first is the
  /// headline.
  private func details(_ check: Check, _ list: FindingList) -> String {
    guard !check.findings.isEmpty else { return "" }
    let parts = check.findings.prefix(10).enumerated().map { index, number in
      let finding = list[number]
      let title = "finding \(number), \(finding.kind.rawValue)" + (index == 0 ? "" : ": \(finding.message)")
      return
        ([title, finding.occurrence] + finding.details.prefix(8) + [finding.evidence?.curl?.text].compactMap { $0 })
        .joined(separator: "\n")
    }
    return ([check.seenText] + parts).joined(separator: "\n\n")
  }

  /// Nil for one that passed.
  private func mark(_ check: Check) -> Tag? {
    switch check.outcome {
    case .passed: nil
    case .failed: .failure
    // In a passed run it decided nothing: the lateness did not affect any check.
    case .doubtful: result.verdict == .pass ? .skipped : .error
    case .notRequired, .unchecked: .skipped
    case .noData, .notTested: result.verdict == .pass ? .skipped : .error
    }
  }

  private func count(_ wanted: Tag, _ checks: [Check]) -> Int { checks.count { mark($0) == wanted } }

  private func property(_ name: String, _ value: String) -> Markup {
    element(.property, Attribute("name", name), Attribute("value", value))
  }

  /// Digits and a decimal point, as Surefire writes times.
  private var seconds: String { Coordinate.text(max(result.run.duration.inSeconds, 0)) }
}
