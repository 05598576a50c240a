import MurphyContract
import MurphyModel
import MurphySchema

/// Invariants over numbers in responses: ledgers, counters and formulas.
extension ScenarioReader {
  func ledger(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    let key = key(entries)
    let voter = source(entries, "voter")
    if !entries.has("voter") {
      report("a ledger needs the key \"voter\", which identifies the voter of a write", at: entries.node)
    }
    let shown = readings(entries["read"], ["up", "down"])
    guard let write = entries["write"], case .object = write.content else {
      return refuse(
        "a ledger needs the key \"write\" with the vote type of each operation, such as "
          + "{ castVote: up, removeVote: none }",
        at: entries["write"] ?? entries.node)
    }
    let writes = mapping(write, "write").map { name, keyNode, value in (operation(name, at: keyNode), kinds(value)) }
    guard let key, let voter else { return nil }
    var taps = writes.compactMap { operation, kinds -> StateTap? in
      guard let operation else { return nil }
      let own = shown.first { $0.operation.id == operation.id }?.counts
      return StateTap(operation, .vote(key: key, voter: voter, kinds: kinds, shown: own))
    }
    let written = Set(taps.map(\.operation.id))
    taps += shown.filter { !written.contains($0.operation.id) }.map { tap($0, key) }
    let toggles = entries["rule"].map { known($0, among: ["last", "toggle"], "rule") == "toggle" } ?? false
    return expectation(.ledger(toggles: toggles), text(entries["ledger"], "ledger"), taps, entries, mark, key)
  }

  /// `none`, or conditions of `up`, `down` and `none`.
  private func kinds(_ node: MarkedValue) -> [StateTap.VoteKind] {
    let bits: [(name: String, bit: Int64)] = [("up", 1), ("down", 2), ("none", 4)]
    guard case .object = node.content else {
      let name = known(node, among: bits.map(\.name), "a vote type")
      return bits.filter { $0.name == name }.map { StateTap.VoteKind(bit: $0.bit, condition: nil) }
    }
    guard let entries = entries(node, .votes) else { return [] }
    return bits.compactMap { name, bit in
      place(entries[name], "a condition", StateText.match).map { StateTap.VoteKind(bit: bit, condition: $0) }
    }
  }

  func formula(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    guard let node = entries["holds"], let formula = place(node, "holds", StateFormulaParser.init),
      let key = key(entries)
    else { return nil }
    if entries.has("rule") { report("\"rule\" is allowed only with \"ledger\"", at: entries.keyNode("rule")) }
    let names = formula.condition.names.sorted()
    let known = ["count", "up", "down"]
    for name in names where !known.contains(name) {
      report(
        "unknown number read.\(name); the numbers of \"read\" are \(known.joined(separator: ", "))"
          + suggestion(name, known),
        at: node)
    }
    guard names.allSatisfy(known.contains) else { return nil }
    guard names.count <= 2 else {
      return refuse(
        "a formula can use at most two numbers of a response; found \(names.joined(separator: ", "))", at: node)
    }
    let shown = readings(entries["read"], names.isEmpty ? known : names)
    let writes = operations(entries["write"], "write")
    let measures = measures(formula, of: writes.map(\.id), node)
    let taps = writes.map { StateTap($0, .measure(key: key, measures)) } + shown.map { tap($0, key) }
    return expectation(.formula(formula.condition, names: names), node.scalarText, taps, entries, mark, key)
  }

  /// The values that a formula takes from its writes.
  private func measures(_ formula: StateFormulaParser, of writes: [String], _ node: MarkedValue) -> StateTap.Measures {
    if formula.fields.count > 2 {
      report("a formula can use at most two numbers of a request; found \(formula.fields.count)", at: node)
    }
    for match in formula.matches where match.source == .operation && !writes.contains(match.value) {
      report(
        "\(match.value) is not an operation under \"write\"\(suggestion(match.value, writes))", at: node)
    }
    for source in formula.fields + formula.matches.map(\.source) {
      if case .answer = source {
        report("sum() and count() can use only fields of the request, such as body.amount", at: node)
      }
    }
    let needs = formula.condition.formulas.compactMap { part in
      if case .total(let number, _, _, let match) = part { (number: number, match: match) } else { nil }
    }
    return StateTap.Measures(numbers: formula.fields, matches: formula.matches, needs: needs)
  }

  func counter(_ entries: Entries, _ mark: SourceMark) -> StateExpectation? {
    guard let key = key(entries) else { return nil }
    let shown = readings(entries["read"], ["count"])
    let writes = operations(entries["write"], "write")
    var taps = writes.map { write in
      StateTap(write, .raise(key: key, shown: shown.first { $0.operation.id == write.id }?.counts))
    }
    let written = Set(writes.map(\.id))
    taps += shown.filter { !written.contains($0.operation.id) }.map { tap($0, key) }
    return expectation(.counter, nil, taps, entries, mark, key)
  }

