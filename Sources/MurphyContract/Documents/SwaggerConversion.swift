import MurphyModel
import MurphySchema

/// Rewrites a Swagger 2.0 document as OpenAPI 3.0, so that no other code reads two forms.
///
/// ```
/// host, basePath, schemes                     servers
/// { in: body, schema: S }, consumes           requestBody: { content: { application/json: { schema: S } } }
/// { in: formData, name: n, type: T }          requestBody: { content: { …: { schema: { properties: { n: … } } } } }
/// { in: query, type: T }                      { in: query, schema: { type: T } }
/// responses: { 200: { schema: S } }, produces responses: { 200: { content: { application/json: { schema: S } } } }
/// securityDefinitions                         components: { securitySchemes }
/// ```
/// `definitions`, `parameters` and `responses` keep their places, so that references to them stay valid. Each part has
/// the position of the part that it is made from.
struct SwaggerConversion {
  let root: MarkedValue
  private(set) var notes: [Note] = []
  /// Schemas nested deeper are not rewritten.
  static let deepest = 500

  /// A mistake, or a part that OpenAPI 3.0 cannot express.
  struct Note {
    var message: String
    var place: SourceMarks.Place
    var severity: Diagnostic.Severity
  }

  init(_ root: MarkedValue) { self.root = root }

  /// True for a document of Swagger 2.0.
  static func applies(to value: JSONValue) -> Bool {
    guard let version = value["swagger"], value["openapi"] == nil else { return false }
    return version.string == "2.0" || version.number != nil && version.double == 2
  }

  mutating func note(_ message: String, at part: MarkedValue, _ severity: Diagnostic.Severity = .warning) {
    notes.append(Note(message: message, place: part.place, severity: severity))
  }

  mutating func converted() -> MarkedValue {
    var result: [MarkedValue.Member] = []
    for member in root.members {
      var member = member
      switch member.key {
      case "host", "basePath", "schemes", "consumes", "produces": continue
      case "paths": member.value.mapMembers { $0.hasPrefix("x-") ? $1 : pathItem($1) }
      case "definitions": member.value.mapMembers { schema($1) }
      case "parameters": member.value = sharedParameters(member.value)
      case "responses": member.value.mapMembers { response($1, root["produces"]) }
      case "securityDefinitions":
        member.value.mapMembers { securityScheme($1) }
        let schemes = MarkedValue.Member(key: "securitySchemes", value: member.value)
        member = MarkedValue.Member(key: "components", value: member.value.with([schemes]))
      default: break
      }
      result.append(member)
    }
    if let servers { result.append(servers) }
    return root.with(result)
  }

  /// One URL for each scheme. A document without a host has a relative URL.
  private var servers: MarkedValue.Member? {
    guard let site = root["host"] ?? root["basePath"] else { return nil }
    let path = root["basePath"]?.string ?? ""
    var urls: [MarkedValue] = []
    if let host = root["host"]?.string {
      let rest = "//" + host + (path == "/" ? "" : path)
      urls = (root["schemes"]?.items ?? []).compactMap { scheme in
        scheme.string.map { scheme.text("\($0):\(rest)") }
      }
      if urls.isEmpty { urls = [site.text(rest)] }
    } else {
      urls = [site.text(path)]
    }
    let list = urls.map { $0.with([MarkedValue.Member(key: "url", value: $0)]) }
    return MarkedValue.Member(key: "servers", value: MarkedValue(.array(list), value: site.place, name: site.name))
  }

  private mutating func securityScheme(_ scheme: MarkedValue) -> MarkedValue {
    var scheme = scheme
    guard let type = scheme["type"] else { return scheme }
    switch type.string {
    case "basic":
      scheme.replace("type", type.text("http"))
      scheme.put("scheme", type.text("basic"))
    case "oauth2":
      let moved = ["flow", "authorizationUrl", "tokenUrl", "scopes"]
      guard let flow = scheme["flow"], let name = Self.flows[flow.string ?? ""] else {
        note(
          "\"flow\" of an oauth2 scheme must be one of \(Self.flows.keys.sorted().joined(separator: ", "))",
          at: scheme["flow"] ?? scheme, .error)
        return scheme
      }
      let fields = scheme.members.filter { $0.key != "flow" && moved.contains($0.key) }
      let flows = flow.with([MarkedValue.Member(key: name, value: flow.with(fields))])
      scheme.content = .object(scheme.members.filter { !moved.contains($0.key) })
      scheme.put("flows", flows)
    default: break
    }
    return scheme
  }

  /// The flows of Swagger 2.0 by their names in OpenAPI 3.
  private static let flows = [
    "implicit": "implicit", "password": "password", "application": "clientCredentials",
    "accessCode": "authorizationCode",
  ]

  /// The part that a chain of references inside the document leads to; nil if it leads nowhere or to another file.
  func target(_ part: MarkedValue) -> MarkedValue? {
    var part = part
    for _ in 0..<100 {
      guard let reference = part["$ref"]?.string else { return part }
      guard reference.hasPrefix("#"), let pointer = JSONPointer(PercentEncoding.decode(reference.dropFirst())),
        let next = root.part(at: pointer)
      else { return nil }
      part = next
    }
    return nil
  }
}
