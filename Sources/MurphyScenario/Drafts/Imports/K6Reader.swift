import Foundation
import MurphyContract
import MurphyModel
import MurphySchema

/// Reads a k6 script without running it. It imports calls, pauses, checks and options that are known from the text
/// alone. All other statements are listed with their line.
struct K6Reader {
  /// A step, with the number of its call. Values that later statements read from a response are added to the call.
  indirect enum Step {
    case call(Int)
    case think(String)
    case block(DraftedBlock, [Step])
  }

  /// Response values that later calls use.
  final class Saves {
    var saves: [Int: [DraftedSave]] = [:]
    var given: [String: String] = [:]
    private var names = VariableNames()
    private var known: [String: String] = [:]

    func name(_ call: Int, _ path: String) -> String {
      let key = "\(call) \(path)"
      if let name = known[key] { return name }
      let last = path.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.last.map(String.init) ?? "value"
      let name = names.new(Int(last) == nil ? last : "item")
      known[key] = name
      given[name] = name
      saves[call, default: []].append(DraftedSave(name: name, source: .body(path)))
      return name
    }
  }

  private let lines: [Substring]
  private let statements: [ArraySlice<K6Token>]
  var tool: ToolImporter
  let saves = Saves()
  var expressions: K6Expressions
  var calls: [DraftedCall] = []
  var left: [String] = []
  private var functions: [String: K6Value] = [:]
  /// Names to which a function assigns another value.
  private let changed: Set<String>
  private var options = K6Value.null

  init(_ contract: Contract, _ script: String) {
    self.init(
      contract, lines: script.split(separator: "\n", omittingEmptySubsequences: false),
      K6Tokens.statements(K6Scanner(script).tokens[...]))
  }

  private init(_ contract: Contract, lines: [Substring], _ statements: [ArraySlice<K6Token>]) {
    self.lines = lines
    self.statements = statements
    changed = statements.reduce(into: []) { $0.formUnion(K6Tokens.changed($1)) }
    tool = ToolImporter(contract, Self.function)
    expressions = K6Expressions { [saves] call, path in saves.name(call, path) }
  }

