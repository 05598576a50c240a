import MurphyContract
import MurphyModel
import MurphySchema

/// Reads one scenario and collects all its mistakes. It is used for one reading, on one thread.
final class ScenarioReader {
  /// The current file: the scenario's, or one that it includes.
  private(set) var source: SourceText
  let files: ScenarioFiles
  /// Nil if the scenario is read without its contract. Then names of operations are not checked.
  let operations: [OperationSummary]?
  let environmentVariables: [String: String]
  /// True if a missing environment variable is only a warning.
  let toleratesMissingEnvironment: Bool
  /// The allowed shapes of a stage of the load.
  let shapes: [StageShape]

  var diagnostics: [Diagnostic] = []
  /// The reported mistakes. Steps that are named twice are read twice.
  private var reported: Set<Diagnostic> = []
  /// The named elements of the scenario's files.
  var parts = IncludedParts()
  var variables: [String] = []
  var secrets = Secrets()
  var feeds: [Feed] = []
  var bodyFiles = BodyFiles()
  var tagNames = TagNames()
  /// The meanings of names at the current place.
  var flow = SessionFlow()
  /// Variables that an expression reads.
  var readVariables: Set<Int> = []
  /// Operations that a step calls.
  var calledOperations: Set<String> = []
  /// Requests outside the contract that a step sends, by the name under which they are counted.
  var undocumented: [String: OperationReference] = [:]
  /// Every saved name and its place.
  var saved: [(variable: Variable, node: MarkedValue)] = []
  /// Names of the headers that the session's client sends, and its credentials.
  var clientHeaders: [String] = []
  /// The time limit of a request.
  var timeout = ClientSettings().timeout
  /// The number of loops, branches and similar steps around the current place.
  var depth = 0
  static let deepest = 50
  /// The number of the current step, from 1 in each list of steps: `3`, `else`, `1`.
  var stepPath: [String] = []

  init(
    source: SourceText, files: ScenarioFiles, operations: [OperationSummary]?, environment: [String: String],
    toleratesMissingEnvironment: Bool, shapes: [StageShape]
  ) {
    self.source = source
    self.files = files
    self.operations = operations
    environmentVariables = environment
    self.toleratesMissingEnvironment = toleratesMissingEnvironment
    self.shapes = shapes
  }

  // MARK: Messages

  /// The maximum number of listed mistakes. Each needs an excerpt of its file.
  private static let mostTold = 1_000

  func report(_ message: String, at node: MarkedValue, severity: Diagnostic.Severity = .error) {
    guard diagnostics.count < Self.mostTold else { return }
    let message =
      diagnostics.count == Self.mostTold - 1 ? "the file contains more errors, which murphy does not list" : message
    report(
      source.diagnostic(
        message, line: node.line, column: node.column, severity: severity, width: Self.width(of: node)))
  }

  /// Reports a mistake and returns no value.
  func refuse<Value>(_ message: String, at node: MarkedValue) -> Value? {
    report(message, at: node)
    return nil
  }

  func report(_ diagnostic: Diagnostic) {
    if reported.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  /// Runs `read` on another file of the scenario: messages name that file.
  func reading<Result>(_ other: SourceText, _ read: () -> Result) -> Result {
    let outer = source
    source = other
    defer { source = outer }
    return read()
  }

  func warn(_ message: String, at node: MarkedValue) { report(message, at: node, severity: .warning) }

  /// Reports a mistake within a scalar, `offset` characters after the place of `anchor` in the file.
  func report(_ message: String, in node: MarkedValue, anchor: String, offset: Int, width: Int = 1) {
    let lines = (node.scalarText?.count { $0.isNewline } ?? 0) + 3
    guard diagnostics.count < Self.mostTold,
      let place = source.find(anchor, line: node.line, column: node.column, within: lines)
    else {
      report(message, at: node)
      return
    }
    report(source.diagnostic(message, line: place.line, column: place.column + offset, width: width))
  }

  func sourceMark(_ node: MarkedValue) -> SourceMark {
    SourceMark(file: source.file, line: node.line, column: node.column)
  }

  static func width(of node: MarkedValue) -> Int {
    guard case .scalar(let scalar) = node.content, !scalar.text.contains(where: { $0.isNewline }) else { return 1 }
    return max(scalar.text.count + (scalar.isQuoted ? 2 : 0), 1)
  }

  /// `. Did you mean "listLaws"?`, or an empty string.
  func suggestion(_ name: String, _ known: some Swift.Sequence<String>) -> String {
    MurphyModel.suggestion(for: name, among: known)
  }
}

/// The meanings of names while a session is read from top to bottom.
struct SessionFlow {
  /// Names that are saved, set or generated above this place.
  var known: Set<String> = []
  /// Names that are saved further down, with the first line.
  var later: [String: Int] = [:]
  /// Feeds that the session reads, by index.
  var feeds: Set<Int> = []
  /// True if an expression reads the session's last response, except its status.
  var readsAnswer = false
  /// True if `typed` is defined here.
  var isTyping = false
  /// True within `offline:`.
  var isOffline = false
  /// True if `index` is defined here.
  var isLooping = false
  /// True if names that only sessions save may be used, as in a client's headers.
  var isClient = false
}

extension ScenarioReader {
  /// The places of a call's values: `query/limit`, `body/items/0`; `body` also includes a form and parts.
  func places(_ entries: Entries) -> [String: Diagnostic] {
    var places: [String: Diagnostic] = [:]
    for key in ["path", "query", "headers", "cookies"] {
      guard let node = entries[key], case .object = node.content else { continue }
      for (name, _, value) in pairs(node) { add(value, at: JSONPointer(tokens: [name]), of: key, &places) }
    }
    for key in ["body", "form", "multipart"] {
      guard let node = entries[key] else { continue }
      add(node, at: .root, of: "body", &places)
      // A value that is missing in the body is reported at the body's key.
      places["body"] = place(entries.keyNode(key))
    }
    if let graphQL = entries["graphql"] {
      for (name, _, value) in pairs(graphQL) {
        add(value, at: JSONPointer(tokens: [name == "operation" ? "operationName" : name]), of: "body", &places)
      }
      places["body"] = place(entries.keyNode("graphql"))
    }
    return places
  }

