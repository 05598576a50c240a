import MurphyModel
import Testing

/// The one pass over a header section, beside the plainest reading of the same bytes.
@Suite struct FieldTableTests {
  struct Plain: Equatable {
    var fields: [[String]] = []
    var isRegular = true
  }

  private static let names = FieldNames([
    "X-Tenant", "x-a-name-that-is-longer-than-sixteen", "X-TENANT", "É", "Content Length",
  ])
  private static let pieces =
    ["Content-Length", "content-lengtH", "ETag", "X-Tenant", "x-tenanT", "X-A-Name-That-Is-Longer-Than-Sixteen"]
    + ["x-a-name-thAt-iz-longer-than-sixteen", "X-RateLimit-Limit", "x-ratelimit-reset", "Rate-Limit", "date", "a", ""]
    + ["Content Length", "content\rlength", "É", "content-length ", "^", "~", "x_y", "Retry-After", "\u{0}"]
  private static let values = ["", "1", " 1 ", "\t a:b\t", "a\rb", "\u{0}", "gzip, br", "\r"]
  private static let colons = [":", ":", ":", ":", ":", ": ", ":\t", "", " "]
  private static let ends = ["\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r\r\n"]

  /// What RFC 9112 says, in strings.
  private static func plain(_ bytes: [UInt8], statusLine: Int) -> Plain {
    var plain = Plain()
    var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() } else { plain.isRegular = bytes.isEmpty }
    if bytes.contains(0) { plain.isRegular = false }
    for (index, line) in lines.enumerated() {
      if line.last != 13 || line.dropLast().contains(13) { plain.isRegular = false }
      if index == 0, statusLine > 0 { continue }
      let text = line.last == 13 ? line.dropLast() : line
      guard let colon = text.firstIndex(of: 58), colon > text.startIndex else {
        plain.isRegular = false
        continue
      }
      let name = text[..<colon]
      if !name.allSatisfy(FieldTable.isToken) { plain.isRegular = false }
      let value = text[(colon + 1)...].drop { $0 == 32 || $0 == 9 }.reversed().drop { [32, 9, 13].contains($0) }
      let lowered = name.map { (65...90).contains($0) ? $0 + 32 : $0 }
      plain.fields.append([String(decoding: lowered, as: UTF8.self), String(decoding: value.reversed(), as: UTF8.self)])
    }
    return plain
  }

  private static let numbers: [String: Int16] = {
    let more = ["x-tenant", "x-a-name-that-is-longer-than-sixteen", "É", "content length"]
    let all = FieldName.allCases.map(\.text) + more
    return Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, Int16($0)) })
  }()

  private static let texts = Dictionary(uniqueKeysWithValues: FieldName.allCases.map { ($0, $0.text) })

  @Test func `of headers without the usual words, only that of Shopify concerns limits`() {
    #expect(FieldNames.concernsLimits("X-Shopify-Shop-Api-Call-Limit"))
    #expect(!FieldNames.concernsLimits("X-Shopify-Api-Call-Limit"))
    #expect(!FieldNames.concernsLimits("X-Shopify-Shop-Api-Call-Limi"))
  }

  @Test func `one pass finds what the plainest reading finds`() {
    var random = RandomSource(seed: 7)
    let table = FieldTable()
    var (regular, irregular) = (0, 0)
    func pick(_ list: [String]) -> String { list[Int(random.next() % UInt64(list.count))] }
    for number in 0..<30_000 {
      let statusLine = ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\n"][Int(random.next() % 3)]
      var text = statusLine
      // Most sections have no flaw.
      let clean = random.next() % 2 == 0
      for _ in 0..<Int(random.next() % 6) {
        text += clean ? pick(Array(Self.pieces.prefix(12))) : pick(Self.pieces)
        text += clean ? ":" : pick(Self.colons)
        text += clean ? pick(Array(Self.values.prefix(4))) : pick(Self.values)
        text += clean ? "\r\n" : pick(Self.ends)
      }
      if random.next() % 16 == 0 { text += "cut: of" }
      let bytes = Array(text.utf8)
      let plain = Self.plain(bytes, statusLine: statusLine.utf8.count)
      bytes.withUnsafeBytes { section in
        table.read(section, after: statusLine.utf8.count, by: Self.names)
        let found = table.lines.map { line in
          [String(decoding: line.name, as: UTF8.self), String(decoding: line.value, as: UTF8.self)]
        }
        let lowered = found.map { [$0[0].asciiLowercased, $0[1]] }
        let context = "input \(number): \(text.debugDescription)"
        #expect(lowered == plain.fields, "\(context)")
        #expect(table.isRegular == plain.isRegular, "\(context)")
        #expect(table.lines.map(\.number) == lowered.map { Self.numbers[$0[0]] ?? -1 }, "\(context)")
        let limits = lowered.map { field in
          field[0].contains("ratelimit") || field[0].contains("rate-limit") || field[0].contains("retry-after")
        }
        #expect(table.lines.map(\.concernsLimits) == limits, "\(context)")
        #expect(table.hasLimitFields == limits.contains(true), "\(context)")
        let present = Set(lowered.map { $0[0] })
        let wrong = Self.texts.filter { table.has($0.key) != present.contains($0.value) }
        #expect(wrong.isEmpty, "\(context) \(wrong.keys)")
      }
      if plain.isRegular { regular += 1 } else { irregular += 1 }
    }
    #expect(regular > 5_000 && irregular > 5_000)
  }

  @Test func `names are as the field writes them`() {
    #expect(FieldName.wwwAuthenticate.text == "www-authenticate")
    #expect(FieldName.xRatelimitRemaining.text == "x-ratelimit-remaining")
    #expect(FieldName.ratelimitPolicy.text == "ratelimit-policy")
    #expect(FieldName.allCases.count <= 64, "each has a bit")
    #expect(Self.names.number(of: "x-tenant") == Self.names.number(of: "X-TENANT"))
    #expect(Self.names.number(of: "x-tenants") == -1)
  }

  @Test func `other names number the same lines anew`() {
    let table = FieldTable()
    Array("X-Tenant: 7\r\n".utf8).withUnsafeBytes { bytes in
      table.read(bytes, by: .common)
      #expect(table.lines[0].number == -1)
      table.read(by: Self.names)
      #expect(table.lines[0].number == Self.names.number(of: "x-tenant"))
    }
    table.clear()
    #expect(table.lines.isEmpty && table.isRegular)
  }
}

extension String {
  fileprivate var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}
