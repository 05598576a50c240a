import Foundation
import Testing

/// A time is a `Duration` from the text that a person wrote to the report. The unit of a number is easily mistaken.
@Suite struct TimeTests {
  private static let number = #"\??: (?:Double|Float|U?Int(?:8|16|32|64)?)\b"#
  /// A variable, or a parameter that another module passes, that is a number and has a unit in its name.
  private static let forbidden = [
    #"\b(?:var|let) \w*[sS]econds(?:\#(number)| = -?\d)"#,
    #"^ *(?:@\w+ )*(?:package|public) .*\b(?:func|init)\b.*\b\w*[sS]econds\#(number)"#,
    #"^ *case \w+\(.*\b\w*[sS]econds\#(number)"#,
  ]

  private static let allowed = [
    "Instant.swift": "the conversions", "CodedTime.swift": "the units of files",
    "Budget.swift": "a count of seconds as samples", "ProbeFact.swift": "the key of a file of a probe",
    "HTTPDate.swift": "times of the calendar", "TimerQueue.swift": "the time of day",
    "HeaderHarm.swift": "the arithmetic of waits", "HeaderDialect.swift": "a sum of units while it is read",
    "CurlTransfer+Receiving.swift": "an option of libcurl", "LimiterProduct.swift": "a setting of other products",
    "DraftPage.swift": "a draft has whole seconds",
  ]

  @Test func `a time is not a number with its unit in the name`() throws {
    var excused: Set<String> = []
    // The reference APIs count nanoseconds, and share no code with the others.
    for file in try ArchitectureTests.swiftFiles(under: "Sources") where !ArchitectureTests.isReferenceServer(file) {
      let name = file.lastPathComponent
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      for (number, line) in lines.enumerated() where !line.contains("//") {
        guard Self.forbidden.contains(where: { line.range(of: $0, options: .regularExpression) != nil }) else {
          continue
        }
        excused.insert(name)
        #expect(Self.allowed[name] != nil, "\(name):\(number + 1): use Duration, or give a reason in this test")
      }
    }
    #expect(Set(Self.allowed.keys).subtracting(excused) == [], "these files need no exception")
  }
}
