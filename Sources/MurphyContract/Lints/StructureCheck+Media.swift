import MurphyModel

/// Media types: fields that go together, and those that the media type has no use for.
extension StructureCheck {
  /// From 3.2 on, `encoding` is for named parts, `prefixEncoding` and `itemEncoding` are for parts by position.
  mutating func encodings(_ site: Located) {
    exclusive(site, "encoding", "prefixEncoding")
    exclusive(site, "encoding", "itemEncoding")
    headerNames(site["headers"])
  }

  /// Fields that are ignored for this media type are allowed, but cannot be meant.
  mutating func applicable(_ site: Located, to name: String) {
    guard let media = try? sources.resolved(site), let range = MediaRange(name), range.type != "*" else { return }
    let isMultipart = range.type == "multipart"
    for field in ["encoding", "prefixEncoding", "itemEncoding"] {
      guard let place = media[field], place.document == site.document else { continue }
      let isForm = isMultipart || range.subtype == "x-www-form-urlencoded"
      if !(field == "encoding" ? isForm : isMultipart) {
        report("\"\(field)\" does nothing for \(name)", at: place, .warning)
      }
    }
    if let place = media["itemSchema"], !isMultipart, !range.isSequence {
      report("\"itemSchema\" is for sequences such as application/jsonl, not for \(name)", at: place, .warning)
    }
  }

  mutating func example(_ site: Located) {
    for (one, other) in [
      ("value", "externalValue"), ("value", "dataValue"), ("value", "serializedValue"),
      ("externalValue", "serializedValue"),
    ] {
      exclusive(site, one, other)
    }
  }
}
