/// How to tell a limiter's refusal from every other answer.
public struct RefusalRule: Sendable, Hashable, Codable {
  public var status: Int
  /// A header that must be there with this value; the name in lower case.
  public var header: HeaderField?

  public init(status: Int, header: HeaderField? = nil) {
    self.status = status
    self.header = header
  }

  /// RFC 6585 §4.
  public static let tooManyRequests = RefusalRule(status: 429)
  /// GitHub's: 403 when nothing remains.
  public static let forbiddenWithoutRemaining = RefusalRule(
    status: 403, header: HeaderField("x-ratelimit-remaining", "0"))

  public func matches(status: Int, headers: [HeaderField]) -> Bool {
    guard status == self.status else { return false }
    guard let header else { return true }
    return headers.contains { $0.name == header.name && $0.value == header.value }
  }
}
