import Foundation
import Murphy
import TestSupport
import Testing

/// `murphy import` of test plans of JMeter: the scenario sends the same requests, and says what it could not take over.
@Suite struct JMeterImportTests {
  private static let contract = "\(Repository.scenarios)/openapi.yaml"

  /// A property of text.
  private static func text(_ name: String, _ value: String) -> String {
    #"<stringProp name="\#(name)">\#(value)</stringProp>"#
  }

  private static func argument(_ name: String, _ value: String) -> String {
    #"<elementProp name="\#(name)" elementType="HTTPArgument">\#(text("Argument.name", name))\#(text("Argument.value", value))</elementProp>"#
  }

  private static func sampler(
    _ name: String, _ method: String, _ path: String, _ arguments: String = "", raw: Bool = false, below: String = "",
    domain: String = ""
  ) -> String {
    """
    <HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="\(name)" enabled="true">
      <boolProp name="HTTPSampler.postBodyRaw">\(raw)</boolProp>\(domain.isEmpty ? "" : text("HTTPSampler.domain", domain))
      <elementProp name="HTTPsampler.Arguments" elementType="Arguments"><collectionProp name="Arguments.arguments">\(arguments)</collectionProp></elementProp>
      \(text("HTTPSampler.path", path))\(text("HTTPSampler.method", method))
    </HTTPSamplerProxy><hashTree>\(below)</hashTree>
    """
  }

