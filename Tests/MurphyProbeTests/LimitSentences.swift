import Foundation
import MurphyJudge
import MurphyModel
import MurphyProbe

/// What each sentence about a limit claims, checked against what the simulated API does. A sentence that none of the
/// patterns knows has no known truth, and that is a mistake, too.
struct LimitSentences {
  let truth: LimitTruth
  let declared: LimitPolicy?
  let log: LimitLog
  let report: ProbeReport

  private var isRejecting: Bool { log.observations.contains { $0.status == 429 } }
  private var rejectsOtherwise: Bool {
    declared.map { !truth.isOnly($0) || truth.earlier > 0 || (truth.countsFailed && $0.counts.failed == .no) } ?? false
  }
  private var admitsOtherwise: Bool { declared.map { !truth.holds($0) } ?? false }
  private var isOneKnownKind: Bool { truth.limits.count == 1 && truth.earlier == 0 && !truth.trustsForwarded }

  /// Nil where the sentence is true.
  func falsehood(_ sentence: String) -> String? {
    var isKnown = false
    for (pattern, isTrue) in claims {
      guard let match = sentence.firstMatch(of: pattern) else { continue }
      isKnown = true
      let groups = match.output.dropFirst().map { $0.substring.map(String.init) ?? "" }
      if !isTrue(groups) { return "false: \(sentence)" }
    }
    return isKnown ? nil : "no truth is known for: \(sentence)"
  }

  private typealias Claim = (Regex<AnyRegexOutput>, ([String]) -> Bool)

  private func claim(_ pattern: String, _ isTrue: @escaping ([String]) -> Bool) -> Claim {
    // The patterns are literals of this file.
    (try! Regex(pattern), isTrue)
  }

  private var claims: [Claim] { terms + keys + comparisons + plain + proofs + headers }

  private var terms: [Claim] {
    [
      claim(
        #"^\w+: (.+), (?:burst )?(.+?)(?: per (.+) s|, then (.+)/s); probability .* among"#
      ) {
        groups in matches(groups)
      },
      claim("no data. The most probable of the six known kinds is") { _ in true },
      claim("^declared: .*; measured: ") { _ in rejectsOtherwise },
    ]
  }

  /// Whether the terms told are those of one of the limits.
  private func matches(_ groups: [String]) -> Bool {
    truth.limits.contains { limit in
      let name = limit.countsRefused ? ProbeHypothesis.logCountingRefused.text : limit.algorithm.text
      let (allowance, rate) = (Double(limit.allowance), Double(limit.allowance) / limit.window)
      return name == groups[0] && Self.holds(groups[1], allowance, digits: 0)
        && (groups[3].isEmpty ? Self.holds(groups[2], limit.window) : Self.holds(groups[3], rate))
    }
  }

  /// Whether a printed number or interval is true of a value: `10` with its rounding, `9.3 to 10.7`, `at least 9.3`.
  ///
  /// - Parameter digits: those that a single number has at least; 0 for a number that is not rounded.
  private static func holds(_ text: String, _ value: Double, digits: Int = 2) -> Bool {
    let least = text.hasPrefix("at least ")
    let ends = (least ? String(text.dropFirst(9)) : text).components(separatedBy: " to ").compactMap(Double.init)
    guard let low = ends.first, let high = ends.last else { return false }
    let rounding = ends.count == 1 && !least && digits > 0 ? 0.5 * pow(10, log10(low).rounded(.down) - 1) : 0
    return low - rounding - 1e-9 <= value && (least || value <= high + rounding + 1e-9)
  }

