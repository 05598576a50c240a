import MurphyJSON
import MurphyModel
import Yams

/// Reads one scenario, collecting every mistake in it. Lives for one reading, on one thread.
final class ScenarioReader {
  let source: SourceText
  let files: ScenarioFiles
  /// Nil when the scenario is read without its contract: then names of operations are not checked.
  let operations: [OperationSummary]?
  let environmentVariables: [String: String]
  /// Whether a missing environment variable is only a warning.
  let toleratesMissingEnvironment: Bool

  var diagnostics: [Diagnostic] = []
  var variables: [String] = []
  var secrets = Secrets()
  var feeds: [Feed] = []
  /// What names mean at the place that is being read.
  var flow = SessionFlow()
  /// Variables that some expression read.
  var readVariables: Set<Int> = []
  /// Operations that some step calls.
  var calledOperations: Set<String> = []
  /// Requests outside of the contract that some step makes, by the name they are counted under.
  var undocumented: [String: OperationReference] = [:]
  /// Every saved name and where.
  var saved: [(variable: Variable, node: Node)] = []
  /// Names of the headers that the session's client sends, and its credentials.
  var clientHeaders: [String] = []
  /// Loops, branches and the like around the place that is being read.
  var depth = 0
  static let deepest = 50
  /// The number of the step that is being read, from 1 in each list of steps: `3`, `else`, `1`.
  var stepPath: [String] = []

  init(
    source: SourceText, files: ScenarioFiles, operations: [OperationSummary]?, environment: [String: String],
    toleratesMissingEnvironment: Bool
  ) {
    self.source = source
    self.files = files
    self.operations = operations
    environmentVariables = environment
    self.toleratesMissingEnvironment = toleratesMissingEnvironment
  }

  // MARK: Messages

  func report(_ message: String, at node: Node, severity: Diagnostic.Severity = .error, width: Int? = nil) {
    let mark = node.mark
    diagnostics.append(
      source.diagnostic(
        message, line: mark?.line ?? 1, column: mark?.column ?? 1, severity: severity,
        width: width ?? Self.width(of: node)))
  }

  func warn(_ message: String, at node: Node) { report(message, at: node, severity: .warning) }

  /// A mistake within a scalar, `offset` characters behind the place where `anchor` stands in the file.
  func report(_ message: String, in node: Node, anchor: String, offset: Int, width: Int) {
    let mark = node.mark
    let lines = (node.scalarText?.count { $0.isNewline } ?? 0) + 3
    guard let mark,
      let place = source.find(anchor, line: mark.line, column: mark.column, within: lines)
    else {
      report(message, at: node)
      return
    }
    diagnostics.append(
      source.diagnostic(message, line: place.line, column: place.column + offset, width: width))
  }

  func sourceMark(_ node: Node) -> SourceMark {
    SourceMark(file: source.file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  static func width(of node: Node) -> Int {
    guard case .scalar(let scalar) = node, !scalar.string.contains(where: { $0.isNewline }) else { return 1 }
    let quotes = scalar.style == .plain || scalar.style == .any ? 0 : 2
    return max(scalar.string.count + quotes, 1)
  }

  /// `. Did you mean "listLaws"?`, or nothing.
  func suggestion(_ name: String, _ known: some Swift.Sequence<String>) -> String {
    nearestName(to: name, among: known).map { ". Did you mean \"\($0)\"?" } ?? ""
  }
}
