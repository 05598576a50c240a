import MurphyContract
import MurphyModel
import MurphySchema

/// Internal data that an error must not disclose: stack traces, statements and errors of databases, paths of the
/// server.
package enum Internals {
  package struct Leak: Hashable, Sendable {
    package var what: String
    /// The beginning of the line that contains it.
    package var excerpt: String
  }

  // A `Regex` is not Sendable; these are constant literals.
  nonisolated(unsafe) private static let patterns: [(what: String, pattern: Regex<Substring>)] = [
    ("a stack trace of Python", /Traceback \(most recent call last\)|File "[^"\n]+\.py", line \d+/),
    (
      "a stack trace of Java",
      /\bat [\w$.]+\([\w$]+\.(?:java|kt|scala):\d+\)|\bjava\.[a-z.]+[A-Z]\w*(?:Exception|Error)\b/
    ),
    ("a stack trace of JavaScript", /\bat (?:[\w.$<>\[\] ]+ )?\(?(?:node:|file:\/\/\/|\/)[^\s)]+:\d+:\d+\)?/),
    ("a stack trace of Go", /goroutine \d+ \[|panic: runtime error/),
    ("a stack trace of .NET", /\bat [\w.`<>]+\([^)]*\) in [^\n]+:line \d+|System\.[A-Za-z.]+Exception/),
    ("a stack trace of PHP", /PHP (?:Fatal|Warning|Notice)|Stack trace:\s*#0|\bon line \d+\b.*\.php|\.php(?:\(|:)\d+/),
    ("a stack trace of Ruby", /\.rb:\d+:in [`']/),
    ("a panic of Rust", /thread '[^']*' panicked at/),
    (
      "a crash of Swift", /\.swift:\d+: (?:Fatal error|Precondition failed|Assertion failed)|Fatal error: [^\n]+\.swift/
    ),
    (
      "an error of a database",
      /SQLSTATE\[?\w{5}|ORA-\d{5}|SQLITE_[A-Z]{4,}|SQLite error|sqlite3\.\w*Error|psycopg2?\.|PG::\w+|MySqlException|syntax error at or near|You have an error in your SQL syntax|near "[^"]*": syntax error|(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK|PRIMARY KEY) constraint failed|\bdatatype mismatch\b|duplicate key value violates|violates (?:foreign key|not-null|check|unique|exclusion) constraint|invalid input syntax for (?:type )?\w+|no such (?:table|column): |(?:relation|column) "[^"]+" does not exist|unrecognized token: "/
    ),
    (
      "a statement of SQL", /\b(?:SELECT\s+[\w*.,"`\s]+\s+FROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\s+["`\w]/
    ),
  ]

  /// The character before a path is not a part of a URL.
  nonisolated(unsafe) private static let path =
    /(?:^|[\s"'`(\[{<>=:,;])((?:\/(?:home|usr|var|opt|srv|app|root|etc)\/[\w.\-]+\/[\w.\-\/]*\.\w{1,5}\b)|[A-Z]:\\(?:[\w .\-]+\\)+[\w.\-]+)/

  /// The maximum length that is searched.
  private static let most = 20_000
  /// A shorter text of a request is not the whole of a match.
  private static let shortest = 5

  /// The first internal data in the body, apart from text of the request that the API repeats.
  ///
  /// - Parameters:
  ///   - target: path and query of the request.
  ///   - sent: other texts of the request.
  package static func leak(in body: [UInt8], target: String, sent: [String]) -> Leak? {
    guard !body.isEmpty else { return nil }
    let own = texts(target) + sent
    let original = String(readable(body).prefix(most))
    let text = withoutEchoes(original, own)
    let plain = own.map(unescaped)
    /// - Parameter quotes: the same pattern in the body as it is, with texts of the request.
    func leak(_ what: String, _ found: Substring, _ quotes: () -> [Substring]) -> Leak? {
      let line = String(found).textLines.first { !$0.isEmpty } ?? ""
      // APIs may repeat a part of a text, or escape it once more.
      guard !plain.contains(where: { $0.contains(unescaped(line)) }) else { return nil }
      let quote = quotes().first { withoutEchoes(String($0), own) == found }
      let shown = quote.flatMap { String($0).textLines.first { !$0.isEmpty } } ?? line
      return Leak(what: what, excerpt: String(shown).shortened(to: 100))
    }
    for (what, pattern) in patterns {
      let quotes = { original.matches(of: pattern).map(\.output) }
      if let leak = text.matches(of: pattern).lazy.compactMap({ leak(what, $0.output, quotes) }).first { return leak }
    }
    // A path below the first segment of the request's path is a URL of the API.
    let first = "/" + target.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" } + "/"
    return text.matches(of: path).lazy.map(\.output.1).filter { !$0.hasPrefix(first) }
      .compactMap { leak("a path of the server", $0) { original.matches(of: path).map(\.output.1) } }.first
  }

  /// The strings of a JSON document, each on its own lines; another text without the escapes of HTML.
  private static func readable(_ body: [UInt8]) -> String {
    if let json = try? JSONValue.parse(body) { return json.texts.joined(separator: "\n") }
    return decoded(String(decoding: body.prefix(most), as: UTF8.self))
      .replacingScalars("&quot;", with: "\"").replacingScalars("&#34;", with: "\"")
      .replacingScalars("&#x27;", with: "'").replacingScalars("&#39;", with: "'")
      .replacingScalars("&lt;", with: "<").replacingScalars("&gt;", with: ">").replacingScalars("&amp;", with: "&")
      // JSON that ends early, or a part of it in another text.
      .replacingScalars("\\\"", with: "\"").replacingScalars("\\n", with: "\n").replacingScalars("\\/", with: "/")
      .replacingScalars("\\\\", with: "\\")
  }

  /// The target, its segments and the names and values of its query, each also without percent-encoding.
  private static func texts(_ target: String) -> [String] {
    let parts = target.split { "/?&=".contains($0) }.map(String.init)
    return ([target] + parts).flatMap { [$0, PercentEncoding.decode($0)] }
  }

  /// A letter in place of each text of the request: the text around it may still be internal. The separators of a path
  /// stay, because the API may put the text into a path of its own.
  private static func withoutEchoes(_ text: String, _ own: [String]) -> String {
    Set(own).filter { $0.unicodeScalars.count >= shortest }.sorted { ($1.count, $0) < ($0.count, $1) }
      .reduce(text) { $0.replacingScalars($1, with: $1.replacing(/[^\/\\]+/, with: "x")) }
  }

  /// Without backslashes, so that texts are equal that differ in their escapes.
  private static func unescaped(_ text: String) -> String { decoded(text).replacingScalars("\\", with: "") }

  /// With the characters in place of escapes such as `\u013e`.
  private static func decoded(_ text: String) -> String {
    text.replacing(/\\u([0-9a-fA-F]{4})/) { match in
      UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? ""
    }
  }
}

extension JSONValue {
  /// All strings in it, with the names of members.
  var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let items): items.flatMap(\.texts)
    case .object(let object): object.members.flatMap { [$0.key] + $0.value.texts }
    default: []
    }
  }
}
