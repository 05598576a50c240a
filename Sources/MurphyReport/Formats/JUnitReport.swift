import MurphyModel

/// `junit.xml`: one case per promise, valid against Jenkins' schema (xunit-plugin, `junit-10.xsd`).
///
/// A broken promise is a `failure`, a doubtful generator an `error`. A promise without enough samples is an `error`
/// when it decided the run, and `skipped` in a run that passed all the same; so is a limit that nobody asked for,
/// and an operation with answers that could not be checked.
package struct JUnitReport: Sendable {
  package let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  package var text: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + document.xml + "\n"
  }

  private var document: Markup {
    let promises = result.promises
    let list = result.findingList
    let groups = Promise.Group.allCases.map { group in (group, promises.filter { $0.group == group }) }
      .filter { !$0.1.isEmpty }.enumerated()
      // The suite with the first finding stands first, as the findings do in each report.
      .map { (first: $1.1.flatMap(\.findings).min() ?? .max, index: $0, group: $1) }
      .sorted { ($0.first, $0.index) < ($1.first, $1.index) }.map(\.group)
    return element(
      .testsuites, Attribute("name", result.run.scenario), Attribute("tests", "\(promises.count)"),
      Attribute("failures", "\(count(.failure, promises))"), Attribute("errors", "\(count(.error, promises))"),
      Attribute("time", seconds)
    ) {
      for (group, promises) in groups { suite(group, promises, list) }
    }
  }

  private func suite(_ group: Promise.Group, _ promises: [Promise], _ list: FindingList) -> Markup {
    element(
      .testsuite, Attribute("name", "\(result.run.scenario): \(group.rawValue)"),
      Attribute("tests", "\(promises.count)"),
      Attribute("failures", "\(count(.failure, promises))"), Attribute("errors", "\(count(.error, promises))"),
      Attribute("skipped", "\(count(.skipped, promises))"), Attribute("timestamp", result.run.started),
      Attribute("time", seconds)
    ) {
      "\n"
      element(.properties) {
        property("verdict", result.verdict.word)
        property("seed", String(result.run.seed))
        property("target", result.run.target)
        property("murphy", result.run.murphy)
      }
      for promise in promises {
        "\n"
        testcase(promise, list)
      }
      "\n"
    }
  }

  private func testcase(_ promise: Promise, _ list: FindingList) -> Markup {
    element(
      .testcase, Attribute("name", promise.name), Attribute("classname", "murphy.\(promise.group.rawValue)"),
      Attribute("time", "0")
    ) {
      if let tag = mark(promise) {
        element(tag, Attribute("type", promise.outcome.word), Attribute("message", headline(promise, list))) {
          details(promise, list)
        }
      } else {
        element(
          .systemOut,
          text: [promise.seenText, promise.strength].compactMap(\.self).joined(separator: "\n")
        )
      }
    }
  }

  /// The first finding's message, for it is what a list of failures shows; without one what was seen.
  private func headline(_ promise: Promise, _ list: FindingList) -> String {
    guard let first = promise.findings.first else { return promise.seenText }
    let more = promise.findings.count - 1
    return list[first].message + (more == 0 ? "" : " (and \(counted(more, "more finding")))")
  }

  /// What was seen, and the findings behind it with the command that repeats each; the first one's message stands above.
  private func details(_ promise: Promise, _ list: FindingList) -> String {
    guard !promise.findings.isEmpty else { return "" }
    let parts = promise.findings.prefix(10).enumerated().map { index, number in
      let finding = list[number]
      let title = "finding \(number), \(finding.kind.rawValue)" + (index == 0 ? "" : ": \(finding.message)")
      return
        ([title, finding.occurrence] + finding.details.prefix(8) + [finding.evidence?.curl?.text].compactMap { $0 })
        .joined(separator: "\n")
    }
    return ([promise.seenText] + parts).joined(separator: "\n\n")
  }

  /// Nil for one that passed.
  private func mark(_ promise: Promise) -> Tag? {
    switch promise.outcome {
    case .kept: nil
    case .broken: .failure
    // Under a pass it decided nothing: lateness that made no difference to any promise.
    case .doubtful: result.verdict == .pass ? .skipped : .error
    case .untested, .unchecked: .skipped
    case .noData, .lacking: result.verdict == .pass ? .skipped : .error
    }
  }

  private func count(_ wanted: Tag, _ promises: [Promise]) -> Int { promises.count { mark($0) == wanted } }

  private func property(_ name: String, _ value: String) -> Markup {
    element(.property, Attribute("name", name), Attribute("value", value))
  }

  /// Digits and a point, as Surefire writes times.
  private var seconds: String {
    let duration = result.run.duration
    return duration.isFinite && duration >= 0 ? Coordinate.text(duration) : "0"
  }
}
