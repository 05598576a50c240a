import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel

/// Requests one resource in two ways, as HTTP allows: HEAD compared with GET, `If-None-Match`, OPTIONS.
struct WalkProbes {
  let client: WalkClient
  let operation: Int
  let contract: Contract
  /// The request with another method and more headers; nil if it cannot be written.
  let request: (_ method: String?, _ headers: [HeaderField]) -> HTTPRequest?

  func run() async {
    guard let get = request(nil, []), let before = await client.send(get, operation), before.status == 200 else {
      return
    }
    let head = await send("HEAD")
    let options = await send("OPTIONS")
    guard let after = await client.send(get, operation), after.status == 200 else { return }
    let isStill = before.body == after.body
    if let head { compare(head, before, after, isStill) }
    if let options { compare(options, head, before) }
    await requestConditionally(before, after, isStill)
    await requestRepresentations()
  }

  /// Two media types of one resource, requested by `Accept`.
  private func requestRepresentations() async {
    let types =
      contract.operations[operation].responses.first { $0.status == .exactly(200) }?.content
      .map { $0.range.text }.filter { !$0.contains("*") } ?? []
    guard types.count >= 2 else { return }
    var responses: [WalkClient.Response] = []
    for type in types.prefix(2) {
      guard let response = await send("GET", [HeaderField("Accept", type)]), response.status == 200 else { return }
      responses.append(response)
    }
    let (one, other) = (responses[0], responses[1])
    guard let first = one["content-type"], let second = other["content-type"], first != second else {
      return client.recordUnsupported(.vary, of: operation, "the header Accept does not change the response")
    }
    let silent = responses.firstIndex { response in
      let names = (response["vary"] ?? "").lowercased().split { $0 == "," || $0 == " " }
      return !names.contains("accept") && !names.contains("*")
    }
    recordResult(
      .vary, silent == 0 ? one : other,
      silent.map { responses[$0] }.map {
        "Accept selects between \(first) and \(second), but Vary is \($0["vary"] ?? "missing")"
      },
      severity: .warning, after: silent == 0 ? other : one)
  }

  private func send(_ method: String, _ headers: [HeaderField] = []) async -> WalkClient.Response? {
    guard let request = request(method, headers) else { return nil }
    return await client.send(request, operation)
  }

  /// - Parameter message: the error; nil if the two ways agree.
  private func recordResult(
    _ rule: RelationRule, _ response: WalkClient.Response, _ message: String? = nil,
    severity: Finding.Severity = .error,
    after other: WalkClient.Response? = nil
  ) {
    client.recordResult(rule, of: operation, message, response, after: other, severity: severity)
  }

  /// The headers of HEAD, if present; it may omit some (RFC 9110 §9.3.2).
  private func compare(
    _ head: WalkClient.Response, _ before: WalkClient.Response, _ after: WalkClient.Response, _ isStill: Bool
  ) {
    // An API without HEAD violates a rule other than this one.
    guard ![404, 405, 501].contains(head.status) else {
      return client.recordUnsupported(.head, of: operation, "HEAD returns \(head.status)")
    }
    guard head.status == before.status else {
      return recordResult(.head, head, "HEAD returns \(head.status), but GET returns \(before.status)", after: before)
    }
    // The page of an application for every path or method that the server does not know.
    func isPage(_ response: WalkClient.Response) -> Bool { response["content-type"]?.hasPrefix("text/html") == true }
    guard !isPage(head) || isPage(before) else {
      return client.recordUnsupported(.head, of: operation, "HEAD returns an HTML page")
    }
    let names = isStill ? ["content-type", "etag", "last-modified", "content-length"] : ["content-type"]
    for name in names {
      guard let value = head[name], let own = before[name], own == after[name], own != value else { continue }
      // An encoded content has another length.
      if name == "content-length", before["content-encoding"] != nil || head["content-encoding"] != nil { continue }
      return recordResult(.head, head, "\(name) is \"\(value)\" for HEAD, but \"\(own)\" for GET", after: before)
    }
    recordResult(.head, head)
  }

  private func compare(_ options: WalkClient.Response, _ head: WalkClient.Response?, _ get: WalkClient.Response) {
    guard options.status == 405 || (200..<300).contains(options.status), let allow = options["allow"] else {
      return client.recordUnsupported(.allow, of: operation, "OPTIONS returns no Allow header")
    }
    let methods = Set(allow.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).uppercased() })
    if !methods.contains("GET") {
      return recordResult(.allow, options, "Allow is \"\(allow)\", but GET succeeds", after: get)
    }
    if methods.contains("HEAD"), let head, [405, 501].contains(head.status) {
      return recordResult(.allow, head, "Allow is \"\(allow)\", but HEAD returns \(head.status)", after: options)
    }
    recordResult(.allow, options)
  }

  private func requestConditionally(
    _ before: WalkClient.Response, _ after: WalkClient.Response, _ isStill: Bool
  ) async {
    guard let tag = before["etag"], let other = after["etag"] else {
      client.recordUnsupported(.etag, of: operation, "the responses have no ETag")
      return client.recordUnsupported(.notModified, of: operation, "the responses have no ETag")
    }
    if !tag.hasPrefix("W/") {
      let isShared = tag == other && !isStill
      // Two different contents must not have the same tag.
      if isStill {
        client.recordUntested(.etag, of: operation, "the content did not change between two responses")
      } else {
        recordResult(.etag, after, isShared ? "two different contents have the same strong ETag" : nil, after: before)
      }
    } else {
      client.recordUntested(.etag, of: operation, "the ETag is weak")
    }
    guard tag == other, isStill else { return }
    let documents304 = contract.operations[operation].responses.contains { $0.status == .exactly(304) }
    if let same = await send("GET", [HeaderField("If-None-Match", tag)]),
      same.status == 304 || same.status == 200 && same["etag"] == tag
    {
      let isWrong = same.status == 200
      recordResult(
        .notModified, same, isWrong ? "a request with the current ETag returns 200 with the whole content" : nil,
        severity: documents304 ? .error : .warning, after: before)
    }
    if let stranger = await send("GET", [HeaderField("If-None-Match", "\"murphy-has-no-such-tag\"")]),
      stranger.status == 304 || stranger.status == 200
    {
      recordResult(
        .notModified, stranger,
        stranger.status == 304 ? "a request with an unknown ETag returns 304" : nil)
    }
  }
}
