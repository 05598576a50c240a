import Foundation
import MurphyJudge
import MurphyModel
import Simulation

/// A limiter that reports its state in the headers of one family, and clients that share one key.
struct HeaderWorld {
  /// The families of headers.
  enum Family: String, CaseIterable, Sendable {
    case draft10, policies, partition, draft7, draft6, gitLab, gitHub, discord, openAI, kong, hyphenated, shopify
    case anthropic, envoy, azure, onlyWait

    /// Those that announce `remaining` as a number that a server must keep.
    static let counting: [Family] = [
      .draft7, .draft6, .gitLab, .gitHub, .discord, .openAI, .kong, .hyphenated, .shopify, .anthropic, .envoy,
    ]
  }

  enum Lie: String, CaseIterable, Sendable {
    case moreRemains, neverDecreases, pastReset, milliseconds, otherLimit

    /// The families that can tell it.
    var families: [Family] {
      switch self {
      case .moreRemains, .neverDecreases: Family.counting
      case .pastReset: [.gitLab, .gitHub, .discord, .hyphenated, .anthropic]
      case .milliseconds: [.draft10, .policies, .partition, .draft7, .draft6, .gitLab, .gitHub, .envoy, .kong]
      case .otherLimit: Family.counting + [.draft10, .policies, .partition]
      }
    }

    /// The findings that show it.
    var kinds: Set<FindingKind> {
      switch self {
      case .moreRemains: [.limitRemainingTooHigh, .limitRemainingImpossible]
      case .neverDecreases: [.limitRemainingRepeats, .limitRemainingTooHigh]
      case .pastReset: [.limitResetImplausible]
      case .milliseconds: [.limitResetImplausible, .limitHeaderSyntax]
      case .otherLimit: [.limitHeaderContradictsPolicy]
      }
    }
  }

  var algorithm: LimitAlgorithm
  var allowance: Int
  /// Whole seconds.
  var window: Int
  var family: Family
  var lie: Lie?
  /// The resolution of the server's clock, seconds.
  var tick = 0.001
  /// The median of a delay each way, seconds.
  var delay = 0.01
  /// True if the server reads the numbers for its headers some time after its decision.
  var isLate = false

  var policy: LimitPolicy {
    HonestyTests.policy(algorithm, allowance, Double(window), tick: tick)
  }

  private struct Ride {
    var sent: Double
    var decided: Double
    var written: Double
    var settled: Double
    var isAdmitted = false
    var headers: [HeaderField] = []
  }

  /// Three bursts of concurrent requests, with pauses of about a window.
  func log(_ random: inout RandomSource) -> LimitLog {
    var rides: [Ride] = []
    var moment = random.uniform(1, 2)
    for _ in 0..<3 {
      for _ in 0..<(allowance + 3) {
        let decided = moment + delay * exp(0.5 * random.normal())
        let written = decided + (isLate ? delay * random.unit() : 0)
        rides.append(
          Ride(sent: moment, decided: decided, written: written, settled: written + delay * exp(0.5 * random.normal())))
        moment += random.unit() < 0.5 ? random.uniform(0, delay) : random.uniform(0, 0.1 * Double(window))
      }
      moment += random.uniform(0.1, 1.4) * Double(window)
    }
    let phase = (random.uniform(0, Double(window)) / tick).rounded(.down) * tick
    let offset = random.unit()
    var limiter = LimiterModel(algorithm, allowance: allowance, window: Double(window), phase: phase)
    let acts = rides.indices.flatMap { [(rides[$0].decided, 0, $0), (rides[$0].written, 1, $0)] }
    for (time, act, index) in acts.sorted(by: { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }) {
      let now = ((time + offset) / tick).rounded(.down) * tick
      if act == 0 {
        rides[index].isAdmitted = limiter.admits(at: now)
      } else {
        rides[index].headers = headers(limiter, now, time + offset, rides[index].isAdmitted, index)
      }
    }
    var builder = LogBuilder()
    for ride in rides { builder.add(ride.sent, ride.settled, ride.isAdmitted ? 200 : 429, headers: ride.headers) }
    return builder.log
  }

