import MurphyModel

/// A form in which a result can be reported: `murphy report RESULT --format NAME`, and a file of every run.
package struct ReportFormat: Sendable {
  /// What users type.
  package let name: String
  /// The name of the file in a report folder.
  package let fileName: String
  /// The whole file.
  package let text: @Sendable (RunResult) throws -> String

  package init(_ name: String, fileName: String, text: @escaping @Sendable (RunResult) throws -> String) {
    self.name = name
    self.fileName = fileName
    self.text = text
  }

  /// Every format, in the order in which a run writes them: the result first, for all else can be drawn from it again.
  /// A new one is a file with its value, and a line here.
  package static let all: [ReportFormat] = [
    .json,
    .html,
    .junit,
    .metrics,
    .markdown,
    .sarif,
  ]
}

extension ReportFormat {
  static let json = ReportFormat("json", fileName: ResultFile.name, text: ResultFile.encode)
  static let html = ReportFormat("html", fileName: "report.html") { HTMLReport($0).text }
  static let junit = ReportFormat("junit", fileName: "junit.xml") { JUnitReport($0).text }
  static let markdown = ReportFormat("markdown", fileName: "summary.md") { MarkdownReport($0).text }
  static let sarif = ReportFormat("sarif", fileName: "findings.sarif") { SARIFReport($0).text }
}
