import MurphyModel
import MurphySchema

extension ResponseJudge {
  /// Checks the documented headers and returns the raw content type, empty when there is none.
  func headers(
    _ response: ResponseView, _ slot: ResponseSlot, _ outcome: inout Outcome
  ) -> UnsafeRawBufferPointer {
    let fields = response.fields
    var contentType = UnsafeRawBufferPointer(start: nil, count: 0)
    var seen: UInt64 = 0
    var repeated: UInt64 = 0
    for line in fields.lines {
      if line.is(.contentType) {
        contentType = line.value
        continue
      }
      var isDocumented = false
      if line.number >= 0 {
        for index in slot.headerNumbers.indices where slot.headerNumbers[index] == line.number {
          isDocumented = true
          let header = slot.headers[index]
          // Headers after the 64th are searched again.
          if index < 64 {
            if seen & (1 << UInt64(index)) != 0 { repeated |= 1 << UInt64(index) }
            seen |= 1 << UInt64(index)
          }
          if header.isList { continue }
          headerText.write(line.value, as: header.shape)
          check(header, line.value, &outcome)
        }
      }
      if line.concernsLimits, !isDocumented {
        slot.undeclared.count(line, response: slot.count)
      }
    }
    if repeated != 0 { together(slot, repeated, fields, &outcome) }
    for index in slot.headers.indices {
      let header = slot.headers[index]
      if index < 64 ? seen & (1 << UInt64(index)) != 0 : has(slot.headerNumbers[index], fields) {
        header.count += 1
        if case .array(let items) = header.shape { list(header, slot.headerNumbers[index], items, fields, &outcome) }
      } else if header.isRequired {
        outcome.violations.append(missing(header.promise))
      }
    }
    return contentType
  }

  /// Several lines of one header are one comma-separated value (RFC 9110 §5.3), except for `Set-Cookie`.
  private func together(_ slot: ResponseSlot, _ repeated: UInt64, _ fields: FieldTable, _ outcome: inout Outcome) {
    for index in slot.headers.indices where index < 64 && repeated & (1 << UInt64(index)) != 0 {
      let header = slot.headers[index]
      guard !header.isList, header.promise.name.lowercased() != "set-cookie" else { continue }
      let number = slot.headerNumbers[index]
      let value = Array(fields.lines.filter { $0.number == number }.map { Array($0.value) }.joined(separator: [44]))
      // The prefix of the violations of single lines.
      let name = "header \(header.promise.name.lowercased()) "
      outcome.violations.removeAll { $0.kind == .contractHeader && $0.discriminator.hasPrefix(name) }
      value.withUnsafeBytes { bytes in
        headerText.write(bytes, as: header.shape)
        check(header, bytes, &outcome)
      }
    }
  }

  private func has(_ number: Int16, _ fields: FieldTable) -> Bool {
    number >= 0 && fields.lines.contains { $0.number == number }
  }

  /// A list over all lines of the header.
  private func list(
    _ header: HeaderSlot, _ number: Int16, _ items: HeaderShape.Scalars, _ fields: FieldTable,
    _ outcome: inout Outcome
  ) {
    headerText.beginList()
    var first = UnsafeRawBufferPointer(start: nil, count: 0)
    for line in fields.lines where line.number == number {
      if first.isEmpty { first = line.value }
      headerText.append(line.value, items: items)
    }
    headerText.endList()
    check(header, first, &outcome)
  }

  /// Checks the value in ``headerText`` against the header's schema.
  private func check(_ header: HeaderSlot, _ raw: UnsafeRawBufferPointer, _ outcome: inout Outcome) {
    guard let site = header.site else { return }
    guard let entry = variant.entries[site] else {
      outcome.unchecked = "the schema of the header \(header.promise.name) cannot be used"
      return
    }
    headerText.withJSON { json in
      switch headerParser.parse(json) {
      case .tape(let tape):
        switch variant.program.isValid(entry, tape, scratch) {
        case .valid: return
        case .invalid: break
        case .unchecked(let reason): outcome.unchecked = "the header \(header.promise.name): \(reason)"; return
        }
        explain(header.promise, entry, tape.value(at: tape.root), raw, &outcome)
      case .value(let value): explain(header.promise, entry, value, raw, &outcome)
      case .malformed(let error): outcome.violations.append(malformed(header.promise, raw, error))
      }
    }
  }

  private func explain(
    _ promise: HeaderPromise, _ entry: SchemaEntry, _ value: JSONValue, _ raw: UnsafeRawBufferPointer,
    _ outcome: inout Outcome
  ) {
    let found = Self.shortened(raw)
    for violation in variant.program.explain(entry, value) {
      let site = contract.sources.located(violation.schemaPointer)
      outcome.violations.append(
        ContractViolation(
          kind: .contractHeader,
          message: "the header \(promise.name) is \"\(found)\"; "
            + (violation.expected.map { "expected \($0)" } ?? violation.message),
          claim: violation.expected.map { "the header \(promise.name): expected \($0)" }, found: "\"\(found)\"",
          schemaPointer: site.map(contract.sources.pointerText) ?? violation.schemaPointer.description,
          source: site.map { contract.sources.mark($0) } ?? promise.source,
          discriminator: "header \(promise.name.lowercased()) \(violation.keyword)"))
    }
  }

  private func missing(_ promise: HeaderPromise) -> ContractViolation {
    ContractViolation(
      kind: .contractHeader, message: "the header \(promise.name) is missing; the contract requires it",
      schemaPointer: promise.pointer, source: promise.source,
      discriminator: "header \(promise.name.lowercased()) missing")
  }

  private func malformed(
    _ promise: HeaderPromise, _ raw: UnsafeRawBufferPointer, _ error: JSONError
  ) -> ContractViolation {
    ContractViolation(
      kind: .contractHeader,
      message: "the header \(promise.name) is not JSON: \(error.message); found \"\(Self.shortened(raw))\"",
      claim: "the header \(promise.name) is not JSON", found: "\"\(Self.shortened(raw))\"",
      schemaPointer: promise.pointer, source: promise.source,
      discriminator: "header \(promise.name.lowercased()) malformed")
  }

  /// The beginning of a value, for messages.
  static func shortened(_ raw: UnsafeRawBufferPointer) -> String {
    String(decoding: raw, as: UTF8.self).shortened(to: 80)
  }
}
