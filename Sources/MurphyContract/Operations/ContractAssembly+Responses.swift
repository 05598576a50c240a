import MurphyModel
import MurphySchema

extension ContractAssembly {
  mutating func responses(_ operation: Located, method: String) -> [ResponsePromise] {
    guard let responses = operation["responses"] else { return [] }
    var promises: [ResponsePromise] = []
    for (key, site) in responses.members where !key.hasPrefix("x-") {
      guard let status = ResponsePromise.Status(key) else {
        report("\"\(key)\" is not a status: 100 to 599, 1XX to 5XX or default are", at: site)
        continue
      }
      guard let response = resolve(site) else { continue }
      promises.append(
        ResponsePromise(
          status: status, content: mediaTypes(response["content"], isResponse: true),
          headers: headers(response["headers"]), links: links(response["links"]),
          pointer: sources.pointerText(site), source: sources.mark(site)))
    }
    return promises
  }

  private mutating func links(_ entries: Located?) -> [ResponseLink] {
    (entries?.members ?? []).compactMap { _, entry in
      guard let link = try? sources.resolved(entry), let operation = Self.linked(link) else { return nil }
      var parameters: [String: JSONPointer] = [:]
      for (name, value) in link["parameters"]?.members ?? [] {
        // `path.id` includes the parameter's location.
        let name = name.split(separator: ".", maxSplits: 1).last.map(String.init) ?? name
        guard let text = value.value.string, text.hasPrefix("$response.body#"),
          let pointer = JSONPointer(String(text.dropFirst("$response.body#".count)))
        else { continue }
        parameters[name] = pointer
      }
      return ResponseLink(operation: operation, parameters: parameters)
    }
  }

  /// The operation that a link refers to.
  private static func linked(_ link: Located) -> String? {
    link["operationId"]?.value.string
      ?? link["operationRef"]?.value.string.flatMap(Contract.operationName(reference:))
  }

  /// The media types of a `content`, the most specific range first.
  mutating func mediaTypes(_ content: Located?, isResponse: Bool) -> [MediaTypePromise] {
    var promises: [MediaTypePromise] = []
    for (key, entry) in content?.members ?? [] {
      guard let range = MediaRange(key) else {
        report("\"\(key)\" is not a media type: one such as application/json is expected", at: entry)
        continue
      }
      // 3.2 allows references to media types.
      guard let media = resolve(entry) else { continue }
      let isJudged = isResponse && (range.admitsJSON || range.isXML || range.isText)
      promises.append(
        MediaTypePromise(
          range: range, schema: media["schema"].map { site($0, isJudged: isJudged) },
          isSequence: media["itemSchema"] != nil,
          text: media["schema"].map { text(range, $0) } ?? .free, pointer: sources.pointerText(media),
          source: sources.mark(entry)))
    }
    return promises.sorted { $0.range.specificity > $1.range.specificity }
  }

  private mutating func text(_ range: MediaRange, _ schema: Located) -> TextPromise {
    guard let resolved = try? sources.resolved(schema) else { return .unreadable }
    let asserting = resolved.members.map(\.key).filter {
      !["description", "title", "example", "contentMediaType"].contains($0)
    }
    let isBytes = asserting == ["type", "format"] && ["binary", "byte"].contains(resolved["format"]?.value.string)
    if resolved.value.bool == true || asserting.isEmpty || isBytes { return .free }
    guard range.isText else { return .unreadable }
    switch HeaderShape(schema, in: &sources, explode: false) {
    case .text: return .scalar(.text)
    case .scalar(let types): return .scalar(.scalar(types))
    case .array, .object, .json: return .unreadable
    }
  }

  private mutating func headers(_ headers: Located?) -> [HeaderPromise] {
    (headers?.members ?? []).compactMap { name, entry -> HeaderPromise? in
      // A response header named Content-Type is ignored (OpenAPI 3.1 §4.8.17.1).
      guard name.lowercased() != "content-type", let header = resolve(entry) else { return nil }
      let content = header["content"]?.members.first
      let schema = header["schema"] ?? content?.located["schema"]
      let isJSON = content.flatMap { MediaRange($0.key)?.isJSON } ?? false
      let shape = schema.map { HeaderShape($0, in: &sources, explode: header["explode"]?.value.bool ?? false) }
      return HeaderPromise(
        name: name, isRequired: header["required"]?.value.bool ?? false,
        shape: isJSON ? .json : shape ?? .text, schema: schema.map { site($0, isJudged: true) },
        pointer: sources.pointerText(header), source: sources.mark(header))
    }
  }
}
