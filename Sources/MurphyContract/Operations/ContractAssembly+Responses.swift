import MurphyJSON
import MurphyModel

extension ContractAssembly {
  mutating func responses(_ operation: Located, method: String) -> [ResponsePromise] {
    guard let responses = operation["responses"] else { return [] }
    var promises: [ResponsePromise] = []
    for (key, site) in responses.members where !key.hasPrefix("x-") {
      guard let status = ResponsePromise.Status(key) else {
        report("\"\(key)\" is no status: 100 to 599, 1XX to 5XX or default are", at: site)
        continue
      }
      guard let response = resolve(site) else { continue }
      promises.append(
        ResponsePromise(
          status: status, content: mediaTypes(response["content"], compiled: true),
          headers: headers(response["headers"]),
          pointer: sources.pointerText(site), source: sources.mark(site)))
    }
    return promises
  }

  /// The media types of a `content`, the most specific range first.
  mutating func mediaTypes(_ content: Located?, compiled: Bool) -> [MediaTypePromise] {
    var promises: [MediaTypePromise] = []
    for (key, site) in content?.members ?? [] {
      guard let range = MediaRange(key) else {
        report("\"\(key)\" is no media type: one such as application/json is expected", at: site)
        continue
      }
      // 3.2 admits references to media types.
      guard let media = resolve(site) else { continue }
      let checked = compiled && (range.admitsJSON || range.isText)
      promises.append(
        MediaTypePromise(
          range: range, schema: media["schema"].map { self.site($0, compiled: checked) },
          isSequence: media["itemSchema"] != nil, pointer: sources.pointerText(media), source: sources.mark(site)))
    }
    return promises.sorted { $0.range.specificity > $1.range.specificity }
  }

  private mutating func headers(_ headers: Located?) -> [HeaderPromise] {
    (headers?.members ?? []).compactMap { name, site in
      // A response header named Content-Type is ignored (OpenAPI 3.1 §4.8.17.1).
      guard name.lowercased() != "content-type", let header = resolve(site) else { return nil }
      let content = header["content"]?.members.first
      let schema = header["schema"] ?? content?.located["schema"]
      let isJSON = content.flatMap { MediaRange($0.key)?.isJSON } ?? false
      let shape = schema.map { HeaderShape($0, in: &sources, explode: header["explode"]?.value.bool ?? false) }
      return HeaderPromise(
        name: name, lowercased: Array(name.lowercased().utf8), isRequired: header["required"]?.value.bool ?? false,
        shape: isJSON ? .json : shape ?? .text, schema: schema.map { self.site($0, compiled: true) },
        pointer: sources.pointerText(header), source: sources.mark(header))
    }
  }

  private mutating func site(_ schema: Located, compiled: Bool) -> SchemaSite {
    SchemaSite(located: schema, entry: compiled ? schemas?.entry(schema) : nil)
  }
}
