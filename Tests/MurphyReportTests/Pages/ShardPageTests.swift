import Foundation
import MurphyModel
import MurphyReport
import Testing

/// What a merged run shows of its shards.
@Suite struct ShardPageTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "murphy-shard-pages-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func `a merged run has a page for each shard`() throws {
    try withFolder { folder in
      let written = try Report.write(MergedSample.doubtful, to: folder)
      let pages = try FileManager.default.contentsOfDirectory(atPath: folder + "/shards").sorted()
      #expect(pages == ["shard-1.html", "shard-2.html", "shard-4.html"])
      #expect(pages.allSatisfy { written.contains("\(folder)/shards/\($0)") })
      let report = try String(contentsOfFile: folder + "/report.html", encoding: .utf8)
      // Every link of the report leads to a file that is there.
      for link in report.matches(of: /href="(shards\/[^"]+)"/) {
        #expect(FileManager.default.fileExists(atPath: "\(folder)/\(link.1)"))
      }
      #expect(report.matches(of: /href="shards\//).count == 3)
      let late = try String(contentsOfFile: folder + "/shards/shard-4.html", encoding: .utf8)
      #expect(late.contains("started 2.4 s after the other shards") && late.contains("node-4, Linux"))
      #expect(late.contains("2,004") && late.contains("../report.html"))
    }
  }

  @Test func `a run of one process has none`() throws {
    try withFolder { folder in
      try Report.write(SampleRun(seconds: 4).result(.pass), to: folder)
      #expect(!FileManager.default.fileExists(atPath: folder + "/shards"))
      #expect(try !String(contentsOfFile: folder + "/report.html", encoding: .utf8).contains("id=\"shards\""))
    }
  }

  /// A report that stands alone has no link to a file that does not stand beside it.
  @Test func `a report that stands alone leads nowhere`() {
    #expect(!HTMLReport(MergedSample.doubtful).text.contains("href=\"shards/"))
  }

  @Test func `of many shards the worst are shown`() {
    var result = MergedSample.tolerated
    let one = result.run.shards!.shards[0]
    result.run.shards!.shards = (1...1_000).map { number in
      var shard = one
      shard.number = number
      if number == 777 { shard.doubts = ["its processor was too slow"] }
      if number == 778 { shard.lateness = .seconds(9) }
      return shard
    }
    let text = HTMLReport(result).text
    #expect(text.contains("its processor was too slow") && text.contains("the 100 worst of 1,000 shards"))
    #expect(text.utf8.count < HTMLReport(MergedSample.tolerated).text.utf8.count + 200_000)
  }

  /// Every check says over how many arrivals it was judged where shards that are missing were tolerated.
  @Test func `promises say over what they were judged`() {
    let checks = MergedSample.tolerated.checks.filter { $0.outcome != .notRequired && $0.family != .generator }
    #expect(!checks.isEmpty)
    for check in checks {
      #expect(
        check.sentence.hasSuffix("; evaluated on 300 of 400 planned sessions"), "\(check.name): \(check.sentence)")
    }
  }

  @Test func `a course has few steps`() {
    #expect(RateCourse(seconds: []).sent == [])
    #expect(
      RateCourse(seconds: [3, 4]) == RateCourse(seconds: [3, 4]) && RateCourse(seconds: [3, 4]).sent == [3, 4])
    for length in [1, 119, 120, 121, 240, 241, 86_400] {
      let course = RateCourse(seconds: (0..<length).map { $0 % 7 })
      #expect(course.sent.count <= 120 && course.sent.reduce(0, +) == (0..<length).reduce(0) { $0 + $1 % 7 })
    }
  }
}
