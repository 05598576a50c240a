import MurphyContract
import MurphyModel

/// Decides which requests may be sent to a target whose data murphy did not create. `init`, `explore`, `import` and
/// `record` all use this rule.
package struct WriteRule: Sendable {
  /// Operations that may be called regardless of the data that they change, by operationId.
  private let named: Set<String>
  /// Operations that require the credentials of a user.
  private let logins: Set<String>
  /// Paths below which the contract has single items, in segments.
  private let collections: Set<[String]>
  /// Collections whose items an operation creates, changes or deletes.
  private let written: Set<[String]>
  /// POST operations that only return lists or counts, by operationId.
  private let searches: Set<String>

  /// - Parameter named: the operations that the user named with `--operation`.
  package init(_ contract: Contract, named: [String] = []) {
    self.named = Set(named)
    logins = Set(contract.logins.map { contract.operations[$0.operation].id })
    var (collections, written): (Set<[String]>, Set<[String]>) = ([], [])
    for operation in contract.operations {
      let segments = PathShape(operation.path).segments
      for (index, segment) in segments.enumerated() where segment == "{}" {
        collections.insert(Array(segments[..<index]))
      }
      guard !Self.isSafe(operation.method) else { continue }
      if segments.last == "{}" { written.insert(Array(segments.dropLast())) }
      if operation.method == "POST" { written.insert(segments) }
    }
    (self.collections, self.written) = (collections, written)
    let found = contract.operations.indices.filter { Self.searches($0, contract, collections) }
    searches = Set(found.map { contract.operations[$0].id })
  }

  /// True for methods that do not change data (RFC 9110 §9.2.1).
  package static func isSafe(_ method: String) -> Bool {
    ["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"].contains(method)
  }

  /// True for a safe method, and for a POST that reads a list.
  package func isRead(_ operation: Contract.Operation) -> Bool { Self.isSafe(operation.method) || isSearch(operation) }

  /// True for a POST that only returns a list or a count: `POST /laws/filter`.
  package func isSearch(_ operation: Contract.Operation) -> Bool {
    searches.contains(operation.id) && exclusion(of: operation) == nil
  }

  /// True if the last segment of the path says that a POST reads, its only success is a 200 with a list or a count, and
  /// no word of it says that it writes. A path with items below it may store what it is given.
  private static func searches(_ index: Int, _ contract: Contract, _ collections: Set<[String]>) -> Bool {
    let operation = contract.operations[index]
    let segments = PathShape(operation.path).segments
    guard operation.method == "POST", let last = segments.last, !last.contains("{}"), !collections.contains(segments),
      NameWords.words(last).first.map(searching.contains) == true,
      operation.responses.filter(\.isSuccess).map(\.status) == [.exactly(200)]
    else { return false }
    let texts = [ownName(operation), operation.title, literals(operation.path).joined(separator: " ")]
    guard texts.allSatisfy({ NameWords.verb(writing, in: $0) == nil }) else { return false }
    return contract.list(index) != nil || contract.responseFields(index).isCount
  }

  /// True if an operation creates, changes or deletes items of the collection with these segments. Items of other
  /// collections are parts of the API.
  package func changesItems(of collection: [String]) -> Bool { written.contains(collection) }

  /// True if the user allowed this operation by name.
  package func isNamed(_ operation: Contract.Operation) -> Bool { named.contains(operation.id) }

  /// The reason why no request of the operation is sent, for any values; nil if one may be sent.
  package func exclusion(of operation: Contract.Operation) -> String? {
    // The item of the session may be revoked, restarted or reset.
    if isNamed(operation) || needsOwnItem(operation) { return nil }
    let name = Self.ownName(operation)
    if let reason = Self.exclusion(
      operation.method, operation.path, names: [("name", name), (Self.summary, operation.title)])
    {
      return reason
    }
    if Self.isSafe(operation.method) || Self.item(in: operation.path) != nil { return nil }
    return Self.exclusion(ofCollection: operation.method, operation.path, name)
      ?? operation.parameters.lazy.compactMap(Self.says).first
      ?? (creates(operation) || Self.isHarmless(operation, name) ? nil : Self.effect(says: operation.title))
  }

  /// The same for a request outside the contract.
  package static func exclusion(
    _ method: String, _ path: String, names: [(kind: String, text: String)] = []
  ) -> String? {
    let path = literals(path)
    let texts = names + [("path", path.joined(separator: " "))]
    if isSafe(method) { return called(path, names) }
    for (kind, text) in texts {
      if let verb = NameWords.verb(harmful, in: text) { return says(kind, verb) }
      guard kind != summary, method != "DELETE" else { continue }
      if let verb = NameWords.verb(alsoHarmful, in: text) { return says(kind, verb) }
    }
    return nil
  }

  /// True if a GET may follow a link of a response. Some servers change data on such a GET, and the contract does not
  /// describe it. So neither the link's name nor its target may contain a verb of a change.
  ///
  /// - Parameter target: path and query.
  package static func mayFollow(_ target: some StringProtocol, named name: String) -> Bool {
    let verbs = harmful.union(alsoHarmful).union(changing).union(commands).union(answering)
    return [name, PercentEncoding.decode(target)].allSatisfy { NameWords.verb(verbs, in: $0) == nil }
  }

  /// `id: delete_tasks`: a parameter chooses the action of the operation.
  private static func says(_ parameter: Contract.Parameter) -> String? {
    let values = parameter.schema?.located.value["enum"]?.array ?? []
    let harm = values.compactMap(\.string).first { NameWords.verb(changing.union(harmful), in: $0) != nil }
    return harm.map { "its parameter \(parameter.name) can be \"\($0)\"" }
  }

  static func exclusion(ofCollection method: String, _ path: String, _ name: String) -> String? {
    guard method == "POST" else {
      return "it is a \(method) without an item in its path, so it can change items that the session did not create"
    }
    let texts = [("name", name), ("path", literals(path).joined(separator: " "))]
    for (kind, text) in texts {
      if let verb = NameWords.verb(changing, in: text) { return says(kind, verb) }
    }
    for (kind, text) in [("name", name), ("path", literals(path).last ?? "")] {
      let words = NameWords.words(text)
      if let first = words.first, commands.contains(first) { return says(kind, first) }
    }
    return nil
  }

  /// True if a request of the operation requires an item that the session has created. If no operation creates, changes
  /// or deletes it, it is part of the API, not an item. An example is the one server of `/servers/{id}/zones`.
  package func needsOwnItem(_ operation: Contract.Operation) -> Bool {
    guard !isNamed(operation), !Self.isSafe(operation.method), let item = Self.item(in: operation.path) else {
      return false
    }
    return operation.method != "POST" || written.contains(item.prefix)
      || !collections.contains(PathShape(operation.path).segments)
  }

  /// The reason for a skipped operation, as the end of a sentence.
  package static let othersItem = "it changes an item, but the session creates no item for its path"

  /// The reason not to send a POST whose name and path do not say that it reads or adds data; nil if its summary begins
  /// with a verb that does, and has no verb of a change.
  private static func effect(says text: String) -> String? {
    if let verb = NameWords.verb(changing.union(harmful), in: text) { return says(summary, verb) }
    guard let first = NameWords.words(text).first, !harmless.contains(first) else {
      return text.isEmpty ? unknownEffect : nil
    }
    return unknownEffect
  }

  private static let summary = "summary or description"
  private static let unknownEffect =
    "its name, path, summary and description do not say whether it creates, reads or changes data"

  /// Verbs of operations that destroy data, stop a service or revoke the credentials of the caller.
  private static let harmful: Set<String> = [
    "shutdown", "reset", "purge", "drop", "wipe", "truncate", "revoke", "rotate", "logout", "disable", "restart",
    "import", "restore",
  ]
  /// Other such verbs, which summaries also use for harmless operations.
  private static let alsoHarmful: Set<String> = [
    "reboot", "poweroff", "logoff", "signout", "signoff", "kill", "terminate", "deactivate", "erase", "flush",
  ]
  /// Verbs of a POST that changes the items named in its body.
  private static let changing: Set<String> = [
    "delete", "remove", "destroy", "clear", "update", "replace", "rename", "overwrite", "bulk",
  ]
  /// First words of operations on existing items, in the operation's name or the last segment of its path.
  private static let commands: Set<String> = [
    "set", "apply", "transfer", "increment", "decrement", "pause", "resume", "cancel", "stop", "move", "merge",
    "assign",
    "unassign", "archive", "approve", "reject", "enable", "activate", "action", "actions", "settings",
  ]
  /// Verbs of links by which a user answers, as in an e-mail.
  private static let answering: Set<String> = ["unsubscribe", "optout", "unlink", "confirm", "accept", "decline"]
  /// First words of a POST that reads or adds data, in its name or the last segment of its path.
  private static let harmless: Set<String> = reading.union([
    "create", "add", "new", "post", "submit", "send", "upload", "publish", "share", "register",
    "signup", "login", "signin", "insert", "annotate", "notify", "log", "track", "echo",
  ])
  /// Verbs of a POST that also writes, even if it returns a list.
  private static let writing: Set<String> = changing.union([
    "create", "add", "insert", "save", "write", "modify", "edit", "change", "upload", "import", "purge",
  ])
  /// The words of these that read lists.
  private static let searching: Set<String> = [
    "read", "filter", "search", "query", "count", "counts", "paginate", "find", "lookup",
  ]
  /// The words of these that read.
  private static let reading: Set<String> = searching.union([
    "get", "list", "history", "fetch", "preview", "validate", "verify", "check", "test", "calculate", "compute",
    "estimate",
    "convert", "render",
    "parse", "average",
  ])
  /// Verbs that are also nouns: `GET /import` may list imports.
  private static let nouns: Set<String> = ["import", "restore", "drop"]

  /// The reason why a request with a safe method is not sent. Some servers log out or restart on a GET.
  private static func called(_ path: [String], _ names: [(kind: String, text: String)]) -> String? {
    let verbs = harmful.union(alsoHarmful).subtracting(nouns)
    if let last = path.last {
      let words = NameWords.words(last)
      if verbs.contains(words.joined()) { return says("path", words.joined()) }
    }
    let name = names.first { $0.kind == "name" }?.text ?? ""
    let words = NameWords.words(name)
    let beginnings = [words.prefix(1).joined(), words.prefix(2).joined()]
    return beginnings.first(where: verbs.contains).map { says("name", $0) }
  }

  private static func says(_ kind: String, _ verb: String) -> String { "its \(kind) contains \"\(verb)\"" }

  /// The operationId; empty if it is generated from method and path.
  private static func ownName(_ operation: Contract.Operation) -> String {
    operation.id.hasSuffix(" " + operation.path) ? "" : operation.id
  }

  /// The segments that are not parameters.
  private static func literals(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { !$0.contains("{") }
  }

  /// Parameters that choose a variant of the API and do not name an item.
  private static let forms: Set<String> = ["version", "apiversion", "v", "locale", "lang", "language", "format"]

  /// True if, by the document, a POST creates an item. Its status shows this, or the items below its path.
  private func creates(_ operation: Contract.Operation) -> Bool {
    operation.responses.contains { $0.status == .exactly(201) } || logins.contains(operation.id)
      || collections.contains(PathShape(operation.path).segments)
  }

  /// True if a POST acts on the items named in its body: it creates no items, and its name does not mean a read.
  package func isAction(_ operation: Contract.Operation) -> Bool {
    operation.method == "POST" && !collections.contains(PathShape(operation.path).segments)
      && !Self.says(Self.reading, operation, Self.ownName(operation))
  }

  /// True if an operation only reads, by its method or by its name: `POST /flows/filter`.
  package static func reads(_ operation: Contract.Operation) -> Bool {
    isSafe(operation.method) || says(reading, operation, ownName(operation))
  }

  private static func isHarmless(_ operation: Contract.Operation, _ name: String) -> Bool {
    says(harmless, operation, name)
  }

  /// True if the name of an operation, or the last segment of its path, begins with one of the words.
  private static func says(_ verbs: Set<String>, _ operation: Contract.Operation, _ name: String) -> Bool {
    // `post-proxy` contains no more information than the method, and `batch_create` than `create`.
    let own = NameWords.words(name)
    let isMethod = [operation.method.lowercased(), "batch"].contains(own.first)
    let words = [
      (isMethod ? own.dropFirst() : own[...]).first,
      literals(operation.path).last.flatMap { NameWords.words($0).first },
    ]
    return words.contains { $0.map(verbs.contains) == true }
  }

  /// The last parameter of the path that names an item, with the segments before it; nil for the path of a collection.
  package static func item(in path: String) -> (name: String, prefix: [String])? {
    PathShape(path).parameters.last { !forms.contains(DraftNames.plain($0.name)) }
  }
}

extension Contract.Operation {
  /// True if a parameter of its path accepts any UUID, by the document.
  package func takesNewName(_ parameter: String) -> Bool {
    guard let schema = parameters.first(where: { $0.name == parameter && $0.location == .path })?.schema else {
      return false
    }
    let rules = schema.located.value
    return rules["type"] == "string" && ["uuid", nil].contains(rules["format"]?.string)
      && ["enum", "const", "pattern"].allSatisfy { rules[$0] == nil } && (rules["maxLength"]?.int ?? .max) >= 36
  }
}
