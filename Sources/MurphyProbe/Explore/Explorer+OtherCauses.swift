import MurphyEngine
import MurphyModel
import MurphySchema

/// Causes of a response other than the tested value.
extension Explorer {
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
