import MurphyModel

/// Counts responses of one operation that violate general rules of HTTP, which do not depend on the contract.
///
/// One pass over the headers of a response. Allocates only on the first violation of a rule under a status.
final class ProtocolDeviations {
  enum Rule: Int, Sendable, Codable, CaseIterable {
    /// 405 without `Allow` (RFC 9110 §15.5.6).
    case missingAllow
    /// 401 without `WWW-Authenticate` (RFC 9110 §15.5.2).
    case missingChallenge
    /// A response from 200 to 499 without `Date`, from a server whose other responses have one (RFC 9110 §6.6.1).
    case missingDate
    /// 204 with `Content-Length` (RFC 9110 §8.6).
    case lengthOfNothing
    /// `Access-Control-Allow-Origin: *` together with `Access-Control-Allow-Credentials: true` (Fetch §3.2.5).
    case openCredentials
    /// Compressed content that caches may keep, without `Vary: Accept-Encoding` (RFC 9110 §12.5.5).
    case unvariedCoding
    /// The same strong `ETag` for two different contents of one resource (RFC 9110 §8.8.1).
    case sharedTag
    /// A different `ETag` for the same content of the same resource.
    case restlessTag
  }

  /// The number of violations of a rule under one status.
  struct Deviation: Sendable, Codable {
    let rule: Rule
    let status: Int
    /// The offending value, or the request that shows the violation.
    var example: String
    var responses = 0
  }

  private(set) var deviations: [Deviation] = []
  /// True if any response had a `Date`.
  private(set) var hasDates = false
  private let tags = EntityTags()
  /// Responses so far, of any status.
  private(set) var responses = 0

  func observe(_ response: ResponseView, method: String) {
    responses += 1
    let fields = Fields(response.fields)
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
    if let known = deviations.firstIndex(where: { $0.rule == rule && $0.status == status }) {
      deviations[known].responses += 1
    } else if deviations.count < 40 {
      deviations.append(Deviation(rule: rule, status: status, example: example(), responses: 1))
    }
  }

  /// The headers that the rules need.
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

    init(_ table: FieldTable) {
      hasAllow = table.has(.allow)
      hasChallenge = table.has(.wwwAuthenticate)
      hasDate = table.has(.date)
      guard table.known & Self.read != 0 else { return }
      for line in table.lines {
        switch FieldName(rawValue: line.number) {
        case .etag: tag = line.value
        case .vary:
          variesByCoding =
            variesByCoding || ASCIICase.holds(line.value, "accept-encoding") || ASCIICase.holds(line.value, "*")
        case .cacheControl:
          forbidsCaches =
            forbidsCaches || ASCIICase.holds(line.value, "no-store") || ASCIICase.holds(line.value, "private")
        case .contentLength: length = line.value
        case .contentEncoding: isCompressed = !ASCIICase.matches(line.value, "identity")
        case .accessControlAllowOrigin: allowsAnyOrigin = ASCIICase.matches(line.value, "*")
        case .accessControlAllowCredentials: allowsCredentials = ASCIICase.matches(line.value, "true")
        default: break
        }
      }
    }

    /// The bits of the headers whose values are needed.
    private static let read =
      FieldName.etag.bit | FieldName.vary.bit | FieldName.cacheControl.bit | FieldName.contentLength.bit
      | FieldName.contentEncoding.bit | FieldName.accessControlAllowOrigin.bit
      | FieldName.accessControlAllowCredentials.bit
  }
}

/// Compares the entity tags of one operation's responses with their contents, for a sample.
final class EntityTags {
  private struct Seen {
    let tag: [UInt8]
    let content: Int
  }

  private var seen: [String: Seen] = [:]
  private var responses = 0
  private static let targetsKept = 200
  /// All of the first responses are compared, then one in 64: hashing a body costs as much as validating it.
  private static let firstResponses = 300

  /// - Returns: the rule that this response violates, compared with an earlier one to the same target.
  func observe(_ tag: UnsafeRawBufferPointer, _ response: ResponseView) -> ProtocolDeviations.Rule? {
    responses += 1
    guard !response.target.isEmpty, responses <= Self.firstResponses || responses.isMultiple(of: 64) else { return nil }
    guard let known = seen[response.target] else {
      if seen.count < Self.targetsKept {
        seen[response.target] = Seen(tag: Array(tag), content: Self.hash(response.body))
      }
      return nil
    }
    let isSame = known.tag.elementsEqual(tag)
    let content = Self.hash(response.body)
    if isSame == (known.content == content) { return nil }
    if isSame { return tag.first == UInt8(ascii: "\"") ? .sharedTag : nil }
    return .restlessTag
  }

  private static func hash(_ body: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: body)
    return hasher.finalize()
  }
}
