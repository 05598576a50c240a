import MurphyModel
import MurphyReport
import MurphySchema
import Testing

@Suite("SARIF report")
struct SARIFReportTests {
  @Test func `a failed run reads as this golden file says`() throws {
    try Golden.expect(SARIFReport(Sample.fail).text, is: "fail.sarif")
  }

  @Test func `every report has what SARIF 2.1.0 requires, and its references hold`() throws {
    for (name, result) in Sample.all {
      let log = try JSONValue.parse(SARIFReport(result).text)
      let which = Comment(rawValue: name)
      #expect(log["version"]?.string == "2.1.0", which)
      let run = try #require(log["runs"]?[0])
      let driver = try #require(run["tool"]?["driver"])
      #expect(driver["name"]?.string == "murphy", which)
      let rules = try #require(driver["rules"]?.array).compactMap { $0["id"]?.string }
      #expect(Set(rules).count == rules.count, which)
      let results = try #require(run["results"]?.array)
      #expect(results.count == result.findings.count, which)
      for (entry, finding) in zip(results, result.findings) {
        try expectResult(entry, finding, rules, which)
      }
    }
  }

  private func expectResult(_ entry: JSONValue, _ finding: Finding, _ rules: [String], _ which: Comment) throws {
    #expect(rules[try #require(entry["ruleIndex"]?.int)] == entry["ruleId"]?.string, which)
    #expect(["error", "warning", "note"].contains(entry["level"]?.string), which)
    #expect(entry["message"]?["text"]?.string?.isEmpty == false, which)
    #expect(entry["partialFingerprints"]?["murphyFinding/v1"]?.string == finding.fingerprint, which)
    let place = try #require(entry["locations"]?[0]?["physicalLocation"])
    #expect(try #require(place["region"]?["startLine"]?.int) >= 1, which)
    let uri = try #require(place["artifactLocation"]?["uri"]?.string)
    #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3C && $0 != 0x22 }, which)
  }

  @Test func `a contract finding points at the line of the OpenAPI document`() throws {
    let place = try JSONValue.parse(SARIFReport(Sample.fail).text)["runs"]?[0]?["results"]?[0]?["locations"]?[0]?[
      "physicalLocation"]
    #expect(place?["artifactLocation"]?["uri"]?.string == "scenarios/murphys-laws/openapi.yaml")
    #expect(place?["region"]?["startLine"]?.int == 214)
  }
}
