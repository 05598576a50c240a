import MurphyEngine
import MurphyModel
import MurphySchema

extension ExchangeRule {
  /// - Parameter before: the response to the unchanged request; nil if the case has none.
  func suspicion(_ one: ExploreCase, _ response: ClientResponse, before: CaseRunner.Performed?) -> Suspicion? {
    let status = response.status
    switch self {
    case .sameResource(let isValue):
      // A redirection may lead to the same resource.
      guard let before, before.isSuccess, (400..<500).contains(status), ![401, 403, 429].contains(status) else {
        return nil
      }
      return Suspicion(
        kind: .exploreEquivalentURL, severity: isValue ? nil : .note,
        message: "status \(status) for \(one.about), but \(before.status) for the same URL without percent-encoding",
        cause: one.about, shared: one.about)
    case .unsupportedMethod: return Self.unsupportedMethod(one, response, before)
    case .undocumentedRejection:
      guard status == 401 || status == 403 else { return nil }
      return Suspicion(
        kind: .exploreUndocumentedRejection,
        message: "status \(status) \(one.about), which the contract does not document",
        cause: "rejection \(status)", shared: "undocumented rejection \(status)")
    case .wildcard(let text): return Self.wildcard(text, one, response, before)
    case .knownTag, .unknownTag, .ignored, .range, .host, .contentCoding: return nil
    }
  }

  private static func unsupportedMethod(
    _ one: ExploreCase, _ response: ClientResponse, _ before: CaseRunner.Performed?
  ) -> Suspicion? {
    guard let before, before.isSuccess else { return nil }
    let (method, supported) = (one.call.method ?? "", before.request.method)
    if response.status == 404 {
      return Suspicion(
        kind: .exploreMethodStatus,
        message: "status 404 for \(one.about), but \(supported) of the same URL succeeds",
        cause: "missing \(method)", shared: "404 for a method that is not documented")
    }
    guard response.status == 405, let allow = response.header("allow") else { return nil }
    let methods = allow.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
    if methods.contains(method) {
      return Suspicion(
        kind: .relationAllow, message: "status 405 for \(method), but its Allow header is \"\(allow)\"",
        cause: "Allow names a refused method")
    }
    guard !methods.contains(supported) else { return nil }
    return Suspicion(
      kind: .relationAllow, message: "status 405 with Allow \"\(allow)\", but \(supported) of the same URL succeeds",
      cause: "Allow lacks a method")
  }

  /// A search for the wildcard lists items that do not contain it, and another search lists none.
  private static func wildcard(
    _ text: String, _ one: ExploreCase, _ response: ClientResponse, _ before: CaseRunner.Performed?
  ) -> Suspicion? {
    guard response.isSuccess, let none = before?.json.flatMap(items), none.isEmpty,
      let found = (try? JSONValue.parse(response.body)).flatMap(items), !found.isEmpty,
      !found.contains(where: { $0.holds(text) })
    else { return nil }
    return Suspicion(
      kind: .exploreWildcard,
      message: "\(one.place) \"\(text)\" returns \(found.count) items, none of which contains \"\(text)\"",
      cause: one.place, details: ["A query with unknown letters returns no items."])
  }

  /// The items of a list: the value itself, or its first list.
  private static func items(_ value: JSONValue) -> [JSONValue]? {
    if let items = value.array { return items }
    guard case .object(let object) = value else { return nil }
    return object.members.lazy.compactMap { $0.value.array ?? Explorer.item($0.value)["items"]?.array }.first
  }
}

extension JSONValue {
  /// True if a string in it contains the text.
  fileprivate func holds(_ text: String) -> Bool {
    switch self {
    case .string(let own): own.contains(text)
    case .array(let items): items.contains { $0.holds(text) }
    case .object(let object): object.values.contains { $0.holds(text) }
    default: false
    }
  }
}
