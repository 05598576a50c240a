import MurphyEngine
import MurphyModel
import MurphySchema

extension ExchangeRule {
  /// - Parameters:
  ///   - performed: the last request of the case.
  ///   - before: the earlier requests of the case.
  func suspicion(
    _ one: ExploreCase, _ response: ClientResponse, of performed: CaseRunner.Performed,
    after before: ArraySlice<CaseRunner.Performed>
  ) -> Suspicion? {
    switch self {
    case .undocumentedRejection:
      guard response.status == 401 || response.status == 403 else { return nil }
      return Suspicion(
        kind: .exploreUndocumentedRejection,
        message: "status \(response.status) \(one.about), which the contract does not document",
        cause: "rejection \(response.status)",
        shared: "status \(response.status) is not documented for missing credentials")
    case .contentCoding:
      guard response.isSuccess else { return nil }
      return Suspicion(
        kind: .exploreInvalidAccepted, severity: .note,
        message: "\(one.about), is accepted with status \(response.status)", cause: one.about,
        shared: "\(one.about), is accepted")
    default: break
    }
    guard let plain = before.last, plain.isSuccess, let first = try? plain.ending.get() else { return nil }
    switch self {
    case .sameResource(let isValue): return Self.sameResource(one, response, performed, plain, isValue: isValue)
    case .unsupportedMethod: return Self.unsupportedMethod(one, response, plain)
    case .options: return Self.allow(response, plain, method: "OPTIONS")
    case .head: return Self.head(response, first)
    case .wildcard(let text): return Self.wildcard(text, one, response, plain)
    case .tag(let isCurrent): return Self.tag(one, response, first, isCurrent: isCurrent)
    case .ignored(let header): return Self.ignored(header, one, response)
    case .range(let isSatisfiable): return Self.range(one, response, first, isSatisfiable: isSatisfiable)
    case .host(let name): return Self.host(name, response, first)
    case .safeRead(let read): return before.dropLast().last.flatMap { Self.safeRead(read, $0, response) }
    case .undocumentedRejection, .contentCoding: return nil
    }
  }

  /// True for a rejection that the difference between the requests explains.
  private static func isRejection(_ status: Int) -> Bool {
    (400..<500).contains(status) && ![401, 403, 404, 410, 429].contains(status)
  }

  private static func sameResource(
    _ one: ExploreCase, _ response: ClientResponse, _ other: CaseRunner.Performed, _ plain: CaseRunner.Performed,
    isValue: Bool
  ) -> Suspicion? {
    // A redirection may lead to the same resource.
    guard (400..<500).contains(response.status), ![401, 403, 429].contains(response.status) else { return nil }
    func path(_ performed: CaseRunner.Performed) -> String {
      performed.request.target.prefix { $0 != "?" }.shortened(to: 100)
    }
    // A path that the API does not know, or a value that it cannot read.
    let isUnread = isValue && [400, 404].contains(response.status)
    return Suspicion(
      kind: .exploreEquivalentURL, severity: isUnread ? nil : .note,
      message: "status \(response.status) for \(path(other)), but \(plain.status) for the equivalent URL "
        + "\(path(plain)) (RFC 3986 §6.2.2.2)",
      cause: one.about, shared: "status \(response.status) for a URL with \(one.about), but success without it")
  }

  private static func unsupportedMethod(
    _ one: ExploreCase, _ response: ClientResponse, _ plain: CaseRunner.Performed
  ) -> Suspicion? {
    let method = one.call.method ?? ""
    guard response.status == 404 else { return allow(response, plain, method: method) }
    return Suspicion(
      kind: .exploreMethodStatus,
      message: "status 404 for \(one.about), but \(plain.request.method) of the same URL succeeds",
      cause: "missing \(method)", shared: "status 404 for undocumented methods, but success for a documented one")
  }

  /// `Allow` lists the supported methods (RFC 9110 §15.5.6). Few clients read it.
  private static func allow(_ response: ClientResponse, _ plain: CaseRunner.Performed, method: String) -> Suspicion? {
    guard response.isSuccess || response.status == 405, let allow = response.header("allow") else { return nil }
    let methods = allow.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
    if response.status == 405, methods.contains(method) {
      return Suspicion(
        kind: .relationAllow, severity: .warning,
        message: "status 405 for \(method), but the Allow header lists \(method): \"\(allow)\"",
        cause: "Allow names a rejected method")
    }
    guard !methods.contains(plain.request.method) else { return nil }
    return Suspicion(
      kind: .relationAllow, severity: .warning,
      message: "Allow in the response to \(method) lacks \(plain.request.method), which succeeds: \"\(allow)\"",
      cause: "Allow lacks a method")
  }