  static func isScript(_ text: String) -> Bool {
    text.firstMatch(of: /(?:from|require\()\s*['"]k6(?:\/[a-z]+)?['"]/) != nil
  }

  func recording(_ contract: Contract) -> Recording {
    // The first pass finds the server.
    var scout = K6Reader(contract, lines: lines, statements)
    _ = scout.recording()
    var reader = K6Reader(contract, lines: lines, statements)
    reader.tool.api = scout.tool.mostFrequentOrigin
    return reader.recording()
  }

  private mutating func recording() -> Recording {
    for statement in statements { declare(statement) }
    var recording = Recording()
    var plan = K6Options(options).plan
    var executed: [String] = []
    for group in plan.groups where !executed.contains(group.session) { executed.append(group.session) }
    for name in executed.isEmpty ? ["default"] : executed { recording.add(name, steps(of: name)) }
    plan.setup = steps(of: "setup")
    plan.teardown = steps(of: "teardown")
    recording.setTarget(plan, base: tool.base, api: tool.api ?? "")
    recording.left = left + plan.remarks
    if !left.isEmpty {
      recording.left.append(
        "decisions of the script at run time; to record the requests, run the script against `murphy record`"
      )
    }
    recording.variables = tool.environment
    return recording
  }

  /// Reads a statement outside all functions.
  private mutating func declare(_ statement: ArraySlice<K6Token>) {
    var rest = statement
    if rest.first?.isWord("import") == true { return }
    guard !K6Tokens.isTooDeep(statement) else {
      return leave(statement, "its brackets have more than \(K6Tokens.deepest) levels of nesting")
    }
    if rest.first?.isWord("export") == true { rest = rest.dropFirst() }
    var name = "default"
    if rest.first?.isWord("default") == true {
      rest = rest.dropFirst()
    } else if let word = rest.first?.word, ["const", "let", "var"].contains(word),
      let declared = rest.dropFirst().first?.word,
      rest.dropFirst(2).first?.isSign("=") == true
    {
      name = declared
      rest = rest.dropFirst(3)
    } else if let declared = rest.drop(while: { $0.isWord("async") || $0.isWord("function") }).first?.word {
      name = declared
    }
    switch expressions.value(rest) {
    case _ where changed.contains(name) && name != "options": leave(statement)
    case .function(let tokens)?: functions[name] = .function(tokens)
    case let value? where name == "options": options = value
    case let value?: expressions.known[name] = value
    case nil: leave(statement)
    }
  }

  private mutating func steps(of name: String) -> [DraftedStep] {
    guard case .function(let tokens)? = functions[name] else { return [] }
    let known = expressions.known
    defer { expressions.known = known }
    return read(Self.body(tokens)).map(drafted)
  }

  private func drafted(_ step: Step) -> DraftedStep {
    switch step {
    case .think(let pause): return .think(pause)
    case .block(let block, let steps): return .block(block, steps.map(drafted))
    case .call(let number):
      var call = calls[number]
      call.saves = saves.saves[number] ?? []
      return .call(call)
    }
  }

  /// The tokens in the braces of a function; all tokens without braces: `() => http.get(…)`.
  static func body(_ tokens: [K6Token]) -> ArraySlice<K6Token> {
    var slice = tokens[...]
    if slice.first?.isWord("function") != true {
      guard let arrow = slice.firstIndex(where: { $0.isSign("=>") }) else { return [] }
      slice = slice[(arrow + 1)...]
      if slice.first?.isSign("{") != true { return slice }
    }
    guard let start = slice.firstIndex(where: { $0.isSign("{") }) else { return [] }
    return slice[(start + 1)..<max(K6Tokens.end(slice, from: start), start + 1)]
  }

  /// The maximum number of statements listed as left out, and of characters read of a line.
  private static let mostTold = 1_000
  private static let longestLine = 2_000

  /// Lists a statement that is not imported: its line, and its beginning.
  mutating func leave(_ statement: ArraySlice<K6Token>, _ reason: String? = nil) {
    guard let line = statement.first?.line else { return }
    guard left.count < Self.mostTold else {
      if left.count == Self.mostTold { left.append("more statements (not listed)") }
      return
    }
    // A line may contain the whole script.
    let text = lines.indices.contains(line - 1) ? lines[line - 1].drop { $0.isWhitespace }.prefix(Self.longestLine) : ""
    let shown = ContentMask.shown(String(text).trimmingCharacters(in: .whitespaces))
    left.append(
      "line \(line): \(shown.count > 80 ? shown.prefix(80) + "…" : shown)" + (reason.map { " (\($0))" } ?? ""))
  }

  private static func function(_ name: String) -> String? {
    switch name {
    case "__VU": "${user}"
    case "__ITER": "${iteration}"
    case "__index": "${index}"
    case "uuidv4": "${uuid()}"
    case "Date": "${now(ms)}"
    default: nil
    }
  }

  private static let methods = [
    "get": "GET", "head": "HEAD", "post": "POST", "put": "PUT", "patch": "PATCH", "del": "DELETE", "options": "OPTIONS",
  ]

  /// `http.get(url, params)`, `http.post(url, body, params)`, `http.request(method, url, body, params)`
  ///
  /// - Returns: the call's number; nil if the call is not fully known, or if it has another server.
  mutating func call(_ tokens: ArraySlice<K6Token>) -> Int? {
    guard tokens.first?.isWord("http") == true, tokens.dropFirst().first?.isSign(".") == true,
      let word = tokens.dropFirst(2).first?.word, let written = arguments(tokens, behind: 3)
    else { return nil }
    var values: [K6Value] = []
    for argument in written {
      guard let value = expressions.value(argument) else { return nil }
      values.append(value)
    }
    var method = Self.methods[word]
    if word == "request" {
      guard let text = values.first?.string else { return nil }
      method = text.uppercased()
      values.removeFirst()
    } else if ["get", "head"].contains(word), values.count > 1 {
      values.insert(.null, at: 1)
    }
    guard let method, let url = values.first?.string else { return nil }
    guard var request = request(method, url) else { return nil }
    if values.count > 1, !add(values[1], to: &request) { return nil }
    if values.count > 2 { guard add(parameters: values[2], to: &request, tokens) else { return nil } }
    tool.variables.given = saves.given
    calls.append(tool.call(request))
    return calls.count - 1
  }

  private mutating func request(_ method: String, _ url: String) -> RecordedRequest? {
    let origin = url.prefixMatch(of: /(?:https?:\/\/[^\/?#{}]+|\{\{[^{}]+\}\})/).map { String($0.0) } ?? ""
    guard tool.isOfAPI(origin.hasPrefix("{{") ? "" : origin) else { return nil }
    let parts = url.dropFirst(origin.count).split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let path = parts.first ?? ""
    var request = RecordedRequest(method: method, path: path.hasPrefix("/") ? path : "/" + path)
    if parts.count > 1 { request.query = RecordedRequest.pairs(parts[1]) }
    return request
  }

  /// A string is sent unchanged, an object as a form.
  private func add(_ body: K6Value, to request: inout RecordedRequest) -> Bool {
    switch body {
    case .null: break
    case .object(let members):
      var fields: [(name: String, value: String)] = []
      for (key, value) in members {
        guard let text = expressions.text(value) else { return false }
        fields.append((key, text))
      }
      request.setForm(fields)
    default:
      guard let text = expressions.text(body) else { return false }
      request.body = text
    }
    return true
  }

  private mutating func add(
    parameters: K6Value, to request: inout RecordedRequest, _ tokens: ArraySlice<K6Token>
  ) -> Bool {
    for (key, value) in parameters.members {
      switch key {
      case "headers":
        for (name, header) in value.members {
          guard let text = expressions.text(header) else { return false }
          request.headers.append((name, text))
          if name.lowercased() == "content-type" { request.contentType = text }
        }
      case "tags", "responseType": break
      default: leave(tokens, "the parameter \(key)")
      }
    }
    return true
  }
}
