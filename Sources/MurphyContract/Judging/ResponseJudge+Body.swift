import MurphyModel
import MurphySchema

extension ResponseJudge {
  func body(
    _ response: ResponseView, _ slot: ResponseSlot, _ contentType: UnsafeRawBufferPointer, _ outcome: inout Outcome
  ) {
    if slot.media.isEmpty {
      if !response.body.isEmpty || response.bodyIncomplete {
        outcome.violations.append(undocumentedBody(response, slot, contentType))
      }
      return
    }
    guard !contentType.isEmpty else {
      outcome.violations.append(missingContentType(response, slot))
      return
    }
    guard let media = slot.media(for: contentType) else {
      outcome.violations.append(undocumentedType(slot, contentType))
      if let content = unreadableContent(response) { outcome.violations.append(content) }
      return
    }
    media.count += 1
    if response.bodyIncomplete {
      outcome.unchecked = "the body was cut off at the size limit"
    } else if let defect = media.defect {
      outcome.unchecked = defect
    } else if slot.isEventStream {
      outcome.opaque = "a stream of events: murphy counts the events, but does not check them"
    } else if media.isSequence {
      outcome.opaque = "\(media.promise.range.text) is a sequence (itemSchema): murphy does not check its items"
    } else if slot.isJSON {
      json(response, slot, media, &outcome)
    } else if response.status == 206, slot.isXML || slot.signature != nil {
      outcome.opaque = "a part of the content (206 Partial Content)"
    } else if slot.isXML {
      xml(response.body, slot, media, &outcome)
    } else if let problem = binary(response.body, slot, media) {
      outcome.violations.append(problem)
    } else if let schema = media.promise.schema {
      other(response.body, media, schema, &outcome)
    }
  }

  private func json(
    _ response: ResponseView, _ slot: ResponseSlot, _ media: MediaSlot, _ outcome: inout Outcome
  ) {
    let key = KnownBodies.Key(response.body, media)
    let place = remembers && !media.examinesNext && !wantsMutants(media) ? known.place(of: response.body, key) : nil
    if let place {
      media.countBody()
      if relating < 0 { return }
      if let relations, let reading = known.reading(at: place),
        relations.repeatReading(reading, operation: relating, target: response.target)
      {
        return
      }
    }
    switch bodyParser.parsed(response.body) {
    case .malformed(let error) where error.kind != .syntax: outcome.unchecked = "the body is \(error.message)"
    case .malformed(let error): outcome.violations.append(malformed(error, slot, media, isEmpty: response.body.isEmpty))
    case .tape(let tape):
      if let place, let relations {
        let reading = relations.readForRepeats(tape, operation: relating, target: response.target)
        return known.keep(reading, at: place)
      }
      if relating >= 0 { relations?.read(tape, operation: relating, target: response.target) }
      if validate(tape, slot, media, &outcome), remembers { known.keep(response.body, key) }
    case .value(let value): validate(value, slot, media, &outcome)
    }
  }

  /// - Returns: true if the body was validated and conforms.
  private func validate(_ tape: Tape, _ slot: ResponseSlot, _ media: MediaSlot, _ outcome: inout Outcome) -> Bool {
    guard let site = media.site else { return false }
    guard let entry = entries[site] else {
      outcome.unchecked = Self.unusable
      return false
    }
    let isLookedAt = media.examinesNext
    media.countBody()
    switch program.isValid(entry, tape, scratch) {
    case .valid:
      let isVacant = isVacant(tape, media)
      if isVacant { outcome.unchecked = Self.vacant }
      if isLookedAt || wantsMutants(media) {
        let value = tape.value(at: tape.root)
        if isLookedAt { observe(value, media) }
        mutate(value, slot, media, site)
      }
      return !isVacant
    case .unchecked(let reason):
      outcome.unchecked = reason
      if isLookedAt { observe(tape.value(at: tape.root), media) }
    case .invalid:
      let value = tape.value(at: tape.root)
      if isLookedAt || media.lacksProperties { observe(value, media, isValid: false) }
      refuse(value, slot, media, site, &outcome)
    }
    return false
  }

