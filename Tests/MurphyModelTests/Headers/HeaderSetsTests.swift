import MurphyModel
import Testing

@Suite struct HeaderSetsTests {
  private static let names = [
    "Date", "date", "DATE", "Content-Type", "Retry-After", "retry-after", "Retry-After-Extra", "X-Retry-After",
    "RateLimit", "RATELIMIT-Policy", "X-RateLimit-Remaining", "x-app-rAtElImIt-y", "Rate-Limit", "ratelimi", "r", "rr",
    "X-RRateLimit", "Server", "Dates", "Content-Types",
  ]
  private static let values = ["", " ", "1", " 60 ", "\t7\t", "a:b", "Tue, 01 Jan 2030 00:00:00 GMT", "\u{E4}"]

  /// What is kept, as words and not as bytes.
  private static func isKept(_ name: String, refused: Bool) -> Bool {
    let name = name.lowercased()
    return ["ratelimit", "rate-limit", "retry-after"].contains { name.contains($0) }
      || refused && (name == "date" || name == "content-type")
  }

  @Test(arguments: [false, true]) func `sets hold what a judge reads, equal ones once`(refused: Bool) {
    var random = RandomSource(seed: 41)
    var sets = HeaderSets()
    let table = FieldTable()
    var known: [[HeaderField]: Int32] = [:]
    for _ in 0..<5_000 {
      var block: [UInt8] = []
      var expected: [HeaderField] = []
      for _ in 0..<Int(random.next() % 5) {
        let name = Self.names[Int(random.next() % UInt64(Self.names.count))]
        let value = Self.values[Int(random.next() % UInt64(Self.values.count))]
        block += Array("\(name):\(value)\r\n".utf8)
        if Self.isKept(name, refused: refused) {
          let blanks: Set<Character> = [" ", "\t"]
          let trimmed = value.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed()
          expected.append(HeaderField(name.lowercased(), String(trimmed)))
        }
      }
      let number = block.withUnsafeBytes { bytes in
        table.read(bytes, by: .common)
        return sets.number(of: table, refused: refused)
      }
      guard !expected.isEmpty else {
        #expect(number == -1)
        continue
      }
      #expect(sets[Int(number)] == expected)
      known[expected] = number
    }
    // The same set in other letters or with other blanks is another one.
    #expect(known.count <= sets.count && sets.count < 3_000)
  }

  @Test func `fields and field lines are one`() {
    var sets = HeaderSets()
    let first = sets.number(of: [HeaderField("retry-after", "1")])
    let second = sets.number(of: [HeaderField("retry-after", "2\r\ndate: today")])
    #expect(sets.number(of: [HeaderField("retry-after", "1")]) == first && first != second)
    #expect(sets[Int(second)].count == 1)
    var others = HeaderSets()
    others.append([HeaderField("date", "x")])
    others.append(contentsOf: sets)
    #expect(others.map { $0.first?.name } == ["date", "retry-after", "retry-after"])
  }
}
