import MurphyContract
import MurphyModel
import MurphySchema

/// Removes drafted steps that could change data that their session has not created.
struct OwnItems {
  private let contract: Contract
  private let rule: WriteRule
  /// Names of identifiers from the session's own creations.
  private var own: [String: Creation] = [:]
  /// Names whose calls were removed.
  private var gone: [String: String] = [:]
  /// The removed calls, each once.
  private(set) var left: [LeftOut] = []

  /// The origin of an identifier.
  private enum Creation {
    /// A POST to the collection with these segments.
    case posted(to: [String], isCertain: Bool)
    /// `uuid()`: no other session has it.
    case drawn
  }

  init(_ contract: Contract, _ rule: WriteRule) {
    self.contract = contract
    self.rule = rule
  }

  /// The steps without such calls, and without the steps that depend on those calls.
  mutating func kept(_ steps: [DraftedStep]) -> [DraftedStep] {
    var kept: [DraftedStep] = []
    for step in steps {
      switch step {
      case .think: kept.append(step)
      case .set(let name, let expression):
        if let lost = lost(expression) { gone[name] = lost } else { kept.append(step) }
        noteSet(name, expression)
      case .block(let block, let inner):
        if let inner = self.inner(inner, needing: block.condition) { kept.append(.block(block, inner)) }
      case .call(let call):
        if let cause = exclusion(of: call) {
          leave(call, cause)
        } else {
          recordSaves(call)
          kept.append(step)
        }
      }
    }
    return kept
  }

  /// The steps inside another; nil if they contain no call any more.
  private mutating func inner(_ steps: [DraftedStep], needing name: String?) -> [DraftedStep]? {
    if let name, let lost = gone[name] {
      for call in steps.calls { leave(call, Self.needs(lost)) }
      return nil
    }
    let before = own
    let inner = kept(steps)
    // An item that a branch has created is known only in the branch.
    own = before.merging(own) { known, _ in known }
    return inner.calls.isEmpty ? nil : inner
  }

  private mutating func leave(_ call: DraftedCall, _ cause: LeftOut.Reason) {
    for save in call.saves where own[save.name] == nil { gone[save.name] = call.operation }
    // The name of a request outside the contract is its path, which may contain secrets.
    let name = call.request.map { "\($0.method) \($0.url.prefix { $0 != "?" })" } ?? call.operation
    guard !left.contains(where: { $0.operation == name }) else { return }
    left.append(LeftOut(operation: name, cause: cause))
  }

  private static func needs(_ operation: String) -> LeftOut.Reason {
    .always("it needs a value from \(operation), for which the draft has no step")
  }

  private func lost(_ text: String) -> String? { NameList.names(in: text).lazy.compactMap { gone[$0] }.first }

  private mutating func noteSet(_ name: String, _ expression: String) {
    own[name] =
      expression == "uuid()" ? .drawn : NameList.names(in: expression).lazy.compactMap { [own] in own[$0] }.first
  }

  private mutating func recordSaves(_ call: DraftedCall) {
    let index = call.request == nil ? contract.index(of: call.operation) : nil
    let operation = index.map { contract.operations[$0] }
    let path = operation?.path ?? String((call.request?.url ?? "").prefix { $0 != "?" })
    for save in call.saves {
      gone[save.name] = nil
      own[save.name] = nil
      // A list of a response may name items that existed before.
      let isList = save.path?.firstMatch(of: /\.\.|\[[^'"]/) != nil
      guard (operation?.method ?? call.request?.method) == "POST", !isList, index.map(isLogin) != true else { continue }
      let isCertain = operation?.responses.contains { $0.status == .exactly(201) } == true
      own[save.name] = .posted(to: PathShape(path).segments, isCertain: isCertain)
    }
  }

  private func isLogin(_ index: Int) -> Bool { contract.logins.contains { $0.operation == index } }

  /// The reason why the call is not sent; nil if it changes only the session's own items.
  private func exclusion(of call: DraftedCall) -> LeftOut.Reason? {
    if let lost = call.names.lazy.compactMap({ gone[$0] }).first { return Self.needs(lost) }
    if let request = call.request { return exclusion(ofUndocumented: request).map { .always($0) } }
    guard let index = contract.index(of: call.operation) else { return nil }
    let operation = contract.operations[index]
    if let reason = rule.exclusion(of: operation) { return .unlessNamed(reason) }
    guard rule.needsOwnItem(operation), let item = WriteRule.item(in: operation.path) else { return nil }
    let value = call.path.first { $0.name == item.name }?.value
    if let value, isOwn(value, at: item.prefix, isPut: operation.method == "PUT") { return nil }
    return .unlessNamed(WriteRule.othersItem)
  }

  private func isOwn(_ value: DraftedValue, at prefix: [String], isPut: Bool) -> Bool {
    switch value {
    case .constant: return false
    case .variable(let name): return isOwn(name, at: prefix)
    case .template(let text):
      if isPut, text.contains("${uuid()}") { return true }
      let names = NameList.expressions(in: text)
      return !names.isEmpty && names.contains { isOwn($0, at: prefix) }
    }
  }

  /// True if the session created the named item at that place, or if no other session has the item.
  private func isOwn(_ name: String, at prefix: [String]) -> Bool {
    switch own[name] {
    case .posted(let segments, let isCertain)?: isCertain || segments == prefix
    case .drawn?: true
    case nil: false
    }
  }

  /// For a request outside the contract, the address alone decides.
  private func exclusion(ofUndocumented request: (method: String, url: String)) -> String? {
    let path = String(request.url.prefix { $0 != "?" })
    if let reason = WriteRule.exclusion(request.method, path) { return reason }
    guard !WriteRule.isSafe(request.method) else { return nil }
    let segments = path.split(separator: "/").map(String.init)
    let item = segments.lastIndex { segment in
      segment.contains("${") || segment.contains { $0.isNumber } && segment.wholeMatch(of: /v[0-9.]+/) == nil
    }
    guard let item else { return WriteRule.exclusion(ofCollection: request.method, path, "") }
    let prefix = Array(segments[..<item])
    return NameList.expressions(in: segments[item]).contains { isOwn($0, at: prefix) } ? nil : WriteRule.othersItem
  }
}