  /// Validates a body that the tape cannot hold, with the exact validator.
  private func validate(_ value: JSONValue, _ slot: ResponseSlot, _ media: MediaSlot, _ outcome: inout Outcome) {
    guard let site = media.site else { return }
    guard let entry = entries[site] else {
      outcome.unchecked = Self.unusable
      return
    }
    let validity = program.isValid(entry, value)
    let isInvalid = if case .invalid = validity { true } else { false }
    if media.examinesNext || isInvalid && media.lacksProperties { observe(value, media, isValid: !isInvalid) }
    media.countBody()
    switch validity {
    case .valid: mutate(value, slot, media, site)
    case .unchecked(let reason): outcome.unchecked = reason
    case .invalid: refuse(value, slot, media, site, &outcome)
    }
  }

  static let unusable = "the schema of the body cannot be used"

  /// Reports the violations of a body that the program rejected.
  private func refuse(
    _ value: JSONValue, _ slot: ResponseSlot, _ media: MediaSlot, _ site: Int, _ outcome: inout Outcome
  ) {
    let prefix = "\(slot.promise.status.text) \(media.promise.range.text)"
    guard let entry = variant.entries[site] else {
      outcome.unchecked = Self.unusable
      return
    }
    // One part of an `allOf` may document a field that another does not. The exact walk decides.
    if strict != nil, let schema = media.promise.schema {
      outcome.violations += undocumented.find(schema.located, value).map { undocumentedField($0, prefix) }
      if case .valid = variant.program.isValid(entry, value) {
        mutate(value, slot, media, site)
        return
      }
    }
    let violations = variant.program.explain(entry, value)
    outcome.violations += violations.map { bodyViolation($0, prefix) }
    if violations.isEmpty {
      outcome.violations.append(
        ContractViolation(
          kind: .contractBody, message: "the body violates its schema", schemaPointer: media.promise.pointer,
          source: media.promise.source, discriminator: "\(prefix) unexplained"))
    }
  }

  /// Records the parts of the schema that a body exercises, even if another part of it is invalid.
  ///
  /// - Parameter isValid: false for an invalid body. Then no branch of an alternative documents its fields.
  private func observe(_ value: JSONValue, _ media: MediaSlot, isValid: Bool = true) {
    media.coverage?.observe(value, variant)
    media.formats.observe(value)
    guard isValid, strict == nil, media.wantsExtraFields, let schema = media.promise.schema else { return }
    media.countExtraFields(undocumented.find(schema.located, value).map { Self.pattern($0.pointer) })
  }

  private func wantsMutants(_ media: MediaSlot) -> Bool { options.mutants && media.mutated < Mutants.bodies }

  /// Mutates the first bodies that are valid by the contract, even if strict mode rejects them.
  private func mutate(_ value: JSONValue, _ slot: ResponseSlot, _ media: MediaSlot, _ site: Int) {
    guard wantsMutants(media), let schema = media.promise.schema else { return }
    media.mutated += 1
    let found = Mutants(contract.schemas, variant).accepted(value, schema.located, site: site)
    guard !found.isEmpty, media.vacuous == nil else { return }
    media.vacuous = vacuousSchema(found, schema.located, "\(slot.promise.status.text) \(media.promise.range.text)")
  }

  /// Checks bodies that are not JSON: text can be a string, other content cannot be read.
  func other(
    _ body: UnsafeRawBufferPointer, _ media: MediaSlot, _ schema: SchemaSite, _ outcome: inout Outcome
  ) {
    let range = media.promise.range
    switch media.promise.text {
    case .free: return
    case .unreadable:
      outcome.opaque =
        range.isBinary
        ? "binary content: murphy checked the type and the length, but not the content"
        : "the schema for \(range.text) was not checked: murphy reads only JSON, XML and plain text"
    case .scalar(let shape):
      guard let site = schema.index, let entry = variant.entries[site] else {
        outcome.unchecked = Self.unusable
        return
      }
      headerText.write(body, as: shape)
      headerText.withJSON { json in
        guard case .tape(let tape) = bodyParser.parse(json) else { return }
        switch variant.program.isValid(entry, tape, scratch) {
        case .valid: break
        case .unchecked(let reason): outcome.unchecked = reason
        case .invalid:
          let value = tape.value(at: tape.root)
          outcome.violations += variant.program.explain(entry, value).map { bodyViolation($0, range.text) }
        }
      }
    }
  }
}