  private static func head(_ response: ClientResponse, _ get: ClientResponse) -> Suspicion? {
    // Not every API supports HEAD.
    guard response.isSuccess || isRejection(response.status) && response.status != 405 else { return nil }
    guard response.status == get.status else {
      return Suspicion(
        kind: .relationHead, message: "HEAD returns \(response.status), but GET returns \(get.status)", cause: "status")
    }
    guard let one = response.header("content-type"), let other = get.header("content-type"), one != other else {
      return nil
    }
    if response.isPage, !get.isPage { return .page(response, for: "HEAD", cause: "page for HEAD") }
    return Suspicion(
      kind: .relationHead, severity: .note, message: "the Content-Type is \(one) for HEAD, but \(other) for GET",
      cause: "content-type")
  }

  private static func tag(
    _ one: ExploreCase, _ response: ClientResponse, _ get: ClientResponse, isCurrent: Bool
  ) -> Suspicion? {
    func broken(_ what: String, severity: Finding.Severity? = nil) -> Suspicion {
      Suspicion(
        kind: .exploreConditional, severity: severity, message: "status \(response.status) for \(one.about)" + what,
        cause: "\(one.about) \(response.status)")
    }
    if response.status == 412 { return broken(": for GET, a server must return 304 or the content (RFC 9110 §13.1.2)") }
    if isCurrent {
      if response.status == 304, get.header("etag") != nil, response.header("etag") == nil {
        return broken(" without an ETag, but the 200 response has one (RFC 9110 §15.4.5)", severity: .warning)
      }
      return isRejection(response.status) ? broken(", which the server itself has sent") : nil
    }
    return response.status == 304 ? broken(": the client does not have this content (RFC 9110 §13.1.2)") : nil
  }

  private static func ignored(_ header: String, _ one: ExploreCase, _ response: ClientResponse) -> Suspicion? {
    guard [206, 304].contains(response.status) || isRejection(response.status) else { return nil }
    return Suspicion(
      kind: header == "Range" ? .exploreRange : .exploreConditional, severity: .warning,
      message: "status \(response.status) for \(one.about), which a server must ignore (RFC 9110 "
        + (header == "Range" ? "§14.2)" : "§13.1.3)"),
      cause: one.about)
  }

  private static func range(
    _ one: ExploreCase, _ response: ClientResponse, _ get: ClientResponse, isSatisfiable: Bool
  ) -> Suspicion? {
    guard response.status == 206 else { return nil }
    func broken(_ what: String) -> Suspicion {
      Suspicion(kind: .exploreRange, message: "status 206 for \(one.about)" + what, cause: one.about)
    }
    guard isSatisfiable else { return broken(", although the content is shorter") }
    guard let range = response.header("content-range") else { return broken(" without Content-Range") }
    guard range.lowercased().filter({ $0 != " " }).hasPrefix("bytes0-0/") else {
      return broken(" with Content-Range \"\(range)\"")
    }
    guard response.header("content-encoding") == nil, response.body.count != 1 else { return nil }
    return broken(" with \(response.body.count) bytes")
  }

  private static func host(_ name: String, _ response: ClientResponse, _ get: ClientResponse) -> Suspicion? {
    guard response.status < 400 else { return nil }
    let isHeader = response.headers.contains { $0.value.contains("//" + name) }
    // JSON may escape the slash.
    let body = String(decoding: response.body, as: UTF8.self).replacingScalars("\\/", with: "/")
    guard isHeader || body.contains("//" + name) else { return nil }
    return Suspicion(
      kind: .exploreHost,
      message: "the response to a request with the Host \(name) has a URL with \(name)", cause: "host",
      shared: "the response has URLs with the Host of the request")
  }

  /// A search for the wildcard lists items that do not contain it, and another search lists none.
  private static func wildcard(
    _ text: String, _ one: ExploreCase, _ response: ClientResponse, _ plain: CaseRunner.Performed
  ) -> Suspicion? {
    guard response.isSuccess, let none = plain.json.flatMap(items), none.isEmpty,
      let found = (try? JSONValue.parse(response.body)).flatMap(items), !found.isEmpty,
      !found.contains(where: { $0.holds(text) })
    else { return nil }
    return Suspicion(
      kind: .exploreWildcard,
      message: "\(one.place) \"\(text)\" returns \(found.count) items, none of which contains \"\(text)\"",
      cause: one.place, details: ["A search for an unknown word returns no items."])
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
  func holds(_ text: String) -> Bool {
    switch self {
    case .string(let own): own.contains(text)
    case .array(let items): items.contains { $0.holds(text) }
    case .object(let object): object.values.contains { $0.holds(text) }
    default: false
    }
  }
}
