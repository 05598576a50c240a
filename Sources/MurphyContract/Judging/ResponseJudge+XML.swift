import MurphySchema

extension ResponseJudge {
  /// Checks an XML body: well-formedness, the root element, and the schema, by its `xml` hints.
  func xml(_ body: UnsafeRawBufferPointer, _ slot: ResponseSlot, _ media: MediaSlot, _ notes: inout Notes) {
    let prefix = "\(slot.promise.status.text) \(media.promise.range.text)"
    if body.isEmpty {
      let message = "the body is empty; \(media.promise.range.text) is documented"
      return notes.violations.append(xmlViolation(message, "\(prefix) empty", media))
    }
    switch XMLReader.read(body, charset: slot.charset) {
    case .unreadable(let reason): notes.unchecked = "the body is XML \(reason)"
    case .malformed(let message, let line, let column):
      let sentence = "the body is not well-formed XML: line \(line), column \(column): \(message)"
      var violation = xmlViolation(sentence, "\(prefix) malformed", media)
      violation.claim = "the body is not well-formed XML"
      violation.found = [message]
      notes.violations.append(violation)
    case .document(let root):
      guard let schema = media.promise.schema, !isTextOnly(schema.located) else { return }
      switch media.promise.text {
      case .free: return
      case .scalar: other(body, media, schema, &notes)
      case .unreadable: validate(root, schema, media, prefix, &notes)
      }
    }
  }

  /// True for a schema that accepts any document as a string.
  private func isTextOnly(_ schema: Located) -> Bool {
    let target = navigator.target(of: schema)
    guard target.value["type"]?.string == "string" else { return target.value == .bool(true) }
    return target.members.allSatisfy {
      ["type", "title", "description", "example", "examples", "xml"].contains($0.key)
        || $0.key == "format" && ["xml", "binary"].contains($0.located.value.string)
    }
  }

  private func validate(
    _ root: XMLElement, _ schema: SchemaSite, _ media: MediaSlot, _ prefix: String, _ notes: inout Notes
  ) {
    if let problem = XMLMapping.rootProblem(root, schema.located, navigator) {
      return notes.violations.append(xmlViolation(problem, "\(prefix) root"))
    }
    let isNamed = navigator.target(of: schema.located)["xml"]?["name"] != nil
    let seen = isNamed ? "well-formed, root element \(root.name)" : "well-formed XML"
    guard let site = schema.index, let entry = variant.entries[site] else {
      notes.unchecked = Self.unusable
      return
    }
    let mapping = XMLMapping(navigator)
    do throws(UnmappableXML) {
      let value = try mapping.document(root, schema.located)
      switch variant.program.isValid(entry, value) {
      case .valid: break
      case .unchecked(let reason): notes.opaque = "\(seen); \(reason)"
      case .invalid: notes.violations += variant.program.explain(entry, value).map { bodyViolation($0, prefix) }
      }
    } catch {
      notes.opaque = "\(seen); \(error.reason)"
    }
    notes.violations += mapping.problems.map { problem in
      xmlViolation(problem, "\(prefix) \(Self.pattern(problem.pointer)) repeated")
    }
  }

  private func xmlViolation(_ problem: XMLMapping.Problem, _ discriminator: String) -> ContractViolation {
    let place = problem.pointer.description
    return ContractViolation(
      kind: .contractBody, message: place.isEmpty ? problem.message : "\(place): \(problem.message)",
      instancePointer: place, schemaPointer: contract.sources.pointerText(problem.schema),
      source: contract.sources.mark(problem.schema), discriminator: discriminator)
  }

  private func xmlViolation(_ message: String, _ discriminator: String, _ media: MediaSlot) -> ContractViolation {
    ContractViolation(
      kind: .contractBody, message: message, schemaPointer: media.promise.pointer, source: media.promise.source,
      discriminator: discriminator)
  }
}
