import MurphyModel
import MurphyReport

extension ReportFormat {
  /// `operations.csv`: one line for each operation, for spreadsheets.
  static let csv = ReportFormat("csv", fileName: "operations.csv") { result in
    let rows = result.operations.map { operation in
      "\(operation.operation),\(operation.requests),\(operation.throughput),\(operation.latency.p99 / .milliseconds(1))"
    }
    return (["operation,requests,throughput,p99_ms"] + rows).joined(separator: "\n") + "\n"
  }
}
