import Foundation
import MurphyModel
import MurphyReport
import TestSupport
import Testing

@Suite("JUnit report")
struct JUnitReportTests {
  @Test(.requires(.xmllint)) func `every report is valid by the rules of Jenkins' schema`() async throws {
    for (name, result) in Sample.all {
      let problems = try await validate(JUnitReport(result).text)
      #expect(problems == "", "\(name)")
    }
  }

  @Test(
    .requires(.xmllint),
    arguments: [
      "<testsuites><testcase name='a'/></testsuites>",
      "<testsuites><testsuite name='a' tests='1' failures='0'/></testsuites>",
      "<testsuites><testsuite name='a' tests='1' failures='0' errors='0' time='1e3'/></testsuites>",
      "<testsuites skipped='1'/>",
      "<testsuites><testsuite name='a' tests='1' failures='0' errors='0'><testcase/></testsuite></testsuites>",
    ]) func `the validator rejects what Jenkins' schema rejects`(text: String) async throws
  {
    #expect(try await validate(text) != "")
  }

  @Test func `there is one case per check; broken ones are failures, doubts and missing data errors`() {
    for (name, result) in Sample.all {
      let text = JUnitReport(result).text
      let checks = result.checks
      #expect(text.matches(of: #/<testcase /#).count == checks.count, "\(name)")
      #expect(text.matches(of: #/<failure /#).count == checks.count { $0.outcome == .failed }, "\(name)")
      #expect(
        text.contains("tests=\"\(checks.count)\" failures=\"\(checks.count { $0.outcome == .failed })\""), "\(name)"
      )
    }
    #expect(JUnitReport(Sample.noData).text.contains("<error type=\"not tested\""))
    #expect(JUnitReport(Sample.invalid).text.contains("<error type=\"no data\""))
    var passed = Sample.noData
    passed.verdict = .pass
    #expect(JUnitReport(passed).text.contains("<skipped type=\"not tested\""))
  }

  @Test func `a failed run's cases read as this golden file says`() throws {
    try Golden.expect(JUnitReport(Sample.fail).text, is: "fail.junit.xml")
  }

  /// What xmllint says against it, empty when it is valid.
  private func validate(_ text: String) async throws -> String {
    let rules = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Schemas/jenkins-junit.rng")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-\(UUID().uuidString).xml")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let said = try await Command(Tool.xmllint.path, ["--noout", "--nonet", "--relaxng", rules.path, file.path]).run()
    return said.status == 0 ? "" : said.errors
  }
}
