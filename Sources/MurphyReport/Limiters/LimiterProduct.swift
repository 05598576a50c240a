import MurphyModel

/// A rate limiter of another project, with the writer of its configuration.
package struct LimiterProduct: Sendable {
  /// Its name in `--emit`.
  package let name: String
  /// Its algorithms. The first one replaces an algorithm that it lacks.
  package let algorithms: [LimitAlgorithm]
  /// The lengths of its windows in seconds; nil for any length.
  package var windows: [Double]?
  /// The begin of a comment.
  var comment = "#"
  /// The place of the text, and what the product cannot express.
  let notes: [String]
  /// - Throws: `GateError.usage` for a policy that the product cannot express.
  let lines: @Sendable (LimiterSettings) throws(GateError) -> [String]

  /// In the order of `--emit`.
  package static let all = [nginx, haproxy, envoy, kong, flask, express]

  /// The policy with an algorithm of the product.
  package func adapted(_ policy: LimitPolicy) -> LimitPolicy {
    var policy = policy
    if !algorithms.contains(policy.algorithm) { policy.algorithm = algorithms[0] }
    return policy
  }

  /// The configuration, with its notes as comments.
  ///
  /// - Throws: `GateError.usage` for a policy that the product cannot express.
  package func configuration(_ settings: LimiterSettings) throws(GateError) -> String {
    guard algorithms.contains(settings.policy.algorithm) else {
      throw .usage("\(name) has no \(settings.policy.algorithm.text).")
    }
    if let header = settings.headers.first(where: { !$0.utf8.allSatisfy(Self.isPlain) }) {
      throw .usage("--emit writes header names of letters, digits and hyphens only, found \"\(header)\".")
    }
    let subject = settings.routes.isEmpty ? "all requests" : settings.routes.map(\.id).joined(separator: ", ")
    let head = ["Rate limit of \(subject): \(settings.policy.text)"] + notes
    let comments = head.map { line in "\(comment) " + String(line.map { $0.isNewline ? " " : $0 }) }
    return (comments + (try lines(settings))).joined(separator: "\n") + "\n"
  }

  /// No product gives a meaning to such a byte, in any kind of quotes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// A policy and the requests that it counts, in the forms that writers need.
package struct LimiterSettings: Sendable {
  /// An operation of the contract.
  package struct Route: Sendable {
    let id: String
    let method: String
    /// The template with the path of the target before it: `/v1/laws/{id}`.
    let path: String

    package init(id: String, method: String, path: String) { (self.id, self.method, self.path) = (id, method, path) }

    var methods: [String] { LimitPolicy.countedMethods(of: method) }

    /// A regular expression for the path.
    var pattern: String {
      var text = ""
      var rest = path[...]
      while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        text += Self.escaped(rest[..<open]) + "[^/]+"
        rest = rest[rest.index(after: close)...]
      }
      return text + Self.escaped(rest)
    }

    /// Quotes and line breaks become a point: the products quote texts in different ways.
    private static func escaped(_ text: Substring) -> String {
      text.reduce(into: "") { result, character in
        switch character {
        case _ where "\\.+*?()[]{}|^$".contains(character): result += "\\\(character)"
        case _ where "'\"`#".contains(character) || character.isWhitespace: result += "."
        default: result.append(character)
        }
      }
    }
  }

  package let policy: LimitPolicy
  /// Empty for all requests.
  package let routes: [Route]

  package init(_ policy: LimitPolicy, routes: [Route]) { (self.policy, self.routes) = (policy, routes) }

  /// The name of the limit, as a name in every configuration.
  var name: String {
    let name = policy.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return "murphy_" + (policy.name == "*" ? "all" : String(name))
  }

  /// `POST /laws/[^/]+/vote|DELETE /laws/[^/]+/vote`; nil for all requests.
  var pattern: String? {
    let requests = routes.flatMap { route in route.methods.map { "\($0) \(route.pattern)" } }
    return requests.isEmpty ? nil : requests.joined(separator: "|")
  }

  /// The headers of the key, in lower case.
  var headers: [String] { policy.key.headerNames }

  /// Whole milliseconds; nil for a part of a millisecond.
  var milliseconds: Int? { Self.whole(policy.window.inSeconds * 1000) }

  /// Nil for a number that is not whole.
  static func whole(_ value: Double) -> Int? {
    let nearest = value.rounded()
    return (value - nearest).magnitude < 1e-6 && nearest < 1e15 ? Int(nearest) : nil
  }

  /// The smallest number of tokens that return after a whole number of milliseconds, at least 50. Nil if none of a
  /// million numbers is one, and if the bucket cannot hold so many.
  var refill: (tokens: Int, milliseconds: Int)? {
    let interval = policy.window.inSeconds * 1000 / Double(policy.allowance)
    let first = max(Int(saturating: (49.999_999 / interval).rounded(.up)), 1)
    guard first <= policy.allowance else { return nil }
    let last = min(max(policy.allowance, first * 20), first + 1_000_000)
    return (first...last).lazy.compactMap { tokens in
      Self.whole(Double(tokens) * interval).flatMap { $0 >= 50 ? (tokens, $0) : nil }
    }.first
  }
}
