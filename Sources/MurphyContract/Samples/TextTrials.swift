import MurphySchema

/// Strings that test a schema's rules for a string.
struct TextTrials {
  let rules: SchemaRules
  let base: String
  private let least: Int
  private let most: Int?
  private let pattern: String?
  private let format: String?
  private(set) var all: [(text: String, constraint: String, about: String, intent: ValueTrial.Intent)] = []

  /// The maximum length of a string that is generated for a `maxLength`.
  private static let longest = 20_000

  init(_ rules: SchemaRules, base: String) {
    self.rules = rules
    self.base = base
    least = max(rules["minLength"]?.int ?? 0, 0)
    most = rules["maxLength"]?.int.map { max($0, 0) }
    pattern = rules["pattern"]?.string
    format = rules["format"]?.string
    lengths()
    patterns()
    formats()
    if pattern == nil, format == nil { ordinary() }
    odd()
  }

  private mutating func add(_ text: String, _ constraint: String, _ about: String, _ intent: ValueTrial.Intent) {
    all.append((text, constraint, about, intent))
  }

  /// A string with that many characters; nil if the pattern has none, or if it is too long to send.
  private func text(of length: Int) -> String? {
    guard length <= Self.longest + 1 else { return nil }
    if let pattern { return PatternSample.text(pattern, lengths: length...length) }
    if length <= base.count { return String(base.prefix(length)) }
    return base + String(repeating: "a", count: length - base.count)
  }

  private mutating func lengths() {
    let isFree = format == nil || format == "password"
    if rules["minLength"] != nil, least <= Self.longest {
      if isFree, let text = text(of: least) { add(text, "minLength", "as short as minLength \(least)", .kept) }
      if least > 0 {
        let text = text(of: least - 1) ?? String(base.prefix(least - 1))
        add(text, "minLength", "one character less than minLength \(least)", .broken)
      }
    }
    if let most, most <= Self.longest, most >= least {
      if isFree, let text = text(of: most) { add(text, "maxLength", "as long as maxLength \(most)", .kept) }
      let text = text(of: most + 1) ?? String(repeating: "a", count: most + 1)
      add(text, "maxLength", "one character more than maxLength \(most)", .broken)
    }
  }

  private mutating func patterns() {
    guard let pattern, let compiled = try? ECMAPattern(pattern) else { return }
    let range = least...max(least, most ?? 1_000)
    for extra in [2, 5, 13] {
      guard let text = PatternSample.text(pattern, lengths: range, extra: extra), text != base else { continue }
      add(text, "pattern", "another string of the pattern \(pattern)", .kept)
      break
    }
    let near = [base + "!", base + "\n", " " + base, base.uppercased(), base.lowercased()]
    let strange = ["murphy no match", "!", "ä", "0", "a", ""]
    var found = 0
    for text in near + strange where compiled.matches(text) == .no && range.contains(text.count) && found < 3 {
      add(text, "pattern", "a string that the pattern \(pattern) does not match", .broken)
      found += 1
    }
  }

  private mutating func formats() {
    guard let format, pattern == nil else { return }
    for (text, about) in Self.wellFormed[format] ?? [] { add(text, "format", about, .kept) }
    for text in Self.malformed[format] ?? [] { add(text, "format", "not a \(format)", .broken) }
  }

  /// Adds typical input of users.
  private mutating func ordinary() {
    func fitted(_ text: String) -> String {
      let long = text.count < least ? text + String(repeating: "a", count: least - text.count) : text
      return String(long.prefix(most ?? .max))
    }
    guard least <= Self.longest else { return }
    add(fitted("Zoë Łódź 中文 😀"), "unicode", "letters of other scripts and an emoji", .kept)
    add(fitted("O'Brien & \"Söhne\" <b> 100%"), "punctuation", "quotes, angle brackets and a percent sign", .kept)
  }

  private mutating func odd() {
    if least == 0, pattern == nil { add("", "empty", "an empty string", rules["minLength"] == nil ? .unsaid : .kept) }
    add("   ", "blank", "spaces only", .unsaid)
    add("a\u{0}b", "control character", "a NUL character", .unsaid)
    add("'; DROP TABLE murphy; --", "quoting", "an SQL quote", .unsaid)
    add("../../murphy", "quoting", "a path to a parent folder", .unsaid)
    add(
      "\u{202E}e\u{301}\u{1F468}\u{200D}\u{1F469}", "unicode", "a joined emoji, a combining accent, right to left",
      .unsaid)
    if most == nil { add(String(repeating: "a", count: 10_000), "long", "a long string", .unsaid) }
  }

  private static let wellFormed: [String: [(String, String)]] = [
    "date": [("2024-02-29", "a leap day"), ("1969-07-20", "a day before 1970")],
    "date-time": [
      ("2024-02-29T23:59:59Z", "a leap day"), ("2024-06-30T12:00:00.123456+05:30", "fractions and an offset"),
    ],
    "email": [("murphy+test@example.co.uk", "an address with a plus sign")],
    "uuid": [("6F1C2A52-5D3E-4C55-9A35-4B8A8F5F9D10", "a UUID in upper case")],
    "uri": [("https://example.com/a?b=c%20d#e", "a URL with a query and a fragment")],
  ]

  private static let malformed: [String: [String]] = [
    "date": ["2023-02-30", "tomorrow"], "date-time": ["2023-02-30T12:00:00Z", "yesterday"], "time": ["25:00:00Z"],
    "email": ["murphy", "murphy@"], "uuid": ["6f1c2a52-5d3e", "not-a-uuid"], "uri": ["not a url"],
    "ipv4": ["256.1.1.1"], "ipv6": ["1::2::3"], "hostname": ["-murphy-.example"],
  ]
}
