import MurphyContract
import MurphyModel
import MurphySchema

/// Reads one scenario, collecting every mistake in it. Lives for one reading, on one thread.
final class ScenarioReader {
  /// The file that is being read: the scenario's, or one that it includes.
  private(set) var source: SourceText
  let files: ScenarioFiles
  /// Nil when the scenario is read without its contract: then names of operations are not checked.
  let operations: [OperationSummary]?
  let environmentVariables: [String: String]
  /// Whether a missing environment variable is only a warning.
  let toleratesMissingEnvironment: Bool
  /// Those that a stage of the load may have.
  let shapes: [StageShape]

  var diagnostics: [Diagnostic] = []
  /// What has been reported: steps that are named twice are read twice.
  private var reported: Set<Diagnostic> = []
  /// What the scenario's files hold under names.
  var parts = IncludedParts()
  var variables: [String] = []
  var secrets = Secrets()
  var feeds: [Feed] = []
  var bodyFiles = BodyFiles()
  var tagNames = TagNames()
  /// What names mean at the place that is being read.
  var flow = SessionFlow()
  /// Variables that some expression read.
  var readVariables: Set<Int> = []
  /// Operations that some step calls.
  var calledOperations: Set<String> = []
  /// Requests outside of the contract that some step makes, by the name they are counted under.
  var undocumented: [String: OperationReference] = [:]
  /// Every saved name and where.
  var saved: [(variable: Variable, node: MarkedValue)] = []
  /// Names of the headers that the session's client sends, and its credentials.
  var clientHeaders: [String] = []
  /// How long a request may take.
  var timeout = ClientSettings().timeout
  /// Loops, branches and the like around the place that is being read.
  var depth = 0
  static let deepest = 50
  /// The number of the step that is being read, from 1 in each list of steps: `3`, `else`, `1`.
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

  /// Mistakes that are listed; each costs an excerpt of its file.
  private static let mostTold = 1_000

  func report(_ message: String, at node: MarkedValue, severity: Diagnostic.Severity = .error) {
    guard diagnostics.count < Self.mostTold else { return }
    let message = diagnostics.count == Self.mostTold - 1 ? "more mistakes follow, which are not listed" : message
    report(
      source.diagnostic(
        message, line: node.line, column: node.column, severity: severity, width: Self.width(of: node)))
  }

  /// Reports a mistake in what has no value then.
  func refuse<Value>(_ message: String, at node: MarkedValue) -> Value? {
    report(message, at: node)
    return nil
  }

  func report(_ diagnostic: Diagnostic) {
    if reported.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  /// Reads what stands in another file of the scenario: messages name that one.
  func reading<Result>(_ other: SourceText, _ read: () -> Result) -> Result {
    let outer = source
    source = other
    defer { source = outer }
    return read()
  }

  func warn(_ message: String, at node: MarkedValue) { report(message, at: node, severity: .warning) }

  /// A mistake within a scalar, `offset` characters behind the place where `anchor` stands in the file.
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

  /// `. Did you mean "listLaws"?`, or nothing.
  func suggestion(_ name: String, _ known: some Swift.Sequence<String>) -> String {
    nearestName(to: name, among: known).map { ". Did you mean \"\($0)\"?" } ?? ""
  }
}

/// What names mean while a session is read from top to bottom.
struct SessionFlow {
  /// Names that are saved, set or drawn above this place.
  var known: Set<String> = []
  /// Names that are saved further down, and in which line first.
  var later: [String: Int] = [:]
  /// Feeds that the session reads, by index.
  var feeds: Set<Int> = []
  /// Whether an expression reads the session's last answer beyond its status.
  var readsAnswer = false
  /// Whether `typed` means something here.
  var isTyping = false
  /// Within `offline:`.
  var isOffline = false
  /// Whether an `index` means something here.
  var isLooping = false
  /// Whether names that only sessions save may be used, as a client's headers may.
  var isClient = false
}

extension ScenarioReader {
  /// Where the values of a call stand: `query/limit`, `body/items/0`; `body` also stands for a form and for parts.
  func places(_ entries: Entries) -> [String: Diagnostic] {
    var places: [String: Diagnostic] = [:]
    for key in ["path", "query", "headers", "cookies"] {
      guard let node = entries[key], case .object = node.content else { continue }
      for (name, _, value) in pairs(node) { add(value, at: JSONPointer(tokens: [name]), of: key, &places) }
    }
    for key in ["body", "form", "multipart"] {
      guard let node = entries[key] else { continue }
      add(node, at: .root, of: "body", &places)
      // What is missing from the body is told at its key.
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
      if places.count < 2_000 { places[key + pointer.description] = place(part) }
    }
  }

  /// Hands on a value and all parts of it, each with its pointer.
  func forEachPart(of node: MarkedValue, at pointer: JSONPointer = .root, _ body: (MarkedValue, JSONPointer) -> Void) {
    guard pointer.tokens.count <= Self.deepestTemplate else { return }
    body(node, pointer)
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
}

extension ScenarioReader {
  /// `2s`, `1s..4s`, `lognormal(3s, 0.8)` or `${…}`.
  func drawnDuration(_ node: MarkedValue?, _ what: String, positive: Bool = false) -> DurationValue? {
    if positive, let node, node.scalarText.flatMap({ try? Quantity.duration($0).get() }) == .zero {
      return refuse("\(what) must be longer than 0; found \(found(node))", at: node)
    }
    if node?.scalarText?.contains("${") == true {
      return formula(node, what, bare: false).map { .computed($0) }
    }
    return quantity(node, what) { Distribution.read($0, unit: Quantity.duration) }.map { .drawn($0) }
  }

  /// `3`, `2..5`, `exponential(4)` or `${…}`.
  func drawnCount(_ node: MarkedValue?, _ what: String) -> CountValue? {
    guard let node else { return nil }
    if node.scalarText.flatMap(Quantity.number) == 0 {
      return refuse("\(what) must be 1 or more; found \(found(node))", at: node)
    }
    if node.scalarText?.contains("${") == true {
      return formula(node, what, bare: false).map { .computed($0) }
    }
    guard let distribution = quantity(node, what, { Distribution.read($0, unit: Self.plainNumber) }) else { return nil }
    func whole(_ numbers: Double...) -> Bool {
      if numbers.allSatisfy({ $0 == $0.rounded() && $0 <= Double(CountValue.most) }) { return true }
      report("\(what) is a whole number up to \(CountValue.most); found \(found(node))", at: node)
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
}

extension ScenarioReader {
  /// The bytes of a file; nil after reporting why there are none.
  ///
  /// - Parameter check: throws for bytes that will not do.
  func contents(of path: String, at node: MarkedValue, _ check: ([UInt8]) throws -> Void = { _ in }) -> [UInt8]? {
    do {
      let bytes = try files.read(path)
      try check(bytes)
      return bytes
    } catch {
      let reason = (error as? BoundedFile.Failure).map { ": \($0)" } ?? ""
      report("cannot read the file \(path)\(reason)", at: node)
      return nil
    }
  }
}