  /// The requests that read the state before the load.
  func starts(_ entries: Entries, of key: StateSource?) -> [StateStart] {
    guard let node = entries["start"], node.isMapping else {
      return operations(entries["start"], "start").map { StateStart(operation: $0) }
    }
    return mapping(node, "start").compactMap { name, keyNode, value in
      guard let operation = operation(name, at: keyNode), let parts = self.entries(value, .starts) else { return nil }
      var start = StateStart(operation: operation)
      start.query = mapping(parts["query"], "query").map { ($0.key, $0.value.value) }
      start.headers = mapping(parts["headers"], "headers").compactMap { name, _, value in
        text(value, "a header").map { (name, $0) }
      }
      guard let list = parts["keys"] else { return start }
      guard case .path(let name)? = key else {
        return refuse(
          "\"keys\" is allowed only if the key of the invariant is a path parameter, such as path.id", at: list)
      }
      start.keyName = name
      start.keys = (elements(list, "keys") ?? []).compactMap { text($0, "a key") }
      return start
    }
  }
}

/// Places in exchanges, as invariants name them.
extension ScenarioReader {
  /// Reads a string; a mistake is reported at its position.
  func place<Value>(
    _ node: MarkedValue?, _ what: String, _ read: (String) throws(ExpressionMistake) -> Value
  ) -> Value? {
    guard let node, let text = text(node, what) else { return nil }
    do throws(ExpressionMistake) {
      return try read(text)
    } catch {
      report(error.message, in: node, anchor: text, offset: min(error.offset, max(text.count - 1, 0)))
      return nil
    }
  }

  /// A place in the request, because a response may be lost.
  func source(_ entries: Entries, _ key: String) -> StateSource? {
    guard let node = entries[key], let source = place(node, key, StateText.source) else { return nil }
    guard case .answer = source else { return source }
    return refuse(
      "\(key) must be a part of the request, because the response can be lost; found \"\(node.scalarText ?? "")\"",
      at: node)
  }

  /// The key that identifies the item of an exchange.
  func key(_ entries: Entries, otherwise: StateSource? = nil) -> StateSource? {
    if entries.has("key") { return source(entries, "key") }
    if let otherwise { return otherwise }
    return refuse(
      "\(entries.vocabulary.title) needs the key \"key\", which identifies the resource of a request",
      at: entries.node)
  }

  func operation(_ node: MarkedValue?, _ what: String) -> OperationReference? {
    guard let node, let name = text(node, what) else { return nil }
    return operation(name, at: node)
  }

  /// One operation, or a list of them.
  func operations(_ node: MarkedValue?, _ what: String) -> [OperationReference] {
    (node?.items ?? []).compactMap { operation($0, what) }
  }

  /// The place of numbers in an operation's responses.
  struct Reading {
    var operation: OperationReference
    var counts: StateTap.Counts
    var each: JSONPath?
    var key: JSONPath?
  }

  /// `read:` by operationId.
  ///
  /// - Parameter names: the numbers that the invariant reads; at most two.
  func readings(_ node: MarkedValue?, _ names: [String]) -> [Reading] {
    mapping(node, "read").compactMap { name, keyNode, value in
      guard let operation = operation(name, at: keyNode) else { return nil }
      guard case .object = value.content else {
        guard names.count == 1, let path = query(value, "a number") else {
          if names.count > 1 {
            report(
              "write the name of the number, as in { \(names.first ?? "count"): $.field }; the names are "
                + "\(names.joined(separator: " and "))", at: value)
          }
          return nil
        }
        return Reading(operation: operation, counts: .init(first: path))
      }
      guard let entries = entries(value, .shown) else { return nil }
      for name in ["up", "down", "count"] where entries.has(name) && !names.contains(name) {
        report(
          "this invariant does not use \"\(name)\"; it uses \(names.joined(separator: ", "))",
          at: entries.keyNode(name))
      }
      let paths = names.map { query(entries[$0], $0) }
      if paths.allSatisfy({ $0 == nil }) {
        if names.contains(where: { entries.has($0) }) { return nil }
        return refuse(
          "an entry of read needs the key \(names.map { "\"\($0)\"" }.joined(separator: " or "))", at: value)
      }
      let each = query(entries["each"], "each")
      if entries.has("each") != entries.has("key") {
        return refuse("\"each\" (the elements) and \"key\" (the id of an element) are allowed only together", at: value)
      }
      return Reading(
        operation: operation, counts: .init(first: paths[0], second: paths.count > 1 ? paths[1] : nil), each: each,
        key: query(entries["key"], "key"))
    }
  }

  func tap(_ reading: Reading, _ key: StateSource) -> StateTap {
    if let each = reading.each, let own = reading.key {
      return StateTap(reading.operation, .show(.each(each, key: own), reading.counts))
    }
    return StateTap(reading.operation, .show(.request(key), reading.counts))
  }
}
