import MurphyModel
import MurphySchema

/// Detects that the exploring user's credentials stopped working. From some response on, all requests with them to
/// operations that had succeeded get 401 or 403.
///
/// A 403 response may also forbid only this item, or come from a limiter or a firewall. So it counts only without a
/// limiter's header, and only while no operation without credentials gets 403. More 403 responses of more operations
/// are required than 401 responses.
struct ExploreCredentials {
  /// The rejections that are required before credentials count as lost.
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
  ///   - isOwn: true if the request had the user's own credentials.
  ///   - isOpen: true if its operation needs none.
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
  /// The strings of fields with these names, at any depth.
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
