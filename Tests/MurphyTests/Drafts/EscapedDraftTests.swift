import Foundation
import Murphy
import TestSupport
import Testing

/// Texts of documents and recordings add no key, no line and no expression to a scenario.
@Suite(.serialized) struct EscapedDraftTests {
  static let texts = [
    "x\ntarget: http://evil.test\nsetup:\n  - call: a", "x\rclient: {}", "a # b", #"a" , x: "b"#, "it's 'it'",
    "${env(HOME)}", "$\u{7B}\u{301}env(HOME)}", "a\u{85}client: {}", "a\u{2028}setup: []", "a\u{2029}b",
    "nul\u{0}l", "e\u{301}\u{FE0F}", "\u{1B}[31m", "\u{FEFF}", "{{name}}", "- a: b", "&a *a !!str", "true", "~", ": ",
    "%",
  ]

  /// An OpenAPI document in which a text stands wherever a document has a text of its own.
  private static func document(_ text: String) -> String {
    let quoted = JSONValue.string(text).text
    let id = JSONValue.string("list " + text).text
    let parameter = JSONValue.string("p " + text).text
    return """
      {"openapi":"3.1.0","info":{"title":\(quoted),"version":"1","description":\(quoted)},
      "servers":[{"url":\(JSONValue.string("http://127.0.0.1:9/" + text).text),"description":\(quoted)}],
      "tags":[{"name":\(quoted)}],
      "paths":{"/things":{
        "get":{"operationId":\(id),"summary":\(quoted),"tags":[\(quoted)],
          "parameters":[{"name":\(parameter),"in":"query","required":true,"example":\(quoted),"schema":{"type":"string"}},
            {"name":"kind","in":"query","required":true,"schema":{"enum":[\(quoted)]}}],
          "responses":{"200":{"description":\(quoted)}}},
        "post":{"operationId":"addThing","description":\(quoted),"requestBody":{"required":true,"content":{
          "application/json":{"schema":{"type":"object","required":["name"],"properties":{
            "name":{"type":"string","example":\(quoted)}}}}}},
          "responses":{"201":{"description":\(quoted)}}}},
        "/others/{id}":{"get":{"operationId":"other","summary":\(quoted),
          "parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],
          "responses":{"200":{"description":\(quoted)}}}}}}
      """
  }

