import Foundation
import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphySchema

/// The items in responses of lists and creations. They show that a creation returned an existing item.
struct KnownThings: Sendable {
  private let makers: [Int: ProducerIndex.Producer]
  private let items: Set<Int>
  private let paths: ItemPaths
  /// Fields that may identify an item, by the POST of its collection.
  private let names: [Int: [String]]
  private var lists: [Int: JSONPointer]
  /// Fields that may identify an item, by the GET of a collection for which the document describes none.
  private let undescribed: [Int: [String]]
  /// By operation that the document does not describe: the name of the first item of a list, or of the created item.
  private(set) var learned: [Int: JSONPointer] = [:]
  /// Operations with a path that ends with a verb for a creation: `/sets/upload`.
  private let uploads: Set<Int>
  /// A POST at the path of an item, which may create it.
  private let named: Set<Int>
  /// Paths of items, each with the time of the response that named it first.
  private var known: [String: Duration] = [:]
  /// By list operation: the items of its first response, those with the most values first. An item without a value of a
  /// field cannot be used for operations that need the field.
  private(set) var fullest: [Int: [Int]] = [:]
  private static let most = 100_000
  private static let mostRanked = 20

  init(_ contract: Contract) {
    let index = ProducerIndex(contract)
    makers = Dictionary(index.makers.values.map { ($0.operation, $0) }, uniquingKeysWith: { first, _ in first })
    let paths = ItemPaths(contract, index.shapes)
    self.paths = paths
    items = Set(index.shapes.indices.filter { index.shapes[$0].isItem && contract.operations[$0].method == "GET" })
    names = Dictionary(
      uniqueKeysWithValues: contract.operations.indices.filter {
        contract.operations[$0].method == "POST"
          && (paths.isCollection($0) || index.hasItems(below: index.shapes[$0].segments))
      }.map { post in (post, index.names(ofItemsBelow: index.shapes[post].segments)) })
    uploads = Set(
      index.shapes.indices.filter { ["upload", "create", "add", "new"].contains(index.shapes[$0].segments.last ?? "") })
    named = Set(index.shapes.indices.filter { index.shapes[$0].isItem && contract.operations[$0].method == "POST" })
    lists = Dictionary(
      index.lists.values.compactMap { list in
        guard case .body(let pointer) = list.place else { return nil }
        return (list.operation, pointer)
      }, uniquingKeysWith: { first, _ in first })
    undescribed = Dictionary(
      uniqueKeysWithValues: contract.operations.indices.filter {
        contract.operations[$0].method == "GET" && contract.operations[$0].isDocumented
          && index.lists[index.shapes[$0].segments] == nil && index.hasItems(below: index.shapes[$0].segments)
      }.map { list in (list, index.names(ofItemsBelow: index.shapes[list].segments)) })
  }

  func creates(_ operation: Int) -> Bool { makers[operation] != nil }
  func isCollection(_ operation: Int) -> Bool { paths.isCollection(operation) }
  /// True if the contract has a path for the items that an operation creates.
  func hasItems(_ operation: Int) -> Bool { paths.hasItems(operation) }
  /// True if a POST of the operation may create an item.
  func mayCreate(_ operation: Int) -> Bool {
    creates(operation) || isCollection(operation) || uploads.contains(operation)
  }

  /// True if a response names an item by `Location`, which the contract can delete.
  func locates(_ performed: CaseRunner.Performed) -> Bool {
    (try? performed.ending.get()).map { paths.location(of: $0) != nil } ?? false
  }

