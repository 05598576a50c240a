import MurphyModel
import MurphySchema

/// Whether the credentials of the user who explores still work: from some response on, all requests with them to
/// operations that had succeeded are answered 401 or 403.
///
/// A response 403 may also forbid this one thing, or come from a limiter or a firewall. So it counts only without a limiter's
/// header, while no operation that needs no credentials is answered 403, and more
/// responses of more operations have to be 403.
struct ExploreCredentials {
  /// What has to come of rejections before credentials count as lost.
  private struct Bar {
    var responses: Int
    var operations: Int

    static let unauthorized = Self(responses: 20, operations: 2)
    static let forbidden = Self(responses: 40, operations: 3)
  }

  private var works: Set<Int> = []
  private var rejected: Set<Int> = []
  private var rejections = 0
  private var forbidden = 0
  private var first = 0.0

  /// Nil while they work.
  private(set) var lost: LostCredentials?

  /// - Parameters:
  ///   - isOwn: whether the request had the user's own credentials.
  ///   - isOpen: whether its operation needs none.
  mutating func saw(_ performed: CaseRunner.Performed, isOwn: Bool, isOpen: Bool) {
    guard lost == nil else { return }
    if isOpen, performed.status == 403 { forget() }
    guard isOwn else { return }
    let operation = performed.call.operation
    switch performed.status {
    case 401: reject(operation, at: performed.sent, isForbidden: false)
    case 403:
      let headers = (try? performed.ending.get())?.headers ?? []
      guard !headers.contains(where: { FieldNames.concernsLimits($0.name) }) else { return }
      reject(operation, at: performed.sent, isForbidden: true)
    // Bad requests may be rejected before the server checks credentials.
    case 200..<300:
      works.insert(operation)
      forget()
    default: break
    }
  }

  private mutating func forget() { (rejections, forbidden, rejected) = (0, 0, []) }

  private mutating func reject(_ operation: Int, at sent: Double, isForbidden: Bool) {
    guard works.contains(operation) else { return }
    if rejections == 0 { first = sent }
    rejections += 1
    if isForbidden { forbidden += 1 }
    rejected.insert(operation)
    let bar = forbidden > 0 ? Bar.forbidden : .unauthorized
    guard rejections >= bar.responses, rejected.count >= bar.operations else { return }
    lost = LostCredentials(
      at: (first * 1e3).rounded(.down) / 1e3, rejections: rejections, forbidden: forbidden > 0 ? forbidden : nil)
  }
}

extension JSONValue {
  /// The texts of members with these names, at any depth.
  func texts(of names: Set<String>) -> [String] {
    switch self {
    case .object(let object):
      object.members.flatMap { member -> [String] in
        if names.contains(member.key), let text = member.value.string, text.utf8.count >= 8 { return [text] }
        return member.value.texts(of: names)
      }
    case .array(let items): items.prefix(100).flatMap { $0.texts(of: names) }
    default: []
    }
  }
}