  private static func har(_ text: String) -> String {
    let quoted = JSONValue.string(text).text
    let body = JSONValue.string(#"{"name":\#(quoted)}"#).text
    return """
      {"log":{"pages":[{"title":\(quoted)}],"entries":[{"startedDateTime":"2026-01-01T00:00:00.000Z","time":1,
      "request":{"method":"POST","url":"http://127.0.0.1:9/things","bodySize":0,
        "headers":[{"name":\(JSONValue.string("X-" + text).text),"value":\(quoted)}],
        "postData":{"mimeType":"application/json","text":\(body)}},
      "response":{"status":201,"content":{"mimeType":"application/json","text":"{}"}}},
      {"startedDateTime":"2026-01-01T00:00:01.000Z","time":1,
      "request":{"method":\(JSONValue.string("GET" + text).text),"url":"http://127.0.0.1:9/x","headers":[],"bodySize":0},
      "response":{"status":200,"content":{"mimeType":"application/json","text":"{}"}}}]}}
      """
  }

  private static func postman(_ text: String) -> String {
    let quoted = JSONValue.string(text).text
    return """
      {"info":{"name":\(quoted)},"variable":[{"key":"x","value":\(quoted)}],"item":[{"name":\(quoted),"request":{
      "method":"POST","url":{"raw":"http://127.0.0.1:9/things","query":[{"key":\(quoted),"value":"$\\u007B\\u007Bx}}"}]},
      "header":[{"key":"X-A","value":"$\\u007B\\u007Bx}}"}],
      "body":{"mode":"formdata","formdata":[{"key":\(quoted),"type":"file","src":\(quoted)}]}}}]}
      """
  }

  private static func k6(_ text: String) -> String {
    let quoted = JSONValue.string(text).text
    return """
      import http from 'k6/http'
      import { group } from 'k6'
      export default function () {
        group(\(quoted), () => { http.post('http://127.0.0.1:9/things', JSON.stringify({ name: \(quoted) })) })
        unknown(\(quoted))
      }
      """
  }

  private static func jmeter(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\n" }
    let xml = scalars.map { "&#\($0.value);" }.joined()
    return """
      <jmeterTestPlan><hashTree><TestPlan testname="\(xml)"></TestPlan><hashTree>
      <ThreadGroup testname="\(xml)"></ThreadGroup><hashTree>
      <CSVDataSet testname="\(xml)"><stringProp name="filename">rows.csv</stringProp>
        <stringProp name="variableNames">\(xml),b</stringProp></CSVDataSet><hashTree/>
      <HTTPSamplerProxy testname="\(xml)"><stringProp name="HTTPSampler.domain">127.0.0.1</stringProp>
        <stringProp name="HTTPSampler.path">/things</stringProp><stringProp name="HTTPSampler.method">GET</stringProp>
        <elementProp name="HTTPsampler.Arguments"><collectionProp name="Arguments.arguments"><elementProp name="a">
          <stringProp name="Argument.name">\(xml)</stringProp><stringProp name="Argument.value">\(xml)</stringProp>
        </elementProp></collectionProp></elementProp></HTTPSamplerProxy><hashTree/>
      </hashTree></hashTree></hashTree></jmeterTestPlan>
      """
  }

  private static func arazzo(_ text: String) -> String {
    let quoted = JSONValue.string(text).text
    return """
      {"arazzo":"1.0.1","info":{"title":\(quoted),"version":"1"},"workflows":[{"workflowId":\(quoted),
      "inputs":{"properties":{"a":{"default":\(quoted)}}},"steps":[{"stepId":\(quoted),"operationId":"addThing",
      "requestBody":{"contentType":"application/json","payload":{"name":"$inputs.a","other":\(quoted)}},
      "successCriteria":[{"condition":\(quoted)}],"outputs":{"b":\(quoted)}}]}]}
      """
  }

  /// The keys of a scenario, and the keys of each step, without names and values that users give.
  private static func shape(_ file: String) throws -> [String] {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { line in
      line.firstMatch(of: /^( {0,4}- |[a-z])/) != nil && !line.hasPrefix("#")
    }
    return lines.compactMap { $0.firstMatch(of: /^ *-? *([a-z-]+):/).map { String($0.1) } }
  }

  /// What the language evaluates: a scenario without comments, names and escaped expressions.
  private static func values(_ scenario: String) -> String {
    let lines = scenario.split(separator: "\n").filter { line in
      !line.hasPrefix("#") && !line.hasPrefix("name:") && !line.contains("- group:") && !line.contains("- call: \"")
    }
    return lines.joined(separator: "\n").replacing("$${env(HOME)", with: "")
      .replacing(/"(?:[^"\\]|\\.)*":/, with: "name:")
  }

  private static func drafts(_ text: String, in folder: String) async throws -> [String: (Program.Outcome, [String])] {
    var drafts: [String: (Program.Outcome, [String])] = [:]
    let document = folder + "/api.json"
    try Self.document(text).write(toFile: document, atomically: true, encoding: .utf8)
    let sources = [
      "init": "", "har": har(text), "json": postman(text), "js": k6(text), "jmx": jmeter(text),
      "arazzo.json": arazzo(text),
    ]
    for (kind, source) in sources {
      let output = folder + "/\(kind).yaml"
      var arguments = ["init", document, "--writes", "-o", output, "--force"]
      if kind != "init" {
        try source.write(toFile: folder + "/file.\(kind)", atomically: true, encoding: .utf8)
        arguments = ["import", folder + "/file.\(kind)", "--openapi", document, "-o", output, "--force"]
      }
      let outcome = try await Program().run(arguments)
      drafts[kind] = (outcome, FileManager.default.fileExists(atPath: output) ? try shape(output) : [])
    }
    return drafts
  }

  @Test(arguments: texts) func `a text adds no key and no expression`(_ text: String) async throws {
    try await withTemporaryFolder { folder in
      let plain = try await Self.drafts("plain", in: folder)
      for (kind, draft) in try await Self.drafts(text, in: folder) {
        // `murphy check` may object to a name of the file itself; the draft is written and has nothing but its own keys.
        // The language evaluates no name: `murphy check` refuses one that looks like an expression.
        #expect(kind != "init" || text.contains("${") || draft.0.status == 0, "\(kind): \(draft.0.errors)")
        #expect(!draft.1.isEmpty, "\(kind): \(draft.0.errors)")
        #expect(draft.1 == plain[kind]?.1, "\(kind): \(draft.0.errors)")
        let written = try String(contentsOfFile: folder + "/\(kind).yaml", encoding: .utf8)
        #expect(!Self.values(written).contains("${env(HOME)"), "\(kind): \(Self.values(written))")
      }
    }
  }
}