  private var keys: [Claim] {
    func name(_ text: String) -> String {
      text.hasSuffix("(device header)") || text.lowercased() == "x-device-id" ? "device header" : text
    }
    return [
      claim(#"^[Aa]nother (.+?) is admitted (?:when|after) the quota is used up"#) {
        truth.separates(name($0[0])).some
      },
      claim(#"^After the quota is used up, (?:a request|requests) with another (.+?) (?:is|are) admitted"#) {
        truth.separates(name($0[0])).some
      },
      claim(#"^After the quota is used up, a request with another (.+) is rejected too"#) {
        !truth.separates(name($0[0])).all
      },
      claim(#"^After the quota is used up, a request with a spoofed (.+) is admitted"#) {
        truth.separates(name($0[0])).some
      },
      claim(#"^another (.+) is rejected after the quota is used up"#) { !truth.separates(name($0[0])).all },
      claim(#"^[Aa] (?:request with a )?spoofed (.+) is admitted (?:when|after) the quota is used up"#) {
        truth.separates(name($0[0])).some
      },
      claim("^It is unknown whether .+ is part of the key:") { _ in true },
      claim("another declared limit explains the responses as well") { _ in truth.limits.count > 1 },
    ]
  }

  private var comparisons: [Claim] {
    [
      claim("^The declared limit is confirmed:") { _ in !admitsOtherwise },
      claim("fit this limit, but do not confirm it") { _ in true },
      claim("probably wrong, but this is not proven") { _ in rejectsOtherwise },
      claim("[Tt]he key differs") { _ in admitsOtherwise || truth.limits.count > 1 },
      claim("^The declared limit is .*, but the limiter admitted more requests") { _ in admitsOtherwise },
      claim("^The declared limit is .*, but the limiter rejected requests that this limit admits") { _ in
        rejectsOtherwise
      },
      claim("no limiter with this policy would make the observed decisions") { _ in rejectsOtherwise },
      claim("rejected requests (consume|use) quota") { _ in truth.limits.contains(where: \.countsRefused) },
      claim("[Mm]alformed requests (consume|use) quota") { _ in truth.countsFailed },
      claim("^Malformed requests do not use quota") { _ in !truth.countsFailed },
      claim("no request was rejected.$") { _ in !isRejecting },
    ]
  }

  private var plain: [Claim] {
    [
      claim(#"^(\d+) requests? of one burst"#) { groups in
        isRejecting && Int(groups[0])! <= log.observations.count { $0.status < 400 }
      },
      claim(#"^None of \d+ responses within .* had the status of a rejection"#) { _ in !isRejecting },
      claim(#"none of \d+ responses had the status of a rejection"#) { _ in !isRejecting },
      claim(#"^\d+ responses had status \d+\. If the limiter rejects"#) { _ in !isRejecting },
      claim("^The (kind|result|window|quota) is uncertain|^The result is not confirmed") { _ in true },
      claim("^None of the six known limiter kinds") { _ in !isOneKnownKind },
      claim("^Another declared limit .* may have caused every rejection") { _ in truth.limits.count > 1 },
      claim("^The limit was not tested: no request was rejected") { _ in true },
      claim("^No request succeeded") { _ in !log.observations.contains { $0.status < 400 } },
      claim("^In a new window, .* no more than the measured limit allows") { _ in true },
      claim(
        "^(In a new window, .* more than the quota|The limiter admits \\d+ requests one after|\\d+ sequential requests"
          + "|concurrent requests exceeded)"
      ) { _ in
        admitsOtherwise
      },
      claim("was not finished:") { _ in true },
      claim("^The window was not measured") { _ in true },
      claim("^In .* murphy's requests were up to .* late") { _ in true },
      claim("^Murphy sent all \\d+ allowed requests|Then the time limit of .* ended") { _ in true },
      claim(#"^\d+ of the six|^The user interrupted the measurement"#) { _ in true },
      claim(#"^The limiter delays requests"#) { _ in false },
      claim("rejections have status 503") { _ in false },
    ]
  }

  /// Of the judge, about the log.
  private var proofs: [Claim] {
    [
      claim(#"admitted [\d,]+ requests,? .*(more than|admits fewer)"#) { _ in admitsOtherwise },
      claim("rejected a request after .* counted requests?") { _ in rejectsOtherwise },
      claim(#"rejected [\d,]+ requests, although .* admits at least one of them"#) { _ in rejectsOtherwise },
      claim("admitted and rejected requests in a way that") { _ in rejectsOtherwise },
      claim("explains the responses, but a count by .* does not") { _ in rejectsOtherwise },
      claim("^(Seen|Checked|Not tested|Failed|No data):") { _ in true },
    ]
  }

  /// The headers of these servers are honest about the limit that is nearest to rejecting: only an undeclared limit can
  /// make them look otherwise.
  private var headers: [Claim] {
    [
      claim(#"says that the limit is (\d+);"#) { $0[0] != declared.map { String($0.allowance) } },
      claim(#"says that the limit is (\d+) or (\d+), by the response;"#) { groups in
        groups.allSatisfy { text in truth.limits.contains { String($0.allowance) == text } }
      },
      claim("A rejection does not say when to retry") { _ in truth.tells == .nothing },
      claim("^RateLimit-Policy declares") { _ in
        [.standard, .partitioned].contains(truth.tells)
          && declared.map { declared in
            truth.limits.allSatisfy { declared.allowance != $0.allowance || declared.window.inSeconds != $0.window }
          } == true
      },
      claim("remain(s|ed)? for key") { _ in rejectsOtherwise },
      claim("longer than the whole window of") { _ in rejectsOtherwise },
      claim("said to wait") { _ in rejectsOtherwise },
      claim("announce times that differ by") { _ in rejectsOtherwise },
      claim("at the declared rate a token returns") { _ in rejectsOtherwise },
    ]
  }
}
