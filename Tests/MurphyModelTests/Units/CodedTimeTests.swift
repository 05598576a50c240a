import Foundation
import MurphyModel
import Testing

@Suite struct CodedTimeTests {
  private struct Row: Codable, Equatable {
    @InSeconds var start = Duration.zero
    @InMilliseconds var width = Duration.zero
    @InMicroseconds var took: Duration?
    @InSeconds var aborted: Duration?
  }

  @Test(arguments: [
    #"{"start":12.345678901,"took":1234.5,"width":1.4}"#, #"{"aborted":0.3,"start":-0.81,"width":0}"#,
    #"{"start":86400,"took":10000000,"width":0.25}"#,
  ]) func `a time has the number of its unit in a file, and no key without a value`(_ text: String) throws {
    let row = try JSONDecoder().decode(Row.self, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(row), as: UTF8.self) == text)
  }

  @Test func `the unit of a file is no part of the time`() throws {
    let row = try JSONDecoder().decode(Row.self, from: Data(#"{"start":2.5,"took":80,"width":2.5}"#.utf8))
    #expect(row.start == .milliseconds(2500) && row.width == .microseconds(2500) && row.took == .microseconds(80))
    #expect(row.aborted == nil)
  }

  @Test func `a time beyond the range is the longest one`() throws {
    let row = try JSONDecoder().decode(Row.self, from: Data(#"{"start":1e300,"width":-1e300}"#.utf8))
    #expect(row.start == .nanoseconds(Int64.max) && row.width == .nanoseconds(Int64.min))
  }
}