  /// - Parameter time: the exact time, from which the server writes `Date`.
  private func headers(
    _ limiter: LimiterModel, _ now: Double, _ time: Double, _ isAdmitted: Bool, _ number: Int
  ) -> [HeaderField] {
    var drained = limiter
    var remaining = 0
    while drained.admits(at: now) { remaining += 1 }
    var reset = drained.release(after: now) - now
    // A sliding counter admits below the limit, so not yet when its estimate reaches it.
    let wait = max(0, limiter.release(after: now) - now + (algorithm == .slidingCounter ? 1e-6 : 0))
    if isAdmitted, lie == .moreRemains { remaining += 2 }
    if isAdmitted, lie == .neverDecreases { remaining = allowance - 1 }
    if lie == .pastReset { reset -= 100 }
    let limit = lie == .otherLimit ? 2 * allowance : allowance
    let said = state(
      limit: limit, remaining: remaining, reset: lie == .milliseconds ? reset * 1000 : reset, now: now, number)
    return [("date", CivilTime(secondsSince1970: 1_800_000_000 + Int(time)).imfFixdate)].fields + said.fields
      + (isAdmitted ? [] : [("retry-after", "\(Int(wait.rounded(.up)))")].fields)
  }

  private func state(limit: Int, remaining: Int, reset: Double, now: Double, _ number: Int) -> [(String, String)] {
    let seconds = Int(reset.rounded(.up))
    let epoch = 1_800_000_000 + now + reset
    func numbers(_ prefix: String, _ reset: String) -> [(String, String)] {
      [(prefix + "limit", "\(limit)"), (prefix + "remaining", "\(remaining)"), (prefix + "reset", reset)]
    }
    let quota = "\"votes\";q=\(limit);w=\(window)"
    let left = "\"votes\";r=\(remaining);t=\(seconds)"
    switch family {
    case .draft10: return [("ratelimit-policy", quota), ("ratelimit", left)]
    case .policies:
      return [
        ("ratelimit-policy", quota + ", \"daily\";q=90000;w=86400"),
        ("ratelimit", left + ", \"daily\";r=\(80_000 - number)"),
      ]
    case .partition: return [("ratelimit-policy", quota + ";pk=:YWJj:"), ("ratelimit", left + ";pk=:YWJj:")]
    case .draft7:
      return [
        ("ratelimit-policy", "\(limit);w=\(window)"),
        ("ratelimit", "limit=\(limit), remaining=\(remaining), reset=\(seconds)"),
      ]
    case .draft6: return numbers("ratelimit-", "\(seconds)")
    case .gitLab: return numbers("ratelimit-", "\(Int(epoch.rounded(.up)))") + [("ratelimit-observed", "1")]
    case .gitHub, .hyphenated:
      let value = lie == .milliseconds ? "\(seconds)" : "\(Int(epoch.rounded(.up)))"
      return numbers(family == .gitHub ? "x-ratelimit-" : "x-rate-limit-", value)
        + (family == .gitHub ? [("x-ratelimit-resource", "core"), ("x-ratelimit-used", "\(limit - remaining)")] : [])
    case .discord:
      return numbers("x-ratelimit-", "\(epoch)") + [
        ("x-ratelimit-reset-after", "\(max(reset, 0))"), ("x-ratelimit-bucket", "abcd1234"),
      ]
    case .openAI:
      return [
        ("x-ratelimit-limit-requests", "\(limit)"), ("x-ratelimit-remaining-requests", "\(remaining)"),
        ("x-ratelimit-reset-requests", "\(seconds / 60)m\(seconds % 60)s"), ("x-ratelimit-limit-tokens", "90000"),
        ("x-ratelimit-remaining-tokens", "\(80_000 - 7 * number)"), ("x-ratelimit-reset-tokens", "1s"),
      ]
    case .kong:
      return numbers("ratelimit-", "\(seconds)") + [
        ("x-ratelimit-limit-minute", "\(limit)"), ("x-ratelimit-remaining-minute", "\(remaining)"),
        ("x-ratelimit-limit-hour", "9000"), ("x-ratelimit-remaining-hour", "\(8000 - number)"),
      ]
    case .shopify: return [("x-shopify-shop-api-call-limit", "\(limit - remaining)/\(limit)")]
    case .anthropic:
      let time = CivilTime(secondsSince1970: Int(epoch.rounded(.up)))
      return numbers("anthropic-ratelimit-requests-", "\(time.date)T\(time.time)Z")
    case .envoy:
      return [
        ("x-ratelimit-limit", "\(limit), \(limit);w=\(window)"), ("x-ratelimit-remaining", "\(remaining)"),
        ("x-ratelimit-reset", "\(seconds)"),
      ]
    case .azure: return [("x-ms-ratelimit-remaining-subscription-reads", "\(remaining)")]
    case .onlyWait: return []
    }
  }
}

extension [(String, String)] {
  fileprivate var fields: [HeaderField] { map { HeaderField($0.0, $0.1) } }
}
