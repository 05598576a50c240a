import MurphySchema

/// The harness protocol of Bowtie (https://docs.bowtie.report/en/stable/implementers/), version 1, as a pure function of
/// the lines so far: `start`, `dialect`, `run`, `stop`.
package struct BowtieHarness: Sendable {
  /// The action for one line.
  package enum Reply: Sendable, Hashable {
    /// One line of JSON for standard output.
    case line(String)
    /// The session is over; nothing is printed.
    case stop
    /// The line is not a command of the protocol: a sentence for standard error.
    case failure(String)
  }

  private let version: String
  private let homepage: String
  private var hasStarted = false
  private var dialect = Dialect.draft202012

  /// - Parameters:
  ///   - version: of the implementation, for Bowtie's report.
  ///   - homepage: the URL of the source repository; issues are under it.
  package init(version: String, homepage: String) {
    self.version = version
    self.homepage = homepage
  }

  /// The response to one line of standard input.
  package mutating func reply(to line: String) -> Reply {
    let command: JSONValue
    do throws(JSONError) {
      command = try JSONValue.parse(line)
    } catch {
      return .failure("bowtie: the line is not JSON: \(error)")
    }
    switch command["cmd"]?.string {
    case "start": return start(command)
    case "dialect" where hasStarted: return speak(command)
    case "run" where hasStarted: return .line(run(command).text)
    case "stop" where hasStarted: return .stop
    case "dialect", "run", "stop": return .failure("bowtie: the first command must be start")
    default:
      return .failure("bowtie: \(command["cmd"]?.text ?? line) is not a command; expected start, dialect, run or stop")
    }
  }

  private mutating func start(_ command: JSONValue) -> Reply {
    guard command["version"]?.int == 1 else {
      return .failure("bowtie: protocol version \(command["version"]?.text ?? "none") is not supported; expected 1")
    }
    hasStarted = true
    // Newest first, as Bowtie lists them.
    let dialects = [Dialect.draft202012, .draft201909, .draft7, .draft6, .draft4]
    let implementation: JSONValue = [
      "language": "swift", "name": "murphy", "version": .string(version),
      "homepage": .string(homepage), "issues": .string(homepage + "/issues"), "source": .string(homepage),
      "dialects": .array(dialects.map { .string($0.bowtieURI) }),
    ]
    return .line((["version": 1, "implementation": implementation] as JSONValue).text)
  }

  private mutating func speak(_ command: JSONValue) -> Reply {
    guard let uri = command["dialect"]?.string, let known = Dialect(uri: uri) else {
      return .line((["ok": false] as JSONValue).text)
    }
    dialect = known
    return .line((["ok": true] as JSONValue).text)
  }

  private func run(_ command: JSONValue) -> JSONValue {
    let sequence = command["seq"] ?? .null
    guard let test = command["case"], let value = test["schema"] else {
      return ["seq": sequence, "errored": true, "context": ["message": "the case has no schema"]]
    }
    let registry = test["registry"]?.object ?? JSONObject()
    let schema: Schema
    do throws(SchemaError) {
      schema = try Schema(value, dialect: dialect, uri: "bowtie:case", loader: { registry[$0] ?? registry[$0 + "#"] })
    } catch {
      return ["seq": sequence, "errored": true, "context": ["message": .string(error.description)]]
    }
    let results = (test["tests"]?.array ?? []).map { test -> JSONValue in
      switch schema.verdict(test["instance"] ?? .null) {
      case .valid: ["valid": true]
      case .invalid: ["valid": false]
      case .unchecked(let reason): ["errored": true, "context": ["message": .string(reason)]]
      }
    }
    return ["seq": sequence, "results": .array(results)]
  }
}

extension Dialect {
  /// The dialect as Bowtie writes it: the old drafts with their empty fragment.
  fileprivate var bowtieURI: String { generation <= 7 ? rawValue + "#" : rawValue }
}