  private func add(_ node: MarkedValue, at pointer: JSONPointer, of key: String, _ places: inout [String: Diagnostic]) {
    forEachPart(of: node, at: pointer) { part, pointer in
      guard places.count < 2_000 else { return false }
      places[key + pointer.description] = place(part)
      return true
    }
  }

  /// Calls `body` with a value and all its parts, each with its pointer. Parts of a value for which it returns false are
  /// left out.
  func forEachPart(of node: MarkedValue, at pointer: JSONPointer = .root, _ body: (MarkedValue, JSONPointer) -> Bool) {
    guard pointer.tokens.count <= Self.deepestTemplate, body(node, pointer) else { return }
    switch node.content {
    case .object: for (name, _, value) in pairs(node) { forEachPart(of: value, at: pointer.appending(name), body) }
    case .array(let items):
      for (index, item) in items.enumerated() { forEachPart(of: item, at: pointer.appending(index), body) }
    case .scalar: break
    }
  }

  private func place(_ node: MarkedValue) -> Diagnostic {
    source.diagnostic("", line: node.line, column: node.column, width: Self.width(of: node))
  }

  /// `2s`, `1s..4s`, `lognormal(3s, 0.8)` or `${…}`.
  func drawnDuration(_ node: MarkedValue?, _ what: String, positive: Bool = false) -> DurationValue? {
    if positive, let node, node.scalarText.flatMap({ try? Quantity.duration($0).get() }) == .zero {
      return refuse("\(what) must be longer than 0; found \(found(node))", at: node)
    }
    if node?.scalarText?.contains("${") == true {
      return formula(node, what, bare: false).map { .computed($0) }
    }
    return quantity(node, what) { Distribution.read($0, unit: Quantity.seconds) }.map { .drawn($0) }
  }

  /// `3`, `2..5`, `exponential(4)` or `${…}`.
  func drawnCount(_ node: MarkedValue?, _ what: String) -> CountValue? {
    guard let node else { return nil }
    if node.scalarText.flatMap(Quantity.number) == 0 {
      return refuse("\(what) must be at least 1; found \(found(node))", at: node)
    }
    if node.scalarText?.contains("${") == true {
      return formula(node, what, bare: false).map { .computed($0) }
    }
    guard let distribution = quantity(node, what, { Distribution.read($0, unit: Self.plainNumber) }) else { return nil }
    func whole(_ numbers: Double...) -> Bool {
      if numbers.allSatisfy({ $0 == $0.rounded() && $0 <= Double(CountValue.most) }) { return true }
      report("\(what) must be a whole number up to \(CountValue.most); found \(found(node))", at: node)
      return false
    }
    switch distribution {
    case .constant(let count): return whole(count) ? .constant(Int(count)) : nil
    case .uniform(let low, let high): return whole(low, high) ? .uniform(Int(low)...Int(high)) : nil
    default: return .drawn(distribution)
    }
  }

  private static func plainNumber(_ text: String) -> Result<Double, Quantity.Mistake> {
    guard let number = Quantity.number(text) else {
      return .failure(Quantity.Mistake(message: "expected a number such as 3, a range such as 2..5, or ${…}"))
    }
    return .success(number)
  }

  /// The bytes of a file; nil after reporting an error.
  ///
  /// - Parameter check: throws for invalid bytes.
  func contents(of path: String, at node: MarkedValue, _ check: ([UInt8]) throws -> Void = { _ in }) -> [UInt8]? {
    do {
      let bytes = try files.read(path)
      try check(bytes)
      return bytes
    } catch {
      let reason = (error as? BoundedFile.Failure).map { ": \($0)" } ?? ""
      return refuse("cannot read the file \(path)\(reason)", at: node)
    }
  }
}
