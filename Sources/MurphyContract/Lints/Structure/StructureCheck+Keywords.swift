import MurphyJSON
import MurphyModel
import MurphySchema

/// Keywords whose values have a form of their own.
extension StructureCheck {
  mutating func types(_ value: Located) {
    let names = SchemaKeyword.typeNames + (line == .v30 ? [] : ["null"])
    guard line > .v30, let list = value.value.array else { return check(value, .word(names)) }
    if list.isEmpty { report("\"type\" must have at least one type", at: value) }
    for item in value.items { check(item, .word(names)) }
    unique(value, "type")
  }

  /// A list of names, each once. In 3.0 an empty one is left out.
  mutating func names(_ value: Located) {
    guard expect(value, value.value.array != nil, "a list of names") else { return }
    for item in value.items { check(item, .string) }
    unique(value, "property")
    if line == .v30, value.value.array?.isEmpty == true {
      report("\(label(value)) must name at least one property in OpenAPI 3.0; leave it out", at: value)
    }
  }

  private mutating func unique(_ value: Located, _ what: String) {
    let names = value.value.array?.compactMap(\.string) ?? []
    if Set(names).count != names.count { report("\(label(value)) names a \(what) twice", at: value) }
  }

  /// "SHOULD have at least one element" (JSON Schema Validation §6.1.2); in 3.0, MUST.
  mutating func values(_ value: Located) {
    guard expect(value, value.value.array != nil, "a list"), value.value.array?.isEmpty == true else { return }
    report("nothing is valid here: \"enum\" has no value", at: value, line == .v30 ? .error : .warning)
  }

  mutating func identifier(_ value: Located) {
    uri(value)
    guard let text = value.value.string, let fragment = URIReference(text).fragment, !fragment.isEmpty else { return }
    report("\"$id\" must not have a fragment; \"$anchor\" names a part", at: value, ofName: false)
  }

  /// JSON Schema Core §8.2.2.
  mutating func anchor(_ value: Located) {
    guard expect(value, value.value.string != nil, "a string"), let text = value.value.string else { return }
    let isName = text.utf8.enumerated().allSatisfy { index, byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): index > 0
      default: false
      }
    }
    guard text.isEmpty || !isName else { return }
    report(
      "\(label(value)) must begin with a letter or _, and have only letters, digits, -, _ and .; found \"\(text)\"",
      at: value, ofName: false)
  }

  /// What OpenAPI 3.0 asks of a Schema Object beyond its keywords' types (§4.7.24).
  mutating func oldRules(_ site: Located) {
    if site.value["type"]?.string == "array", site.value["items"] == nil {
      report("a schema of type array needs \"items\"", at: site)
    }
    if site.value["readOnly"]?.bool == true, site.value["writeOnly"]?.bool == true, let second = site["writeOnly"] {
      report("\"readOnly\" and \"writeOnly\" exclude each other", at: second)
    }
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
      if let field = site[flag], field.value.bool == true, site.value[bound] == nil {
        report("\"\(flag)\" does nothing without \"\(bound)\"", at: field, .warning)
      }
    }
  }
}