  /// Records the items that a response names.
  ///
  /// - Returns: true if the request succeeded as a creation but its response names an item that was known before. The
  ///   second value has the percent-encoded paths of the items that it has created.
  mutating func saw(_ performed: CaseRunner.Performed) -> (isExisting: Bool, created: [String]) {
    let operation = performed.call.operation
    guard performed.isSuccess, performed.call.method == nil, let response = try? performed.ending.get(),
      known.count < Self.most
    else { return (false, []) }
    let path = performed.request.target.prefix { $0 != "?" }
    let end = performed.sent + performed.took
    func isNew(_ path: some StringProtocol) -> Bool {
      known.updateValue(min(known[String(path)] ?? end, end), forKey: String(path)) == nil
    }
    switch performed.request.method {
    case "DELETE": known[String(path)] = nil
    case "GET":
      if items.contains(operation) { _ = isNew(path) }
      if lists[operation] == nil, let names = undescribed[operation],
        let place = performed.json.flatMap({ ListedNames(names).place(in: $0) })
      {
        (lists[operation], learned[operation]) = (place, place)
      }
      let items = items(performed, operation)
      if !items.isEmpty, fullest[operation] == nil { fullest[operation] = Self.ranked(items.prefix(Self.mostRanked)) }
      for path in listed(items, operation, path) { _ = isNew(path) }
    case "PUT":
      // A PUT to an unused name creates the item with that name, and a 201 confirms it (RFC 9110 §15.3.2).
      let isNew = isNew(path)
      if performed.createsName || (performed.status == 201 && isNew) { return (false, [String(path)]) }
    case "POST" where self.named.contains(operation) && performed.createsName:
      return isNew(path) ? (false, [String(path)]) : (true, [])
    case "POST":
      if performed.status == 201, makers[operation] == nil, let names = names[operation] {
        learned[operation] = learned[operation] ?? performed.json.flatMap { ListedNames(names).place(ofCreated: $0) }
      }
      let named = named(performed, response, operation, path)
      // Another explorer may have seen the item in a list before the response to its creation.
      let new = named.filter { isNew($0) || performed.status == 201 && known[$0, default: .zero] > performed.sent }
      // 201 means that an item was created (RFC 9110 §15.3.2). Any other status may refer to an existing item with the
      // same name.
      let isNew = performed.status == 201 || performed.isFresh
      guard !named.isEmpty else { return (false, []) }
      return new.isEmpty || !isNew || performed.namesAnother ? (true, []) : (false, new)
    default: break
    }
    return (false, [])
  }

  private func items(_ performed: CaseRunner.Performed, _ operation: Int) -> [JSONValue] {
    guard let place = lists[operation], let tokens = Self.item(place), let json = performed.json else { return [] }
    return JSONPointer(tokens: tokens.list).resolve(in: json)?.array ?? []
  }

  /// The indices of the items, those with the most values first, then by position.
  private static func ranked(_ items: ArraySlice<JSONValue>) -> [Int] {
    let counts = items.map { item in item.object?.members.count { $0.value != .null } ?? 0 }
    return counts.indices.sorted { (counts[$1], $0) < (counts[$0], $1) }
  }

  private func listed(_ items: [JSONValue], _ operation: Int, _ path: Substring) -> [String] {
    guard let place = lists[operation], let tokens = Self.item(place) else { return [] }
    return items.compactMap { item in
      JSONPointer(tokens: tokens.field).resolve(in: item).flatMap { paths.path($0, operation, at: path) }
    }
  }

  /// The items that the response to a POST names as created.
  private func named(
    _ performed: CaseRunner.Performed, _ response: ClientResponse, _ operation: Int, _ path: Substring
  ) -> [String] {
    let json = performed.json
    if let maker = makers[operation], maker.sent.map({ performed.call.fresh[$0] != nil }) ?? true,
      let id = maker.sent.map({ pointer in performed.body.flatMap { pointer.resolve(in: $0) } })
        ?? maker.place.value(in: response, json: json)
    {
      return [paths.path(id, operation, at: path)].compactMap(\.self)
    }
    guard performed.status == 201 || performed.isFresh else { return [] }
    // One item, even if the document does not describe it.
    if let names = names[operation], let json {
      if performed.status == 201, ListedNames(names).isId(json) {
        return [paths.path(json, operation, at: path)].compactMap(\.self)
      }
      let items = json.array ?? [Explorer.item(json)]
      let ids = items.prefix(1_000).compactMap { item in
        names.lazy.compactMap { item[$0] }.first { $0.string != nil || $0.int != nil }
      }
      // Several items may be search results.
      if !ids.isEmpty, performed.status == 201 || json.array == nil {
        return ids.compactMap { paths.path($0, operation, at: path) }
      }
    }
    if performed.status == 201, let location = paths.location(of: response) { return [location] }
    guard performed.status == 201 || uploads.contains(operation), let json else { return [] }
    return [paths.outerPath(in: json, operation, at: path, sent: performed.body)].compactMap(\.self)
  }

