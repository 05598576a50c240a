import MurphyContract
import MurphySchema

/// The information about items in responses: their names, and the versions that a change must send.
extension SessionDraft {
  /// The call with its saves, and with status 404 if another user may have deleted the item.
  mutating func call(
    _ operation: Int, path: [(name: String, value: DraftedValue)], _ known: Known
  ) throws(CallDraft.Gap) -> DraftedCall {
    var drafted = try writer.call(operation, path: path)
    drafted.saves = wanted[operation] ?? []
    refer(&drafted, operation, known)
    if !rule.isRead(contract.operations[operation]) {
      // A conflict with the state of the target (RFC 9110 §15.5.10), which other sessions may change.
      expect(409, "this call can fail with 409, because other users can change the same data", of: &drafted, operation)
    }
    if parameters(of: operation).contains(where: { known.pending.contains($0.prefix) }) {
      expect(404, "this call can fail with 404, because the item is possibly not ready yet", of: &drafted, operation)
    }
    if let path = mayBeGone(operation, known), measured.refused[id(operation)] == nil, !drafted.statuses.contains(404) {
      drafted.mayBeGone = path
    }
    return drafted
  }

  /// Makes the call accept an error status, if the contract documents it.
  private func expect(_ status: Int, _ reason: String, of call: inout DraftedCall, _ operation: Int) {
    guard documents(status, operation), !call.statuses.contains(status) else { return }
    call.statuses.append(status)
    call.comment = call.comment ?? reason
  }

  /// True if the path names an item of a collection in which the session created that item. An item of `/books` is not
  /// the session's own under `/cart/items/{bookId}`: the cart may belong to all sessions.
  private func isOwn(_ operation: Int, _ known: Known) -> Bool {
    zip(shape(operation).parameters, homes[operation]).contains { parameter, home in
      parameter.prefix == home && known.own.contains(home)
    }
  }

  /// True if each session sends its own value of a header that identifies the user, or its user has its own token.
  private func hasOwnUser(_ operation: Int) -> Bool {
    let described = contract.operations[operation]
    let headers = contract.userHeaders
    return writer.login?.covers(described) == true
      || described.parameters.contains { $0.location == .header && headers.contains($0.name) }
  }

  /// The path of the DELETE with which another session may have removed the item that the call names. The contract must
  /// document 404. Nil if there is none.
  private func mayBeGone(_ operation: Int, _ known: Known) -> [String]? {
    guard documents(404, operation) else { return nil }
    let deleted = Set(sources.keys.filter { method($0) == "DELETE" }.map { shape($0).segments })
    let items = parameters(of: operation).map(\.prefix).filter { known.values[$0] != nil && !known.own.contains($0) }
    if let item = items.map({ $0 + ["{}"] }).first(where: deleted.contains) { return item }
    let path = shape(operation).segments
    let isKept = ["POST", "PUT"].contains(method(operation)) || isOwn(operation, known) || hasOwnUser(operation)
    return !isKept && deleted.contains(path) ? path : nil
  }

  /// The call, followed by steps that discard values of error responses.
  static func steps(_ call: DraftedCall) -> [DraftedStep] {
    [.call(call)] + (call.alwaysSucceeds ? [] : call.saves.map(\.kept))
  }

  func documents(_ status: Int, _ operation: Int) -> Bool {
    contract.operations[operation].responses.contains {
      [.exactly(status), .hundred(status / 100)].contains($0.status)
    }
  }

  /// The name of a created item in the response to a POST: a field of its body, or `Location` (RFC 9110 §10.2.2).
  mutating func creation(_ operation: Int) -> (save: DraftedSave, name: String, expression: String?)? {
    let noun = noun(shape(operation).segments)
    let list = producers.list(at: shape(operation).segments)
    let item = shape(operation).segments + ["{}"]
    let user = shapes.firstIndex { $0.segments.starts(with: item) }
    let parameter = user.flatMap { shapes[$0].parameters.first { $0.prefix == shape(operation).segments }?.name }
    let listed = user.flatMap { user in
      parameter.flatMap { parameter in list.flatMap { producers.field($0, for: parameter, of: user) } }
    }
    let members =
      [listed, parameter, list?.id?.name].compactMap(\.self) + [
        "id", noun + "Id", noun + "_id", "uuid", "key", "slug", "code",
      ]
    let name = "new" + noun.capitalizedFirst
    if let path = contract.successMember(operation, named: members) {
      let new = names.new(name)
      return (DraftedSave(name: new, source: .body(Producers.query(path))), new, nil)
    }
    if contract.returnsScalar(operation) {
      let new = names.new(name)
      return (DraftedSave(name: new, source: .body("$")), new, nil)
    }
    guard contract.namesLocation(operation) else { return nil }
    let (place, new) = (names.new(name + "Location"), names.new(name))
    return (DraftedSave(name: place, source: .header("Location")), new, "last(split(first(split(\(place), '?')), '/'))")
  }
}