  private static func plan(_ inner: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3"><hashTree>
      <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Laws" enabled="true">
        <elementProp name="TestPlan.user_defined_variables" elementType="Arguments"><collectionProp name="Arguments.arguments">
          \(argument("HOST", "laws.test"))\(argument("PREFIX", "/api/v1"))\(argument("apiToken", "hush-token"))
        </collectionProp></elementProp>
      </TestPlan><hashTree>
        <ConfigTestElement guiclass="HttpDefaultsGui" testclass="ConfigTestElement" testname="Defaults">
          \(text("HTTPSampler.domain", "${HOST}"))\(text("HTTPSampler.protocol", "https"))
        </ConfigTestElement><hashTree/>
        <HeaderManager testname="Headers"><collectionProp name="HeaderManager.headers">
          <elementProp name="" elementType="Header">\(text("Header.name", "Content-Type"))\(text("Header.value", "application/json"))</elementProp>
          <elementProp name="" elementType="Header">\(text("Header.name", "X-Trace"))\(text("Header.value", "${__UUID()}"))</elementProp>
          <elementProp name="" elementType="Header">\(text("Header.name", "X-Api-Token"))\(text("Header.value", "${apiToken}"))</elementProp>
        </collectionProp></HeaderManager><hashTree/>
        \(inner)
        <ResultCollector testname="Tree"/><hashTree/>
      </hashTree></hashTree></jmeterTestPlan>
    """
  }

  private static func threads(_ name: String, _ users: String, ramp: Int, duration: Int, _ inner: String) -> String {
    """
    <ThreadGroup testname="\(name)"><elementProp name="ThreadGroup.main_controller" elementType="LoopController">
      <boolProp name="LoopController.continue_forever">false</boolProp><intProp name="LoopController.loops">-1</intProp></elementProp>
      \(text("ThreadGroup.num_threads", users))\(text("ThreadGroup.ramp_time", "\(ramp)"))\(text("ThreadGroup.duration", "\(duration)"))
      <boolProp name="ThreadGroup.scheduler">\(duration > 0)</boolProp></ThreadGroup><hashTree>\(inner)</hashTree>
    """
  }

  private static let extractor = """
    <JSONPostProcessor testname="law">\(text("JSONPostProcessor.referenceNames", "lawId;all"))\(text("JSONPostProcessor.jsonPathExprs", "$.data[0].id;$.data[*].id"))\(text("JSONPostProcessor.match_numbers", "1;0"))</JSONPostProcessor><hashTree/>
    """
  private static let gone = """
    <ResponseAssertion testname="gone"><collectionProp name="Asserion.test_strings"><stringProp name="49586">404</stringProp></collectionProp>\(text("Assertion.test_field", "Assertion.response_code"))<intProp name="Assertion.test_type">8</intProp></ResponseAssertion><hashTree/>
    """

  private static func imported(_ plan: String, _ body: (String, Program.Outcome, String) async throws -> Void)
    async throws
  {
    try await withTemporaryFolder { folder in
      try plan.write(toFile: folder + "/laws.jmx", atomically: true, encoding: .utf8)
      try "word,kind\ntoast,up\n".write(toFile: folder + "/words.csv", atomically: true, encoding: .utf8)
      let outcome = try await Program().run([
        "import", folder + "/laws.jmx", "--openapi", contract, "--target", "embedded:murphys-laws", "--operation",
        "voteLaw", "-o",
        folder + "/out.yaml",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      try await body(try String(contentsOfFile: folder + "/out.yaml", encoding: .utf8), outcome, folder + "/out.yaml")
    }
  }

  @Test func `a test plan becomes a scenario`() async throws {
    let voter = Self.threads(
      "Voters", "${__P(users,3)}", ramp: 2, duration: 30,
      """
      <UniformRandomTimer testname="pause">\(Self.text("ConstantTimer.delay", "100"))\(Self.text("RandomTimer.range", "200.0"))</UniformRandomTimer><hashTree/>
      <CSVDataSet testname="Words">\(Self.text("filename", "words.csv"))\(Self.text("variableNames", "word,kind"))\(Self.text("delimiter", ","))<boolProp name="ignoreFirstLine">true</boolProp></CSVDataSet><hashTree/>
      \(Self.sampler("search", "GET", "${PREFIX}/laws?sort=score", Self.argument("q", "${word}") + Self.argument("limit", "5"), below: Self.extractor))
      <TransactionController testname="Vote"/><hashTree>
        <LoopController testname="twice">\(Self.text("LoopController.loops", "2"))</LoopController><hashTree>
          \(Self.sampler("vote", "POST", "${PREFIX}/laws/${lawId}/vote", Self.argument("", "{&quot;vote_type&quot;: &quot;${kind}&quot;}"), raw: true))
        </hashTree>
        \(Self.sampler("open", "GET", "${PREFIX}/laws/${all}"))
      </hashTree>
      <IfController testname="only sometimes"/><hashTree>
        \(Self.sampler("none", "GET", "${PREFIX}/laws/999999", below: Self.gone))
      </hashTree>
      <JSR223PreProcessor testname="script"/><hashTree/>
      """)
    let reader = Self.threads(
      "Readers", "1", ramp: 0, duration: 30,
      Self.sampler("list", "GET", "/api/v1/categories") + Self.sampler("ad", "GET", "/x", domain: "ads.test")
        + Self.sampler("off", "GET", "/y").replacing("enabled=\"true\"", with: "enabled=\"false\""))
    try await Self.imported(Self.plan(voter + reader)) { text, outcome, output in
      for line in [
        "feeds:\n  words: { file: \"words.csv\" }", "  Voters:\n    share: 3\n", "  Readers:\n    share: 1\n",
        "- think: 100ms..300ms", #"query: { sort: "score", q: "${words.word}", limit: 5 }"#,
        #"save: { lawId: "$.data[0].id", allList: "$.data[*].id" }"#, #"- set: { all: "${pick(allList)}" }"#,
        "- group: Vote", "- repeat: 2", #"path: { id: "${lawId}" }"#, #"path: { id: "${all}" }"#,
        #"body: {"vote_type":"${words.kind}"}"#, #"X-Trace: "${uuid()}""#, #"X-Api-Token: "${env(MURPHY_"#,
        "expect: { status: [2XX, 404] }", "- call: listCategories", "- { users: 0..4, for: 2s }",
        "- { users: 4, for: 28s }",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(!text.contains("hush"), "\(text)")
      for reason in [
        "only sometimes: the logic of the IfController", "script: murphy has no equivalent of JSR223PreProcessor",
        "ad: it is sent to https://ads.test", "off: it is disabled", "the ramps, durations and loops",
      ] { #expect(outcome.errors.contains("left out: \(reason)"), "\(reason)\n\(outcome.errors)") }
      let secrets = Set(text.matches(of: /env\((MURPHY_[A-Z_]+)\)/).map { String($0.1) })
      let said = try await Program().run(
        ["try", output, "--brief"], environment: Dictionary(uniqueKeysWithValues: secrets.map { ($0, "none") }))
      #expect(said.status == 0, "\(said.output)\(said.errors)")
      let sent = said.output.matches(of: /→ ([A-Z]+) http:\/\/[0-9.:]+(\S+)/).map {
        "\($0.1) \($0.2)".replacing(/laws\/[0-9]+/, with: "laws/N")
      }
      #expect(
        sent == [
          "GET /api/v1/laws?sort=score&q=toast&limit=5", "POST /api/v1/laws/N/vote", "POST /api/v1/laws/N/vote",
          "GET /api/v1/laws/N", "GET /api/v1/laws/N", "GET /api/v1/categories",
        ], "\(said.output)")
    }
  }

  @Test func `patterns for members of JSON become queries`() async throws {
    let regex = """
      <RegexExtractor testname="id">\(Self.text("RegexExtractor.refname", "found"))\(Self.text("RegexExtractor.regex", "&quot;id&quot;:\\s*(\\d+)"))\(Self.text("RegexExtractor.match_number", "2"))\(Self.text("RegexExtractor.default", "none"))</RegexExtractor><hashTree/>
      <RegexExtractor testname="title">\(Self.text("RegexExtractor.refname", "t"))\(Self.text("RegexExtractor.regex", "&lt;h1&gt;(.*)&lt;/h1&gt;"))</RegexExtractor><hashTree/>
      <JSONPathAssertion testname="total">\(Self.text("JSON_PATH", "$.limit"))\(Self.text("EXPECTED_VALUE", "5"))<boolProp name="JSONVALIDATION">true</boolProp></JSONPathAssertion><hashTree/>
      """
    let group = Self.threads(
      "One", "2", ramp: 0, duration: 0,
      Self.sampler("list", "GET", "/api/v1/laws", Self.argument("limit", "5"), below: regex)
        + Self.sampler("open", "GET", "/api/v1/laws/${found}")
    ).replacing(">-1<", with: ">7<")
    try await Self.imported(Self.plan(group)) { text, outcome, output in
      for line in [
        #"save: { foundList: { path: "$..id", default: null } }"#, #"- set: { found: "${foundList[1]}" }"#,
        #"expect: { body: { "$.limit": { equals: 5 } } }"#,
        "load:\n  iterations: 7\n  stages:\n    - { users: 2, for: 3600s }",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(outcome.errors.contains("left out: list: title; its pattern does not select a field of a JSON document"))
      let secrets = Set(text.matches(of: /env\((MURPHY_[A-Z_]+)\)/).map { String($0.1) })
      let said = try await Program().run(
        ["try", output, "--brief"], environment: Dictionary(uniqueKeysWithValues: secrets.map { ($0, "none") }))
      #expect(
        said.status == 0 && said.output.contains(/→ GET \S+\/api\/v1\/laws\/[0-9]+/), "\(said.output)\(said.errors)")
    }
  }

  @Test(arguments: [
    ("<jmeterTestPlan>", "laws.jmx:1:"), ("<plan/>", "<plan> is not a JMeter test plan"),
    ("<jmeterTestPlan/>", "contains no request"), (plan(""), "contains no request"),
    (String(repeating: "<a>", count: 5000), "laws.jmx"),
    ("<!DOCTYPE a [<!ENTITY b SYSTEM '/etc/passwd'>]><a>&b;</a>", "laws.jmx"),
  ])
  func `what is no plan is rejected with a sentence`(text: String, words: String) async throws {
    try await withTemporaryFolder { folder in
      try text.write(toFile: folder + "/laws.jmx", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        ["import", folder + "/laws.jmx", "--openapi", Self.contract, "-o", folder + "/out.yaml"])
      #expect(outcome.status == 2 && outcome.errors.contains(words), "\(outcome.status) \(outcome.errors)")
      #expect(!outcome.errors.contains("root:") && !FileManager.default.fileExists(atPath: folder + "/out.yaml"))
    }
  }
}
