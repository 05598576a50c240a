import Foundation
import Testing

/// A mask knows the beginning of a secret only by the ellipsis after it.
@Suite struct CutTextTests {
  /// Texts of responses are handled here.
  private static let modules = ["MurphyContract", "MurphyEngine", "MurphyJudge", "MurphyProbe"]
  private static let patterns = [
    #"\\\([^()]*\.prefix\((?!while)[^)]+\)+"#, #"String\((?!decoding)[^(){]*\.prefix\(\d"#,
    #"\.prefix\(\d[^)]*\) \+ "…""#,
  ]
  /// The beginning of a list, a text at the end of which nothing follows, and the middle of a text.
  private static let allowed = [".joined(", ".map", "mask.masked(String(", "text.suffix("]

  @Test func `a text is cut with an ellipsis`() throws {
    for module in Self.modules {
      for file in try ArchitectureTests.swiftFiles(under: "Sources/" + module) {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        for (number, line) in lines.enumerated() where !Self.allowed.contains(where: line.contains) {
          for pattern in Self.patterns {
            #expect(
              line.range(of: pattern, options: .regularExpression) == nil,
              "\(file.lastPathComponent):\(number + 1): write shortened(to:)")
          }
        }
      }
    }
  }
}
