import MurphyModel
import MurphySchema

extension ContractDiff {
  mutating func compareResponses(_ before: Contract.Operation, _ after: Contract.Operation) {
    var added = after.responses
    for response in before.responses {
      let part = "response \(response.status.text)"
      let subject = ContractChange.Subject.response(index, response.status)
      guard let next = Self.response(response.status, in: after.responses) else {
        let words = response.isSuccess ? "success status \(response.status.text)" : "status \(response.status.text)"
        add(
          response.isSuccess ? .breaking : .compatible,
          response.isSuccess ? "success-status-removed" : "status-removed", part, "\(words) → removed",
          (response.source, after.source), subject)
        continue
      }
      added.removeAll { $0.status == next.status }
      let (index, status) = (index, response.status)
      compareContent(response.content, next.content, isRequest: false, part, subject, (response.source, next.source)) {
        .response(index, status, $0)
      }
      compareHeaders(response, next)
    }
    for response in added where Self.response(response.status, in: before.responses)?.status != response.status {
      add(
        .compatible, "status-added", "response \(response.status.text)", "new status", (before.source, response.source),
        .callers(index))
    }
  }

  /// The entry for a status: its own, or for one status that of its class.
  private static func response(_ status: ResponsePromise.Status, in list: [ResponsePromise]) -> ResponsePromise? {
    if let own = list.first(where: { $0.status == status }) { return own }
    guard case .exactly(let number) = status else { return nil }
    return list.first { $0.status == .hundred(number / 100) }
  }

  mutating func compareContent(
    _ before: [MediaTypePromise], _ after: [MediaTypePromise], isRequest: Bool, _ part: String,
    _ subject: ContractChange.Subject, _ marks: (SourceMark, SourceMark),
    _ site: @escaping (ContractChange.Site) -> ContractChange.Subject
  ) {
    let direction = isRequest ? "request" : "response"
    var left = before
    var added: [MediaTypePromise] = []
    for media in after {
      if let place = left.firstIndex(where: { $0.range.name == media.range.name }) {
        compare(left.remove(at: place), media, isRequest: isRequest, part, subject, site)
      } else {
        added.append(media)
      }
    }
    for media in added {
      // `application/json` and `application/*` are versions of one another.
      guard let place = left.firstIndex(where: { $0.range.covers(media.range) || media.range.covers($0.range) }) else {
        add(
          .compatible, "\(direction)-media-type-added", part, "new media type \(media.range.text)",
          (marks.0, media.source), subject)
        continue
      }
      let known = left.remove(at: place)
      let isNarrower = known.range.covers(media.range)
      add(
        isNarrower == isRequest ? .breaking : .compatible, "\(direction)-media-type-changed", part,
        "\(known.range.text) → \(media.range.text)", (known.source, media.source), subject)
      compare(known, media, isRequest: isRequest, part, subject, site)
    }
    for media in left {
      add(
        .breaking, "\(direction)-media-type-removed", part, "\(media.range.text) → removed", (media.source, marks.1),
        subject)
    }
  }

  private mutating func compare(
    _ before: MediaTypePromise, _ after: MediaTypePromise, isRequest: Bool, _ part: String,
    _ subject: ContractChange.Subject, _ site: @escaping (ContractChange.Site) -> ContractChange.Subject
  ) {
    let part = "\(part) \(after.range.text)"
    let direction = isRequest ? "request" : "response"
    let marks = (before.source, after.source)
    let side = SchemaSide(isRequest: isRequest, isText: !before.range.isJSON && !before.range.isSequence)
    for (old, new) in [(before.schema?.located, after.schema?.located), (before.itemSchema, after.itemSchema)] {
      switch (old, new) {
      case (nil, nil): break
      case (let old?, let new?): compare(old, new, side, part, site)
      case (nil, _):
        add(
          isRequest ? .breaking : .compatible, "\(direction)-schema-added", part, "any content → content of a schema",
          marks,
          subject)
      case (_, nil):
        add(
          isRequest ? .compatible : .possiblyBreaking, "\(direction)-schema-removed", part,
          "content of a schema → any content",
          reason: isRequest ? nil : "the form of the content is not documented any more",
          marks, subject)
      }
    }
    if before.encodings != after.encodings {
      add(
        .possiblyBreaking, "\(direction)-encoding-changed", part, "encoding",
        reason: "fields may be written in another way",
        marks, subject)
    }
  }

  private mutating func compareHeaders(_ before: ResponsePromise, _ after: ResponsePromise) {
    let (index, status) = (index, before.status)
    func subject(_ name: String) -> ContractChange.Subject { .header(index, status, name.lowercased()) }
    func part(_ name: String) -> String { "response \(status.text), header \(name)" }
    var added = after.headers
    for header in before.headers {
      guard let place = added.firstIndex(where: { $0.name.lowercased() == header.name.lowercased() }) else {
        add(
          header.isRequired ? .breaking : .possiblyBreaking,
          header.isRequired ? "required-header-removed" : "header-removed", part(header.name), "removed",
          reason: header.isRequired ? nil : "it was optional, but clients may need it", (header.source, after.source),
          subject(header.name))
        continue
      }
      let next = added.remove(at: place)
      let marks = (header.source, next.source)
      if header.isRequired != next.isRequired {
        add(
          header.isRequired ? .breaking : .compatible, "header-became-\(header.isRequired ? "optional" : "required")",
          part(header.name), header.isRequired ? "required → optional" : "optional → required", marks,
          subject(header.name))
      }
      switch (header.schema?.located, next.schema?.located) {
      case (let old?, let new?):
        compare(old, new, SchemaSide(isRequest: false, isText: true), part(header.name)) {
          .header(index, status, header.name.lowercased(), $0)
        }
      case (_?, nil):
        add(
          .possiblyBreaking, "header-schema-removed", part(header.name), "values of a schema → any value",
          reason: "the form of the value is not documented any more", marks, subject(header.name))
      case (nil, _): break
      }
    }
    for header in added {
      add(
        .compatible, "header-added", part(header.name), "new header", (before.source, header.source),
        subject(header.name))
    }
  }
}

extension MediaRange {
  /// For comparison: lower case, with sorted parameters.
  fileprivate var name: String {
    "\(type)/\(subtype)" + parameters.map { ";\($0.name)=\($0.value)" }.sorted().joined()
  }

  /// True if every type that `other` allows is one of this range.
  fileprivate func covers(_ other: MediaRange) -> Bool {
    (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
      && parameters.allSatisfy(other.parameters.contains)
  }
}
