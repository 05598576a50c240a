import MurphyModel

/// A form in which a result can be reported: `murphy report RESULT --format …`.
public enum ReportFormat: String, Sendable, CaseIterable {
  case html, junit, markdown, json, sarif

  /// The name of the file in a report folder.
  public var fileName: String {
    switch self {
    case .html: "report.html"
    case .junit: "junit.xml"
    case .markdown: "summary.md"
    case .json: ResultFile.name
    case .sarif: "findings.sarif"
    }
  }

  /// The whole file.
  public func text(of result: RunResult) throws -> String {
    switch self {
    case .html: HTMLReport(result).text
    case .junit: JUnitReport(result).text
    case .markdown: MarkdownReport(result).text
    case .json: try ResultFile.encode(result)
    case .sarif: SARIFReport(result).text
    }
  }
}
