import Foundation
import MurphyModel
import Testing

/// Numbers, sizes, times and dates of options that no machine holds: each ends with a sentence or is taken, and none ends the
/// process.
@Suite(.serialized) struct HostileOptionTests {
  private static let values = [
    "0", "-1", "NaN", "inf", "-inf", "1e308", "1e400", "-1e308", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "18446744073709551615", "9999999999999999999s", "9999999999999999999d", "0.0000001",
    "9999999999999999999h", "9999999999999999999%", "9999999999999999999GiB", "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00Z", "2262-04-12T00:00:00+23:59", "-999-01-01T00:00:00Z", "9999999999999999999/s",
    "9223372036854775807 users", "1/9999999999999999999", "0.000000001s", "",
  ]

  private static let options = [
    "run": ["start-at", "seed", "salt", "duration", "users", "iterations", "loops", "load", "shard"],
    "try": ["seed", "salt", "max-seconds"],
    "capacity": ["from", "max", "at-least", "seed", "loops", "max-seconds", "window"],
    "limits": ["seed", "max-seconds", "max-requests"], "explore": ["seed", "max-seconds", "timeout", "max-requests"],
    "record": ["max-seconds", "timeout"], "selfcheck": ["loops", "seed"],
  ]

  private static func outcome(_ verb: String, _ option: String, _ value: String) async throws -> Program.Outcome {
    let scenarios = "\(Repository.scenarios)"
    let subject =
      switch verb {
      case "record", "selfcheck": [String]()
      case "explore": ["\(scenarios)/openapi.yaml"]
      default: ["\(scenarios)/smoke.yaml"]
      }
    var arguments = [verb] + subject + ["--\(option)=\(value)"]
    if verb != "selfcheck" { arguments += ["--target", "http://127.0.0.1:1"] }
    if option == "start-at" { arguments += ["--shard", "1/2", "--seed", "1"] }
    // What is taken may last: the end is then an interruption.
    return try await Program().run(arguments, interruptAfter: .seconds(4), limit: 60)
  }

  @Test func `no option ends the process`() async throws {
    var random = RandomSource(seed: 29)
    var cases = Self.values.filter { $0.contains("T") }.map { ("run", "start-at", $0) }
    let verbs = Self.options.keys.sorted()
    for _ in 0..<60 {
      let verb = verbs[random.index(below: verbs.count)]
      let options = try #require(Self.options[verb])
      cases.append(
        (verb, options[random.index(below: options.count)], Self.values[random.index(below: Self.values.count)]))
    }
    for (verb, option, value) in cases {
      let outcome = try await Self.outcome(verb, option, value)
      let text = outcome.output + outcome.errors
      #expect(
        !text.contains("murphy crashed") && outcome.status < 128, "\(verb) --\(option)=\(value): \(text.prefix(500))")
      #expect(!text.contains("Unknown option"), "\(verb) --\(option)")
    }
  }

  @Test func `a start beyond all clocks is rejected with what is expected`() async throws {
    let outcome = try await Self.outcome("run", "start-at", "9999-12-31T23:59:59Z")
    #expect(outcome.status == 2)
    #expect((outcome.output + outcome.errors).contains("from 1678 to 2261"))
  }

  @Test(arguments: [["--baseline", "base"], ["--fail-on-unchecked"], ["--update-baseline"], ["--otlp=0"]])
  func `a shard rejects the options of a whole run`(_ options: [String]) async throws {
    let outcome = try await Program().run(
      ["run", "\(Repository.scenarios)/smoke.yaml", "--shard", "1/2", "--seed", "1"] + options)
    #expect(outcome.status == 2)
    #expect((outcome.output + outcome.errors).contains("\(options[0].prefix { $0 != "=" }) requires a whole run"))
  }
}
