import Foundation
import MurphyJudge
import MurphyModel
import Testing

/// Header values that a hostile server may send: no reader and no judge of them may end the process.
@Suite struct HostileHeaderTests {
  /// Values read, by all readers together; `MURPHY_FUZZ=10000000` for a long run.
  static let inputs = ProcessInfo.processInfo.environment["MURPHY_FUZZ"].flatMap { Int($0) } ?? 1_000_000
  private static let readers = 7

  private static let pieces = [
    "9223372036854775807", "-9223372036854775808", "99999999999999999999", "999999999999999", "1e308", "1e999", "nan",
    "inf",
    "0", "1", "-1", "60", "0x10", "1.5", "Fri, 31 Dec 9999 23:59:59 GMT", "Sun Nov  6 08:49:37 1994",
    "Sunday, 06-Nov-94 08:49:37 GMT", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00+99:99", "-0001-01-01T00:00:00Z", ";",
    ",",
    "=", "\"", "q", "w", "r", "t", "limit", "remaining", "reset", ";q=", ";w=", ";r=", ";t=", "@", "?1", ":", " ", "\t",
    "é",
    "%", "é-é-éTé:é:é", ".", "-", "6m0s", "12ms", "32/40", "/", "pk=:YWJj:", ";qu=\"content-bytes\"", "\"a\"",
  ]

  private static let names = [
    "date", "retry-after", "ratelimit", "ratelimit-policy", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset",
    "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-reset-after", "content-type",
    "ratelimit-observed", "ratelimit-resettime", "x-ratelimit-limit-minute", "x-ratelimit-remaining-minute",
    "x-ratelimit-reset-tokens", "x-ratelimit-bucket", "x-ratelimit-scope", "x-ms-ratelimit-remaining-resource",
    "x-ms-retry-after-ms", "anthropic-ratelimit-requests-remaining", "x-shopify-shop-api-call-limit",
    "stripe-rate-limited-reason",
  ]

  private static func value(_ random: inout RandomSource) -> String {
    var text = (0..<Int(random.next() % 5)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
    if random.next() % 4 == 0, !text.isEmpty {
      var scalars = Array(text.unicodeScalars)
      scalars[Int(random.next() % UInt64(scalars.count))] = Unicode.Scalar(UInt8(random.next() & 0x7F))
      text = String(String.UnicodeScalarView(scalars))
    }
    return text
  }

  @Test func `no header value ends the process`() {
    let seed = UInt64.random(in: 1...1 << 40)
    print("header readers: seed \(seed)")
    var random = RandomSource(seed: seed)
    var understood = 0
    for _ in 0..<(Self.inputs / Self.readers) {
      let value = Self.value(&random)
      let name = Self.names[Int(random.next() % UInt64(Self.names.count))]
      let answer = LimitResponse([HeaderField(name, value)])
      understood += answer.statements.count + answer.quotas.count
      if RetryAfter(value) != nil { understood += 1 }
      if let seconds = HTTPDate.seconds(value) { #expect(seconds.isFinite, "seed \(seed): \(value)") }
      if let seconds = HTTPDate.seconds(iso: value) { #expect(seconds.isFinite, "seed \(seed): \(value)") }
      _ = try? StructuredField.list(value)
      _ = try? StructuredField.dictionary(value)
      _ = Duration.saturating(seconds: Double(value) ?? 0).text
    }
    #expect(understood > 0)
  }

  @Test func `no log of such headers ends the judge`() {
    let seed = UInt64.random(in: 1...1 << 40)
    print("limit judge: seed \(seed)")
    var random = RandomSource(seed: seed)
    let algorithms: [LimitAlgorithm] = [.fixed, .fixedAligned, .slidingLog, .slidingCounter, .tokenBucket, .any]
    for round in 0..<300 {
      var log = LimitLog(start: Instant(nanoseconds: 0))
      log.operations = ["vote"]
      log.identities = [ClientIdentity(sourceAddress: "", headers: [])]
      let type = "\"type\": \"https://iana.org/assignments/http-problem-types#quota-exceeded\""
      log.bodies = ["{\"retry_after\": \(Self.value(&random)), \(type), \"violated-policies\": \(Self.value(&random))}"]
      for index in 0..<8 {
        log.headerSets.append(
          (0..<4).map { _ in
            HeaderField(Self.names[Int(random.next() % UInt64(Self.names.count))], Self.value(&random))
          })
        let sent = Instant(nanoseconds: Int64(index) * 1_000_000_000)
        log.observations.append(
          LimitObservation(
            operation: 0, identity: 0, sent: sent, answered: sent + 1_000_000, status: index < 4 ? 200 : 429,
            headers: Int32(index), body: index < 4 ? -1 : 0))
      }
      let policy = LimitPolicy(
        name: "vote", operations: ["vote"], algorithm: algorithms[round % algorithms.count], allowance: 4,
        window: .seconds(60), key: .sourceAddress)
      let judged = LimitJudge.judge(log: log, policies: [policy], options: LimitJudgeOptions())
      #expect(!judged.rows.isEmpty, "seed \(seed) \(round)")
    }
  }
}
