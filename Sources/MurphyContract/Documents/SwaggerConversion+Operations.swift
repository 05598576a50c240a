import MurphyModel
import MurphySchema

/// Path items, operations and responses.
extension SwaggerConversion {
  mutating func pathItem(_ item: MarkedValue) -> MarkedValue {
    let (kept, bodies) = split(item["parameters"])
    var result: [MarkedValue.Member] = []
    for member in item.members {
      var member = member
      if member.key == "parameters" {
        member.value.replaceItems(kept)
      } else if ContractAssembly.methods.contains(member.key) {
        let takesBody = !["get", "head"].contains(member.key)
        member.value = operation(member.value, inherited: takesBody ? bodies : [])
      }
      result.append(member)
    }
    return item.with(result)
  }

  /// - Parameter inherited: the path item's parameters of the body.
  private mutating func operation(_ site: MarkedValue, inherited: [MarkedValue]) -> MarkedValue {
    guard case .object(let members) = site.content else { return site }
    let (kept, own) = split(site["parameters"])
    let bodies = inherited.filter { old in !own.contains { Self.isSame($0, old) } } + own
    let produces = site["produces"]
    var result: [MarkedValue.Member] = []
    for member in members {
      var member = member
      switch member.key {
      case "consumes", "produces", "schemes": continue
      case "parameters": member.value.replaceItems(kept)
      case "responses":
        member.value.mapMembers { name, response in
          name.hasPrefix("x-") ? response : operationResponse(response, produces)
        }
      default: break
      }
      result.append(member)
    }
    if let body = requestBody(bodies, site["consumes"] ?? root["consumes"]) { result.append(body) }
    return site.with(result)
  }

  /// A body replaces a body. A field of a form replaces the field with its name.
  private static func isSame(_ one: MarkedValue, _ other: MarkedValue) -> Bool {
    guard let place = one["in"]?.string, place == other["in"]?.string else { return false }
    return place == "body" || one["name"]?.string == other["name"]?.string
  }

  /// A shared response is written in place of its reference if the operation produces other media types.
  private mutating func operationResponse(_ site: MarkedValue, _ produces: MarkedValue?) -> MarkedValue {
    guard site["$ref"] != nil else { return response(site, produces ?? root["produces"]) }
    guard produces != nil, let shared = target(site) else { return site }
    return response(shared, produces)
  }

  mutating func response(_ site: MarkedValue, _ produces: MarkedValue?) -> MarkedValue {
    let examples = site["examples"]
    var result: [MarkedValue.Member] = []
    for member in site.members {
      var member = member
      switch member.key {
      case "examples": continue
      case "schema":
        let types = mediaTypes(produces, otherwise: "*/*", at: member.value)
        member = content(types, schema(member.value), examples, at: member.value)
      case "headers": member.value.mapMembers { header($1) }
      default: break
      }
      result.append(member)
    }
    if let examples, site["schema"] == nil { result.append(content([], nil, examples, at: examples)) }
    return site.with(result)
  }

  /// The names of a list of media types at their positions; `default` for a list that is missing or empty.
  func mediaTypes(_ list: MarkedValue?, otherwise standard: String, at site: MarkedValue) -> [MarkedValue] {
    var seen: Set<String> = []
    let types = (list?.items ?? []).filter { $0.string.map { seen.insert($0).inserted } ?? false }
    return types.isEmpty ? [site.text(standard)] : types
  }

  /// `content`, with one entry for each media type and for each further one that has an example.
  private func content(
    _ types: [MarkedValue], _ schema: MarkedValue?, _ examples: MarkedValue?, at site: MarkedValue
  ) -> MarkedValue.Member {
    var entries = types.map { type in
      mediaType(type, schema, examples?[type.string ?? ""], at: site)
    }
    let known = Set(entries.map(\.key))
    for example in examples?.members ?? [] where !known.contains(example.key) {
      entries.append(mediaType(example.name, nil, example.value, at: example.value))
    }
    return MarkedValue.Member(key: "content", value: site.with(entries))
  }

  func mediaType(
    _ type: MarkedValue, _ schema: MarkedValue?, _ example: MarkedValue?, at site: MarkedValue
  ) -> MarkedValue.Member {
    var media = site.with([])
    media.name = type.place
    if let schema { media.put("schema", schema) }
    if let example { media.put("example", example) }
    return MarkedValue.Member(key: type.string ?? "", value: media)
  }
}
