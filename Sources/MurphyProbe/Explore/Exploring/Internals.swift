import MurphyModel

/// Internal data that an error must not disclose: stack traces, statements and errors of databases, paths of the
/// server.
enum Internals {
  struct Leak {
    var what: String
    /// The beginning of the line that contains it.
    var excerpt: String
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
      /SQLSTATE\[?\w{5}|ORA-\d{5}|SQLITE_[A-Z]{4,}|SQLite error|sqlite3\.\w*Error|psycopg2?\.|PG::\w+|MySqlException|syntax error at or near|You have an error in your SQL syntax|near "[^"]*": syntax error|(?:UNIQUE|FOREIGN KEY|NOT NULL|CHECK|PRIMARY KEY) constraint failed|\bdatatype mismatch\b|duplicate key value violates|violates (?:foreign key|not-null|check|unique|exclusion) constraint|invalid input syntax for (?:type )?\w+|no such (?:table|column): |(?:relation|column) "[^"]+" does not exist|unrecognized token:/
    ),
    (
      "a statement of SQL", /\b(?:SELECT\s+[\w*.,"`\s]+\s+FROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\s+["`\w]/
    ),
    (
      "a path of the server",
      /(?:\/(?:home|usr|var|opt|srv|app|root|etc)\/[\w.\-]+\/[\w.\-\/]*\.\w{1,5}\b)|[A-Z]:\\(?:[\w .\-]+\\)+[\w.\-]+/
    ),
  ]

  /// The maximum length that is searched.
  private static let most = 20_000

  static func leak(in body: [UInt8]) -> Leak? {
    guard !body.isEmpty else { return nil }
    // In JSON, quotes and line ends are written with two characters.
    let text = String(decoding: body.prefix(most), as: UTF8.self)
      .replacingScalars("\\\"", with: "\"").replacingScalars("\\n", with: "\n").replacingScalars("\\/", with: "/")
    for (what, pattern) in patterns {
      guard let match = text.firstMatch(of: pattern) else { continue }
      let found = String(match.output).textLines.first { !$0.isEmpty } ?? ""
      return Leak(what: what, excerpt: String(found.prefix(100)))
    }
    return nil
  }
}
