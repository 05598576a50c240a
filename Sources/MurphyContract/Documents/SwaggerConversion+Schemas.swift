import MurphyModel
import MurphySchema

/// Schemas: the keywords that OpenAPI 3.0 writes in another way.
extension SwaggerConversion {
  private static let maps: Set = ["properties", "patternProperties"]
  private static let children: Set = [
    "items", "additionalItems", "additionalProperties", "not", "allOf", "anyOf", "oneOf",
  ]

  mutating func schema(_ site: MarkedValue, depth: Int = 0) -> MarkedValue {
    guard case .object(let members) = site.content, depth < Self.deepest else { return site }
    var result: [MarkedValue.Member] = []
    for member in members {
      var member = member
      switch member.key {
      case "x-nullable" where site["nullable"] == nil: member.key = "nullable"
      case "collectionFormat" where depth > 0 && site["type"]?.string == "array": continue
      case "discriminator" where member.value.string != nil:
        member.value = member.value.with([MarkedValue.Member(key: "propertyName", value: member.value)])
      case "type":
        result += types(member, in: site)
        continue
      case let key where Self.maps.contains(key): member.value.mapMembers { schema($1, depth: depth + 1) }
      case let key where Self.children.contains(key):
        if case .array(let items) = member.value.content {
          member.value.content = .array(items.map { schema($0, depth: depth + 1) })
        } else {
          member.value = schema(member.value, depth: depth + 1)
        }
      default: break
      }
      result.append(member)
    }
    return site.with(result)
  }

  /// `type: file` is a string of bytes. A list of types is one type, `nullable` or `anyOf`.
  private func types(_ member: MarkedValue.Member, in site: MarkedValue) -> [MarkedValue.Member] {
    var member = member
    if member.value.string == "file" {
      member.value = member.value.text("string")
      let format = MarkedValue.Member(key: "format", value: member.value.text("binary"))
      return site["format"] == nil ? [member, format] : [member]
    }
    guard case .array(let list) = member.value.content else { return [member] }
    let named = list.filter { $0.string != "null" }
    var result: [MarkedValue.Member] = []
    if named.count == 1 {
      result.append(MarkedValue.Member(key: "type", value: named[0]))
    } else if named.count > 1, site["anyOf"] == nil {
      // In OpenAPI 3.0 the type array needs "items" in the same schema.
      let items = site.members.filter { $0.key == "items" }
      let branches = named.map { type in
        type.with([MarkedValue.Member(key: "type", value: type)] + (type.string == "array" ? items : []))
      }
      member.value.content = .array(branches)
      result.append(MarkedValue.Member(key: "anyOf", value: member.value))
    }
    if named.count < list.count, site["nullable"] == nil, site["x-nullable"] == nil {
      result.append(MarkedValue.Member(key: "nullable", value: MarkedValue(.bool(true), at: member.value.place)))
    }
    return result
  }
}
