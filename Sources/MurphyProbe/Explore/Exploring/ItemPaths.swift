import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

/// The paths of the items of an API. The path of an item follows from its own template, which may end with a slash or a
/// suffix. It may be shorter than the path of the operation that creates the item.
struct ItemPaths: Sendable {
  /// The template of the items that an operation lists or creates.
  private struct Template {
    /// Cut at slashes; empty parts stay.
    var parts: [Substring]
    /// The number of segments that it shares with the operation's own path.
    var shared: Int
    var parameter: String
  }

  /// Templates of items one segment below the operation's path.
  private var own: [Int: Template] = [:]
  /// Templates of items below an earlier part of its path: `/sets/{id}` for `/sets/upload`.
  private var outer: [Int: Template] = [:]
  private let matcher: OperationMatcher

  init(_ contract: Contract, _ shapes: [PathShape]) {
    matcher = OperationMatcher(contract)
    var items: [[String]: (template: Template, rank: Int)] = [:]
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      guard let rank = Self.methods.firstIndex(of: operation.method), let last = shapes[index].segments.last,
        let parameter = shapes[index].parameters.last?.name,
        last.split(separator: "{}", omittingEmptySubsequences: false).count == 2
      else { continue }
      let collection = Array(shapes[index].segments.dropLast())
      guard rank < items[collection]?.rank ?? .max else { continue }
      let parts = operation.path.split(separator: "/", omittingEmptySubsequences: false)
      items[collection] = (Template(parts: parts, shared: collection.count, parameter: parameter), rank)
    }
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      let segments = shapes[index].segments
      own[index] = items[segments]?.template
      guard own[index] == nil, operation.method == "POST" else { continue }
      // The items in its own path are not created by it.
      let last = segments.lastIndex { $0.contains("{}") } ?? 0
      let prefixes = stride(from: segments.count - 1, to: last, by: -1).map { Array(segments[..<$0]) }
      outer[index] = prefixes.lazy.compactMap { items[$0]?.template }.first
    }
  }

  /// By how reliably they identify the path of an item.
  private static let methods = ["DELETE", "GET", "PUT", "PATCH"]

  /// True if there are items one segment below the operation's path.
  func isCollection(_ operation: Int) -> Bool { own[operation] != nil }

  /// The path of an item that an operation lists or creates, percent-encoded; nil if the contract has none.
  ///
  /// - Parameter path: of the request to the operation.
  func path(_ id: JSONValue, _ operation: Int, at path: Substring) -> String? {
    own[operation].map { Self.path(id, $0, at: path) }
  }

  private static func path(_ id: JSONValue, _ template: Template, at path: Substring) -> String {
    var given = path.split(separator: "/").prefix(template.shared)
    let name = PercentEncoding.encode(id.string ?? id.text, keepingReserved: false)
    return template.parts.map { part in
      if part.isEmpty { return "" }
      if let known = given.popFirst() { return String(known) }
      return String(part).replacingScalars("{\(template.parameter)}", with: name)
    }.joined(separator: "/")
  }

  /// The path in `Location`, if an operation deletes such items; without the path of the server.
  func location(of answer: ClientResponse) -> String? {
    guard let location = answer.header("location")?.prefix(while: { $0 != "?" && $0 != "#" }) else { return nil }
    let path = location.firstRange(of: "://").map { location[$0.upperBound...].drop { $0 != "/" } } ?? location
    guard path.hasPrefix("/"), let match = matcher.match("DELETE", String(path)) else { return nil }
    return String(path.dropFirst(match.base.count))
  }

  /// The item that a response names as a field of another item: `dataset_id` for an item of `/datasets`.
  func outerPath(in json: JSONValue, _ operation: Int, at path: Substring, sent body: JSONValue?) -> String? {
    guard let template = outer[operation] else { return nil }
    let noun = template.parts.last { !$0.isEmpty && !$0.contains("{") }.map {
      DraftNames.plain(DraftNames.singular(String($0)))
    }
    func find(_ value: JSONValue, _ depth: Int) -> JSONValue? {
      guard depth < 3, case .object(let object) = value else { return nil }
      let own = object.members.first { member in
        (member.key == template.parameter && member.key != "id")
          || (BodyNames.isReference(member.key) && BodyNames.noun(member.key) == noun)
      }
      if let value = own?.value, value.string != nil || value.int != nil { return value }
      return object.members.lazy.compactMap { find($0.value, depth + 1) }.first
    }
    guard let id = find(json, 0), body?.text.contains(id.text) != true else { return nil }
    return Self.path(id, template, at: path)
  }
}
