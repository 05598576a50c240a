import Foundation
import MurphyEngine
import Testing

@Suite struct StartMomentTests {
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = NSTemporaryDirectory() + "murphy-start-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  @Test func `a moment is read as RFC 3339 writes it`() throws {
    let moment = try StartTime("2026-11-24T06:00:00Z")
    #expect(moment.nanoseconds == 1_795_500_000_000_000_000)
    #expect(try StartTime("2026-11-24T07:00:00+01:00") == moment)
    #expect(try StartTime("2026-11-24T06:00:00.250Z").nanoseconds == moment.nanoseconds + 250_000_000)
    #expect(try StartTime(moment.text) == moment)
  }

  @Test(arguments: ["", "soon", "2026-11-24", "2026-11-24T06:00:00", "+30s", "+30s@", "+x@f", "30s@f", "+2000h@f"])
  func `what is not common to all is rejected`(text: String) {
    #expect(throws: ShardError.self) { try StartTime(text) }
  }

  @Test func `any date is a time or an error`() {
    for year in ["0000", "0001", "1677", "1678", "1970", "2261", "2262", "2263", "9999", "-999", "+999"] {
      for rest in ["-01-01T00:00:00", "-12-31T23:59:60", "-04-11T23:47:17.9", "-99-99T00:00:00"] {
        for zone in ["Z", "+23:59", "-23:59", "+99:99"] {
          let moment = try? StartTime(year + rest + zone)
          if let moment { #expect(!moment.text.isEmpty) }
          if ["9999", "2263", "0001"].contains(year) { #expect(moment == nil, "\(year + rest + zone)") }
        }
      }
    }
    #expect((try? StartTime("2261-12-31T23:59:59Z")) != nil)
  }

  @Test func `all who come read what the first one wrote`() async throws {
    try await withFolder { folder in
      let file = folder + "/start"
      let moments = try await withThrowingTaskGroup(of: StartTime.self) { group in
        for number in 1...24 { group.addTask { try StartTime("+\(20 + number)s@\(file)") } }
        return try await group.reduce(into: Set<StartTime>()) { $0.insert($1) }
      }
      #expect(moments.count == 1)
      #expect(moments.first?.folder == folder)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["start"], "nothing else is left")
    }
  }

  @Test func `a start file that holds something else is named`() async throws {
    try await withFolder { folder in
      try "yesterday".write(toFile: folder + "/start", atomically: true, encoding: .utf8)
      let error = #expect(throws: ShardError.self) { try StartTime("+1s@\(folder)/start") }
      #expect(error?.description.contains("yesterday") == true)
      #expect(throws: ShardError.self) { try StartTime("+1s@\(folder)/missing/start") }
    }
  }
}
