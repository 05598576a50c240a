import MurphyModel
import MurphySchema

/// A URL in a response that clients can follow.
struct ResponseLink {
  /// `items.self`, or `Link rel=next`: equal for the same member of all responses.
  var member: String
  /// As the response contains it.
  var reference: String
  /// Nil for a `Link` header (RFC 8288).
  var place: JSONPointer?

  var isAbsolute: Bool { !reference.hasPrefix("/") }

  /// The links of a response. Of a list, only the first and the last item count.
  static func all(_ performed: CaseRunner.Performed) -> [ResponseLink] {
    guard let response = try? performed.ending.get() else { return [] }
    let fields = response.headers.filter { $0.name == "link" }.map(\.value)
    var links = WebLink.links(in: fields).map { link in
      ResponseLink(member: "Link rel=\(link.relations.first ?? "")", reference: link.target)
    }
    if let json = performed.json { collect(json, [], [], &links) }
    return links.filter { !$0.reference.contains("{") && $0.reference.utf8.count < 2_000 }
  }

  private static func collect(
    _ value: JSONValue, _ tokens: [String], _ names: [String], _ links: inout [ResponseLink]
  ) {
    switch value {
    case .string(let text):
      guard isLink(names), isReference(text) else { return }
      let place = JSONPointer(tokens: tokens)
      links.append(ResponseLink(member: names.joined(separator: "."), reference: text, place: place))
    case .array(let items):
      for index in Set([0, items.count - 1]).sorted() where items.indices.contains(index) {
        collect(items[index], tokens + ["\(index)"], names, &links)
      }
    case .object(let object) where tokens.count < deepest:
      for member in object.members { collect(member.value, tokens + [member.key], names + [member.key], &links) }
    default: break
    }
  }

  private static let deepest = 8

  /// True for members that contain URLs in common formats, such as HAL and JSON:API.
  private static func isLink(_ names: [String]) -> Bool {
    guard let name = names.last else { return false }
    if ["links", "_links"].contains(names.dropLast().last) || words.contains(name.lowercased()) { return true }
    return ["_url", "_uri", "Url", "Uri", "URL", "URI"].contains(where: name.hasSuffix)
  }

  private static let words: Set = ["href", "url", "uri", "self", "next", "prev", "previous", "first", "last"]

  private static func isReference(_ text: String) -> Bool {
    if text.hasPrefix("/") { return !text.hasPrefix("//") }
    return ["http://", "https://"].contains(where: text.lowercased().hasPrefix)
  }
}

/// The links that an exploration has read, and the items that it has deleted.
struct ReadLinks: Sendable {
  private struct Member: Hashable {
    var operation: Int
    var name: String
  }

  private var responses: [Int: Int] = [:]
  private var targets: [Member: Set<String>] = [:]
  private var count = 0
  private var deleted: Set<Substring> = []

  private static let mostResponses = 50
  private static let mostOfMember = 2
  private static let most = 200

  mutating func saw(_ performed: CaseRunner.Performed) {
    guard performed.request.method == "DELETE", performed.isSuccess else { return }
    deleted.insert(performed.request.target.prefix { $0 != "?" })
  }

  /// True if the links of one more response of the operation are examined.
  mutating func takeResponse(of operation: Int) -> Bool {
    responses[operation, default: 0] += 1
    return responses[operation, default: 0] <= Self.mostResponses && count < Self.most
  }

  /// True if the link is read: it is new, and explore has not deleted its resource.
  mutating func take(_ operation: Int, _ member: String, _ target: String) -> Bool {
    let member = Member(operation: operation, name: member)
    guard count < Self.most, targets[member, default: []].count < Self.mostOfMember, !isDeleted(target),
      targets[member, default: []].insert(target).inserted
    else { return false }
    count += 1
    return true
  }

  private func isDeleted(_ target: String) -> Bool {
    let path = target.prefix { $0 != "?" }
    return deleted.contains { path == $0 || path.hasPrefix($0 + "/") }
  }
}
