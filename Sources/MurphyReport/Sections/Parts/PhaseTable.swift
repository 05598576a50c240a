import MurphyModel

/// Where the service time of each operation went: a bar of the mean, and the usual and the slow case of each phase.
struct PhaseTable {
  let operations: [OperationResult]

  var markup: Markup {
    let measured = operations.filter { $0.phases != nil }
    guard !measured.isEmpty else { return .nothing }
    let used = PhaseSummary.Phase.allCases.filter { phase in
      measured.contains { $0.phases?.all.contains { $0.phase == phase } ?? false }
    }
    return element(.details, .class("numbers")) {
      element(.summary, text: "Where the service time went")
      lead(
        "The bar shares out the mean service time of an operation's answers; below it, largest first, what takes most of "
          + "it. Large is the median of a phase, small its p95, in ms. Connections are opened for some requests only: the "
          + "figures are of those.")
      ReportTable(
        "Where the service time of each operation went",
        [.text("operation"), .text("mean service time")] + used.map { .number($0.words) },
        measured.map { row($0, used) }, style: "operations"
      ).markup
    }
  }

  private func row(_ operation: OperationResult, _ used: [PhaseSummary.Phase]) -> [ReportTable.Cell] {
    let mean = [bar(operation), element(.small, text: PhaseShare.words(of: [operation], most: 2))]
    return [.name(operation.operation), .init("", markup: .group(mean))]
      + used.map { phase in
        guard let summary = operation.phases?.all.first(where: { $0.phase == phase })?.summary else { return "–" }
        let parts: [Markup] = [
          .text(Figure.milliseconds(summary.p50)),
          element(.small) {
            element(.span, .class("spoken"), text: "p95 ")
            Figure.milliseconds(summary.p95)
          },
          summary.count < operation.service.count
            ? element(.small, text: "of \(Figure.count(summary.count).text)") : .nothing,
        ]
        return .init("", markup: .group(parts))
      }
  }

  private func bar(_ operation: OperationResult) -> Markup {
    let shares = PhaseShare.shares(of: [operation])
    return element(.span, .class("outcomes phases"), .decorative) {
      for share in shares where share.share > 0 {
        element(.i, .class(share.phase.style), .width(percent: max(share.share * 100, 0.8)))
      }
    }
  }
}

extension PhaseSummary.Phase {
  /// Its class in the style of a report.
  fileprivate var style: String {
    switch self {
    case .held: "cancelled"
    case .connect: "connect"
    case .tls: "tls"
    case .firstByte: "wait"
    case .body: "body"
    }
  }
}