/// Fields with which a server detects if a change is based on the current version of the item.
package enum VersionNames {
  private static let names: Set<String> = [
    "version", "lockversion", "rowversion", "revision", "rev", "etag", "updatedat", "modifiedat",
  ]

  /// True if the field holds a version. The case of the name does not matter.
  package static func holds(_ name: String) -> Bool { names.contains(DraftNames.plain(name)) }
}

extension Contract.Operation {
  /// True if a change names the version of its item by `If-Match`: the operation has the header, or documents that it
  /// is required (RFC 6585 §3) or may fail (RFC 9110 §15.5.13).
  var takesTag: Bool {
    parameters.contains { $0.location == .header && $0.name.lowercased() == "if-match" }
      || responses.contains { [.exactly(412), .exactly(428)].contains($0.status) }
  }
}

extension SessionDraft {
  func versions(in call: DraftedCall) -> [String] {
    guard case .json(.object(let members), _)? = call.body else { return [] }
    return members.members.map(\.key).filter(VersionNames.holds)
  }

  /// The GET of the item that the operation changes.
  private func reading(of operation: Int) -> Int? {
    guard ["PUT", "PATCH"].contains(method(operation)) else { return nil }
    return contract.operations.indices.first {
      method($0) == "GET" && shape($0) == shape(operation) && contract.operations[$0].mistakes.isEmpty
        && !measured.unreached.contains(id($0))
    }
  }

  /// True if a change calls the operation immediately before itself to read the version.
  func isReadBefore(_ open: [Int], _ operation: Int) -> Bool {
    method(operation) == "GET"
      && open.contains { change in
        guard reading(of: change) == operation, !measured.unreached.contains(id(change)) else { return false }
        var writer = writer
        guard let call = try? writer.call(change, path: []) else { return false }
        return contract.operations[change].takesTag
          || versions(in: call).contains { contract.successMember(operation, named: [$0]) != nil }
      }
  }

  /// A change that sends a version. The item is read first, and its version is taken from that response.
  mutating func change(
    _ call: inout DraftedCall, _ operation: Int, _ known: Known
  ) -> (steps: [DraftedStep], reading: Int)? {
    let versions = versions(in: call)
    let takesTag = contract.operations[operation].takesTag
    if documents(409, operation) || documents(412, operation), !versions.isEmpty || takesTag {
      expectConflict(&call, operation)
    }
    guard let reading = reading(of: operation), var read = try? self.call(reading, path: call.path, known) else {
      for (member, name) in known.versions[shape(operation).segments] ?? [:] where versions.contains(member) {
        call.body?.set(.string("${\(name)}"), at: JSONPointer(tokens: [member]))
      }
      return nil
    }
    var needed: String?
    for member in versions {
      guard let path = contract.successMember(reading, named: [member]) else { continue }
      let name = names.new(noun(shape(operation).segments) + member.capitalizedFirst)
      read.saves.append(DraftedSave(name: name, source: .body(Producers.query(path)), isOptional: true))
      call.body?.set(.string("${\(name)}"), at: JSONPointer(tokens: [member]))
      needed = needed ?? name
    }
    if takesTag {
      let name = names.new(noun(shape(operation).segments) + "Tag")
      read.saves.append(DraftedSave(name: name, source: .header("ETag"), isOptional: true))
      let place = call.headers.firstIndex { $0.name.lowercased() == "if-match" }
      // An optional header is not sent without a value.
      if place != nil || documents(428, operation) { needed = needed ?? name }
      if let place { call.headers.remove(at: place) }
      call.headers.append(("If-Match", .variable(name)))
    }
    guard needed != nil || takesTag else { return nil }
    let change = Self.steps(call)
    return (Self.steps(read) + (needed.map { [.block(.given(name: $0), change)] } ?? change), reading)
  }

  /// Another user may change the item between the response that gave its version and the change.
  private func expectConflict(_ call: inout DraftedCall, _ operation: Int) {
    for status in [409, 412] {
      expect(status, "this call can fail, because another user may have changed the item", of: &call, operation)
    }
  }

  /// The versions of a new item that its creation response supplies to later changes, by the field that takes them.
  mutating func versionSaves(of creation: Int) -> [String: DraftedSave] {
    let item = shape(creation).segments + ["{}"]
    var saves: [String: DraftedSave] = [:]
    for change in contract.operations.indices where shape(change).segments == item && reading(of: change) == nil {
      guard ["PUT", "PATCH"].contains(method(change)), let call = try? writer.call(change, path: []) else { continue }
      for member in versions(in: call) where saves[member] == nil {
        guard let path = contract.successMember(creation, named: [member]) else { continue }
        let name = names.new("new" + member.capitalizedFirst)
        saves[member] = DraftedSave(name: name, source: .body(Producers.query(path)), isOptional: true)
      }
    }
    return saves
  }
}
