import Foundation
import MurphyJudge
import MurphyModel

extension CompareTables {
  private static let spansShown = 12

  /// A table of the spans for each operation.
  @BlockBuilder var spans: [Block] {
    for (operation, spans) in (result.spans ?? []).grouped(by: \.operation) {
      Block.table(
        ReportTable(
          "Spans of \(operation): base and candidate",
          [
            .text(operation), .number("base", spare: 2), .number("candidate", spare: 3), .number("change"),
            .number("spans, base", spare: 0), .number("spans, candidate", spare: 1), .text("cause"),
          ], spans.map(cells), style: "compared", noun: "span"), most: Self.spansShown)
    }
  }

  private func cells(_ span: ComparedSpan) -> [ReportTable.Cell] {
    [
      .name(span.name), .text(Figure.latency(span.base.time).text), .text(Figure.latency(span.candidate.time).text),
      .text(span.change.map { CompareMetric.p50.text(log1p($0)) } ?? "new"),
      .text(Figure.digits(span.base.perTrace)), .text(Figure.digits(span.candidate.perTrace)),
      span.isCause ? .init("cause", markup: Badge.of(.failed, "cause")) : "–",
    ]
  }
}
