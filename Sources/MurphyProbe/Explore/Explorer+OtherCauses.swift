import MurphyContract
import MurphyEngine
import MurphyModel
import MurphySchema

/// Causes of a response other than the tested value.
extension Explorer {
  /// A request that fails in the same way without the tested value: then this value is not the cause. It is the base of
  /// the case, or the same request with a plain valid value at the place. Nil if both do not fail so.
  func control(
    of suspicion: Suspicion, _ one: ExploreCase
  ) async throws(CaseRunner.Stop) -> (suspicion: Suspicion, case: ExploreCase)? {
    let index = one.call.operation
    guard suspicion.failure != nil, !one.place.isEmpty || !one.changes.isEmpty, !one.isControl else { return nil }
    let base = board.base(of: index) ?? board.trialBase(of: index)
    for control in [base.map(ExploreCase.plain), one.control(setting.contract)].compactMap(\.self) {
      let last: CaseRunner.Performed?
      do throws(CaseRunner.Stop) {
        last = try await runner.run(control.steps, isFresh: true).last
      } catch {
        if case .over = error { throw error }
        continue
      }
      if let same = last.flatMap({ Suspicion.all(control, $0) })?.first(where: suspicion.fails) {
        return (same, control)
      }
    }
    return nil
  }

  /// True if the API responds to a read of another operation: otherwise the case need not be the cause of a timeout.
  func isServed(besides one: ExploreCase) async throws(CaseRunner.Stop) -> Bool {
    let reads = setting.contract.operations.indices.lazy.filter {
      $0 != one.call.operation && self.setting.contract.operations[$0].method == "GET"
    }
    guard let read = reads.compactMap({ self.board.base(of: $0) }).first(where: { $0.count == 1 }) else { return true }
    return try await runner.run(read, isFresh: true).last?.failure == nil
  }

  /// Another parameter or property that the API's message names together with the tested one. The API can then reject
  /// a relation between the two, which the schema of one value does not state.
  func other(besides one: ExploreCase, in last: CaseRunner.Performed) -> String? {
    guard let tested = one.place.split(whereSeparator: { " /".contains($0) }).last.map(String.init) else { return nil }
    let words = last.words
    guard words.contains(tested) else { return nil }
    let names =
      setting.contract.operations[one.call.operation].parameters.map(\.name) + (one.call.body?.object?.keys ?? [])
    // A name in lower case, such as `name`, can be an ordinary word of the message.
    return names.first { $0 != tested && words.contains($0) && !$0.allSatisfy(\.isLowercase) }
  }
}

extension ExploreCase {
  private static let plainValue = "plain value"

  /// True for a request that shows whether any value fails at a place.
  var isControl: Bool { constraint == Self.plainValue }

  /// The same request with a plain valid value at its place; nil if the document allows none, and for a place without a
  /// value.
  fileprivate func control(_ contract: Contract) -> ExploreCase? {
    let place = changes.first?.place ?? place
    let words = place.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, changes.count < 2, call.method == nil, call.rawBody == nil, call.caller == .own else {
      return nil
    }
    let check = RequestCheck(contract, operations: [call.operation])
    for plain: JSONValue in [.string("murphy"), JSONValue(2), .bool(true)] where plain != value {
      var copy = self
      let mistakes: [ContractViolation]
      if words[0] == "body" {
        guard let pointer = JSONPointer(words[1]), let type = call.mediaType,
          let body = call.body?.replacing(at: pointer.tokens[...], with: plain)
        else { return nil }
        copy.call.change(body: body, at: pointer)
        mistakes = check.mistakes(operation: call.operation, body: body, contentType: type)
      } else {
        guard
          let parameter = contract.operations[call.operation].parameters.first(where: {
            "\($0.location.rawValue) \($0.name)" == place
          })
        else { return nil }
        copy.call.set(parameter, .literal(plain))
        (copy.call.rawQuery, copy.call.spelling) = (nil, nil)
        mistakes = check.mistakes(
          operation: call.operation, parameter: parameter.name, in: parameter.location, plain)
      }
      guard mistakes.isEmpty else { continue }
      (copy.expectation, copy.category, copy.changes, copy.parts) = (.anything, .positive, [], [])
      // A replay finds it by the case that led to it.
      (copy.whole, copy.place) = (name, place)
      (copy.constraint, copy.about, copy.value) = (Self.plainValue, "a plain valid value", plain)
      return copy
    }
    return nil
  }
}

extension CaseRunner.Performed {
  /// The words of the strings in the response.
  fileprivate var words: Set<String> {
    func texts(_ value: JSONValue) -> [String] {
      switch value {
      case .string(let text): [text]
      case .array(let items): items.flatMap(texts)
      case .object(let object): object.members.flatMap { texts($0.value) }
      default: []
      }
    }
    let response = try? ending.get()
    let all = json.map(texts) ?? [response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""]
    return Set(all.flatMap { $0.split { !($0.isLetter || $0.isNumber || "_-".contains($0)) }.map(String.init) })
  }
}

extension Suspicion {
  /// The same as a note if the API's message also names another field.
  func unless(other: String?) -> Suspicion {
    guard let other, kind == .exploreValidRefused else { return self }
    var note = self
    (note.severity, note.shared) = (.note, nil)
    note.details.append("The response names \(other), too. The API may reject only the combination of the two values.")
    return note
  }
}
