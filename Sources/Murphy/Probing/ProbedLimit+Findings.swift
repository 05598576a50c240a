import Foundation
import MurphyJudge
import MurphyModel

extension ProbedLimit {
  /// What the probe itself proves against the promise, beside what the limit judge finds in the log.
  static func findings(_ report: ProbeReport, _ policy: LimitPolicy?, _ answers: ProbeAnswers) -> [Finding] {
    func finding(_ kind: String, _ message: String, _ details: [String] = []) -> Finding {
      Finding(
        kind: "limit.\(kind)", severity: .error, operation: report.operation, message: message, details: details,
        discriminator: kind)
    }
    var findings: [Finding] = []
    for key in report.keys where key.bypasses {
      findings.append(
        finding(
          "bypass.\(slug(key.dimension))",
          "a made-up \(key.dimension) gets a fresh allowance: anybody can walk around the limiter",
          ["Believe \(key.dimension) only from proxies of your own, or count by something that clients cannot choose."])
      )
    }
    if let policy {
      for key in report.keys where !key.bypasses {
        if let mistake = mistake(in: key, of: policy.key) {
          findings.append(finding("key.\(slug(key.dimension))", mistake))
        }
      }
      if report.agreesWithDeclared == false, let found = report.text {
        findings.append(finding("terms", "declared is \(policy.text), found was \(found)"))
      }
      if report.outcome == .unlimited {
        findings.append(
          finding("unlimited", "declared is \(policy.text), and none of \(report.requests) requests was refused"))
      }
      if report.countsRefused == true, policy.counts.refused == .no {
        findings.append(finding("counts-refused", "refused requests take from the allowance, and are promised not to"))
      }
      if report.countsFailed == true, policy.counts.failed == .no {
        findings.append(finding("counts-failed", "failed requests take from the allowance, and are promised not to"))
      }
      if answers.unavailable > 0, !policy.refusals.contains(where: { $0.status == 503 }) {
        findings.append(
          finding("wrong-status", "refusals have status 503; 429 is what clients understand (RFC 6585 §4)"))
      }
    }
    if let excess = report.raceExcess, excess > 0 {
      findings.append(
        finding(
          "race",
          "requests that come together got \(excess) more than the allowance: checking and counting are not one step"))
    }
    return findings
  }

  /// Nil when what was found of one dimension is what the key promises, or cannot be told.
  private static func mistake(in found: ProbeReport.KeyFinding, of key: LimitKey) -> String? {
    guard let separates = found.separates, let dimension = ProbeVariant.Dimension(rawValue: found.dimension) else {
      return nil
    }
    let isPromised: Bool
    switch dimension {
    case .sourceAddress: isPromised = key.parts.contains(.sourceAddress)
    case .token: isPromised = key.parts.contains(.token)
    case .device: isPromised = key.parts.contains { if case .header = $0 { true } else { false } }
    case .route, .query, .method: isPromised = false
    case .forwardedFor, .realIP, .forwarded: return nil
    }
    guard separates != isPromised else { return nil }
    // A key of several parts separates by each of them; a global counter by none.
    return separates
      ? "another \(found.dimension) gets an allowance of its own, and the promised key is \(key.text)"
      : "another \(found.dimension) gets no allowance of its own, and the promised key is \(key.text)"
  }

  /// `x-forwarded-for`
  static func slug(_ dimension: String) -> String { dimension.lowercased().replacing(" ", with: "-") }
}

extension ProbeReport {
  /// What was found, in a few words; nil when nothing was.
  var text: String? {
    guard let best = candidates.first, let allowance, let window else { return nil }
    let terms =
      best.algorithm == LimitAlgorithm.tokenBucket.text
      ? "burst \(Int(allowance.value)) at \(Rate(perSecond: rate ?? 0).text)"
      : "\(Int(allowance.value)) per \(Duration.seconds(threeDigits(window.value)).text)"
    return "\(terms), \(best.algorithm)"
  }

  /// More is not known of a window.
  private func threeDigits(_ seconds: Double) -> Double {
    guard seconds > 0 else { return 0 }
    let step = Foundation.pow(10, (Foundation.log10(seconds)).rounded(.down) - 2)
    return (seconds / step).rounded() * step
  }
}