  /// `/data/0/id`: the list `/data` and the field `/id`.
  private static func item(_ pointer: JSONPointer) -> (list: [String], field: [String])? {
    guard let index = pointer.tokens.lastIndex(of: "0") else { return nil }
    return (Array(pointer.tokens[..<index]), Array(pointer.tokens[(index + 1)...]))
  }
}

extension CaseRunner.Performed {
  /// True if the response has other strings at the places of all new strings that were sent. Then it describes an item
  /// of another client, with any status.
  ///
  /// Only letters and digits count, in any case: servers trim, shorten and rewrite names.
  var namesAnother: Bool {
    guard let json, case .object(let item) = Explorer.item(json) else { return false }
    let repeated = call.fresh.keys.compactMap { pointer -> Bool? in
      // A server that creates an item may ignore the sent id.
      if status == 201, ["id", "uuid"].contains(pointer.tokens.last?.lowercased()) { return nil }
      guard pointer.tokens.count == 1, let sent = body.flatMap({ pointer.resolve(in: $0) })?.string,
        let received = item[pointer.tokens[0]]?.string
      else { return nil }
      let (one, other) = (Self.plain(sent), Self.plain(received))
      return one.isEmpty || (!other.isEmpty && (one.contains(other) || other.contains(one)))
    }
    return !repeated.isEmpty && repeated.allSatisfy { !$0 }
  }

  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
  }
}

/// Compares written values with read values.
enum KeptValues {
  struct Difference {
    /// The name of a field, or a path of fields with slashes.
    var name: String
    var sent: JSONValue
    var read: JSONValue
  }

  /// Fields that both have with different values. A field that is missing in the response may be write-only.
  static func differences(sent: JSONValue, read: JSONValue) -> [Difference] {
    var found: [Difference] = []
    func visit(_ sent: JSONValue, _ read: JSONValue, _ name: String, _ depth: Int) {
      switch (sent, read) {
      case (.object(let left), .object(let right)) where depth < 4:
        for (key, value) in left {
          // The server counts the versions of an item.
          guard let other = right[key], !VersionNames.holds(key) else { continue }
          visit(value, other, name.isEmpty ? key : "\(name)/\(key)", depth + 1)
        }
      // Many lists are sets: another order of the same values keeps them.
      case (.array(let left), .array(let right)) where left.map(\.text).sorted() == right.map(\.text).sorted(): break
      case (.array(let left), .array(let right)) where left.count == right.count && depth < 4:
        for (index, pair) in zip(left, right).enumerated() { visit(pair.0, pair.1, "\(name)/\(index)", depth + 1) }
      default:
        if !name.isEmpty, !isSame(sent, read) { found.append(Difference(name: name, sent: sent, read: read)) }
      }
    }
    visit(sent, read, "", 0)
    return found
  }

  private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if left == right { return true }
    switch (left, right) {
    case (.string(let one), .string(let two)):
      if one.lowercased().trimmingCharacters(in: .whitespaces) == two.lowercased().trimmingCharacters(in: .whitespaces)
      {
        return true
      }
      guard let first = moment(one), let second = moment(two) else { return false }
      return abs(first.timeIntervalSince(second)) < 1
    case (.number(let one), .number(let two)): return one.double == two.double
    // An item instead of its name.
    case (.string, .object), (.number, .object), (.null, _): return true
    case (.array(let one), .array(let two)): return one.isEmpty && two.isEmpty
    case (.bool, .bool), (.object, .object), (_, .null): return false
    // The schema decides if the response may have another type.
    default: return true
    }
  }

  private static func moment(_ text: String) -> Date? {
    (try? Date(text, strategy: .iso8601))
      ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}
