/// Counts the answers of one operation that break rules of HTTP which hold for every API, whatever its contract says.
///
/// One pass over the field lines of an answer; allocates when a rule is broken for the first time under a status.
final class ProtocolSlips {
  enum Rule: Int, Sendable, CaseIterable {
    /// 405 without `Allow` (RFC 9110 §15.5.6).
    case missingAllow
    /// 401 without `WWW-Authenticate` (RFC 9110 §15.5.2).
    case missingChallenge
    /// An answer from 200 to 499 without `Date`, of a server that has a clock, as its other answers show (RFC 9110 §6.6.1).
    case missingDate
    /// 204 with `Content-Length` (RFC 9110 §8.6).
    case lengthOfNothing
    /// `Access-Control-Allow-Origin: *` beside `Access-Control-Allow-Credentials: true` (Fetch §3.2.5).
    case openCredentials
    /// Compressed content that caches may keep, without `Vary: Accept-Encoding` (RFC 9110 §12.5.5).
    case unvariedCoding
    /// One strong `ETag` for two contents of one resource (RFC 9110 §8.8.1).
    case sharedTag
    /// Another `ETag` for the same content of the same resource.
    case restlessTag
  }

  /// How often a rule was broken under one status.
  struct Slip: Sendable {
    let rule: Rule
    let status: Int
    /// What was sent, or where it was seen.
    let example: String
    var answers = 0
  }

  private(set) var slips: [Slip] = []
  /// Whether some answer had a `Date`.
  private(set) var hasDates = false
  private let tags = EntityTags()
  /// Answers so far, whatever their status.
  private(set) var answers = 0

  func observe(_ response: ResponseView, method: String) {
    answers += 1
    let fields = Fields(HeaderBlock(response.headerBlock))
    let status = response.status
    hasDates = hasDates || fields.hasDate
    if status == 405, !fields.hasAllow { count(.missingAllow, status) }
    if status == 401, !fields.hasChallenge { count(.missingChallenge, status) }
    if (200..<500).contains(status), !fields.hasDate { count(.missingDate, status) }
    if status == 204, let length = fields.length {
      count(.lengthOfNothing, status, "Content-Length: " + ResponseJudge.shortened(length))
    }
    if fields.allowsAnyOrigin, fields.allowsCredentials { count(.openCredentials, status) }
    guard method == "GET", status == 200, !response.bodyIncomplete else { return }
    if fields.isCompressed, !fields.variesByCoding, !fields.forbidsCaches { count(.unvariedCoding, status) }
    if let tag = fields.tag, let rule = tags.observe(tag, response) {
      count(rule, status, response.target + " with ETag " + ResponseJudge.shortened(tag))
    }
  }

  private func count(_ rule: Rule, _ status: Int, _ example: @autoclosure () -> String = "") {
    if let known = slips.firstIndex(where: { $0.rule == rule && $0.status == status }) {
      slips[known].answers += 1
    } else if slips.count < 40 {
      slips.append(Slip(rule: rule, status: status, example: example(), answers: 1))
    }
  }

  /// The field lines that the rules ask for.
  private struct Fields {
    var hasAllow = false
    var hasChallenge = false
    var hasDate = false
    var allowsAnyOrigin = false
    var allowsCredentials = false
    var isCompressed = false
    var variesByCoding = false
    var forbidsCaches = false
    var length: UnsafeRawBufferPointer?
    var tag: UnsafeRawBufferPointer?

    init(_ block: HeaderBlock) {
      var offset = 0
      while let line = block.next(&offset) {
        // Names of equal length are rare, so the length tells most of them apart.
        switch line.name.count {
        case 4:
          if HeaderBlock.matches(line.name, Names.date) { hasDate = true }
          if HeaderBlock.matches(line.name, Names.etag) { tag = line.value }
          if HeaderBlock.matches(line.name, Names.vary) {
            variesByCoding = variesByCoding || line.value.has(Names.acceptEncoding) || line.value.has(Names.star)
          }
        case 5: if HeaderBlock.matches(line.name, Names.allow) { hasAllow = true }
        case 13:
          if HeaderBlock.matches(line.name, Names.cacheControl) {
            forbidsCaches = forbidsCaches || line.value.has(Names.noStore) || line.value.has(Names.priv)
          }
        case 14: if HeaderBlock.matches(line.name, Names.contentLength) { length = line.value }
        case 16:
          if HeaderBlock.matches(line.name, Names.contentEncoding) {
            isCompressed = !HeaderBlock.matches(line.value, Names.identity)
          }
          if HeaderBlock.matches(line.name, Names.authenticate) { hasChallenge = true }
        case 27:
          if HeaderBlock.matches(line.name, Names.allowOrigin) {
            allowsAnyOrigin = HeaderBlock.matches(line.value, Names.star)
          }
        case 32:
          if HeaderBlock.matches(line.name, Names.allowCredentials) {
            allowsCredentials = HeaderBlock.matches(line.value, Names.yes)
          }
        default: break
        }
      }
    }
  }

  private enum Names {
    static let date = Array("date".utf8)
    static let etag = Array("etag".utf8)
    static let vary = Array("vary".utf8)
    static let allow = Array("allow".utf8)
    static let cacheControl = Array("cache-control".utf8)
    static let contentLength = Array("content-length".utf8)
    static let contentEncoding = Array("content-encoding".utf8)
    static let authenticate = Array("www-authenticate".utf8)
    static let allowOrigin = Array("access-control-allow-origin".utf8)
    static let allowCredentials = Array("access-control-allow-credentials".utf8)
    static let acceptEncoding = Array("accept-encoding".utf8)
    static let noStore = Array("no-store".utf8)
    static let priv = Array("private".utf8)
    static let identity = Array("identity".utf8)
    static let yes = Array("true".utf8)
    static let star = Array("*".utf8)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it has the word anywhere, whatever the case of ASCII letters.
  fileprivate func has(_ word: [UInt8]) -> Bool {
    guard count >= word.count else { return false }
    return (0...(count - word.count)).contains { start in
      HeaderBlock.matches(UnsafeRawBufferPointer(rebasing: self[start..<(start + word.count)]), word)
    }
  }
}
