import MurphyContract
import MurphyModel
import MurphySchema

/// Rules under `expect:` that names and schemas of a document suggest. Only the authors of the API know if a rule is
/// true.
struct Suggestions {
  private let contract: Contract
  /// The operations that steps call.
  private let called: [Int]
  private let shapes: [PathShape]
  /// True if each user has its own token.
  private let hasLogin: Bool

  init(_ contract: Contract, called: Set<String>, hasLogin: Bool) {
    (self.contract, self.hasLogin) = (contract, hasLogin)
    self.called = contract.operations.indices.filter { called.contains(contract.operations[$0].id) }
    shapes = contract.operations.map { PathShape($0.path) }
  }

  /// The lines under `expect:`; empty without a suggestion.
  var lines: [String] {
    let rules = called.flatMap { operation in
      [set(operation), versions(operation), register(operation), votes(operation)].compactMap(\.self).flatMap(\.self)
    }
    let state = rules.isEmpty ? [] : ["state:"] + rules.map { "  " + $0 }
    return state + limits
  }

  private func find(_ method: String, _ segments: [String]) -> Int? {
    called.first { contract.operations[$0].method == method && shapes[$0].segments == segments }
  }

  private func word(_ operation: Int) -> String { DraftText.word(contract.operations[operation].id) }

  /// `path.id`: the last parameter of the path.
  private func key(_ operation: Int) -> String? {
    shapes[operation].parameters.last.map { DraftText.word("path." + $0.name) }
  }

  /// A POST that creates an item, with the list and the item that show it.
  private func set(_ creation: Int) -> [String]? {
    let path = shapes[creation].segments
    guard contract.operations[creation].method == "POST", !shapes[creation].isItem,
      contract.operations[creation].responses.contains(where: { $0.status == .exactly(201) })
    else { return nil }
    let list = find("GET", path).flatMap(contract.list)
    guard let id = contract.successMember(creation, named: [list?.id?.name ?? "id"]) else { return nil }
    var lines = ["- set:", "    create: \(word(creation))", "    id: \(DraftText.quoted(Producers.query(id)))"]
    if let list, let name = list.id?.name {
      let query = Producers.query(list.items) + "[*]" + Producers.step(name)
      lines.append("    list: { \(word(list.operation)): \(DraftText.quoted(query)) }")
      let isPaged = list.limit != nil || list.offset != nil || list.page != nil || !list.cursors.isEmpty
      if isPaged || list.next != nil { lines.append("    paged: true") }
    }
    let item = path + ["{}"]
    let reading = find("GET", item)
    let deletion = find("DELETE", item)
    if let item = reading ?? deletion, let key = key(item) { lines.insert("    key: \(key)", at: 1) }
    if let reading { lines.append("    get: \(word(reading))") }
    if let deletion { lines.append("    delete: \(word(deletion))") }
    return list?.id == nil && reading == nil ? nil : lines
  }

  /// A change that sends the version of the item on which it is based, in its body or as `If-Match`.
  private func versions(_ change: Int) -> [String]? {
    guard ["PUT", "PATCH"].contains(contract.operations[change].method), let key = key(change),
      let reading = find("GET", shapes[change].segments),
      let version = contract.responseFields(reading).integers.first(where: VersionNames.holds),
      contract.successMember(change, named: [version]) == [version]
    else { return nil }
    let isInBody = bodyFields(change).contains(version)
    guard isInBody || contract.operations[change].takesTag else { return nil }
    return [
      "- versions:", "    key: \(key)", "    push: \(word(change))",
      "    based-on: \(isInBody ? "body.\(version)" : "header.If-Match")", "    version: $.\(version)",
      "    read: { \(word(reading)): $ }",
    ]
  }

  /// A value that only PUT writes, and that GET returns at the same path.
  private func register(_ put: Int) -> [String]? {
    let path = shapes[put].segments
    let isCreated = contract.operations.indices.contains {
      contract.operations[$0].method == "POST" && shapes[$0].segments == Array(path.dropLast())
    }
    guard contract.operations[put].method == "PUT", !isCreated, let key = key(put) ?? userHeader(put),
      let reading = find("GET", path), versions(put) == nil
    else { return nil }
    let fields = contract.responseFields(reading).single
    guard let field = bodyFields(put).first(where: fields.contains) else { return nil }
    let deletion = find("DELETE", path).map { ["    delete: \(word($0))"] } ?? []
    return ["- register:", "    key: \(key)", "    put: \(word(put))", "    get: \(word(reading))"] + deletion
      + ["    value: body.\(field)"]
  }

  /// A POST below an item that raises a number of the item: `POST /laws/{id}/vote` and `upvotes`. With a DELETE at the
  /// same path, a user can take it back.
  private func votes(_ vote: Int) -> [String]? {
    let path = shapes[vote].segments
    guard contract.operations[vote].method == "POST", path.count > 2, path[path.count - 2] == "{}",
      let last = path.last, let key = key(vote), let reading = find("GET", Array(path.dropLast()))
    else { return nil }
    let noun = DraftNames.plain(DraftNames.singular(last))
    let counts = contract.responseFields(reading).integers
    func count(_ prefix: String) -> String? {
      counts.first { field in
        [noun, noun + "s", noun + "count", noun + "scount"].contains {
          DraftNames.plain(field) == DraftNames.plain(prefix) + $0
        }
      }
    }
    guard let removal = find("DELETE", path) else {
      guard let count = count("") else { return nil }
      return ["- counter: { key: \(key), write: \(word(vote)), read: { \(word(reading)): $.\(count) } }"]
    }
    guard let voter = userHeader(vote) else { return nil }
    var (written, shown) = ("up", count("").map { "up: $.\($0)" })
    for choice in contract.choices(inBodyOf: vote) where choice.values.count == 2 {
      guard let up = count(choice.values[0]), let down = count(choice.values[1]) else { continue }
      let isUp = "body.\(choice.name) == "
      written = "{ up: \(isUp)\(choice.values[0]), down: \(isUp)\(choice.values[1]) }"
      shown = "up: $.\(up), down: $.\(down)"
    }
    guard let shown else { return nil }
    return [
      "- ledger: \(DraftText.word(noun + "s"))", "  key: \(key)", "  voter: \(voter)",
      "  write: { \(word(vote)): \(written), \(word(removal)): none }", "  read: { \(word(reading)): { \(shown) } }",
    ]
  }

  /// The part of a request by which users differ.
  private func userHeader(_ operation: Int) -> String? {
    let headers = contract.userHeaders
    let sent = contract.operations[operation].parameters.first { $0.location == .header && headers.contains($0.name) }
    return sent.map { "header." + $0.name } ?? (hasLogin ? "header.Authorization" : nil)
  }

  /// The names of a body's fields that an expression can read.
  private func bodyFields(_ operation: Int) -> [String] {
    var writer = CallDraft(contract)
    guard case .json(.object(let members), _)? = try? writer.call(operation, path: []).body else { return [] }
    return members.members.map(\.key).filter { $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil }
  }

  /// Limits that only the description of a 429 states: "at most 60 requests per minute".
  private var limits: [String] {
    let stated = called.compactMap { operation -> String? in
      StatedLimit(contract.operations[operation]).map { limit in
        "  \(word(operation)): { allow: \(limit.allow), per: \(limit.per), key: \(limit.key) }"
      }
    }
    return stated.isEmpty ? [] : ["limits:"] + stated
  }
}
