import MurphyJSON

extension ResponseJudge {
  /// What is wrong with a body of bytes: its first ones, where the format fixes them, and its length.
  func binary(_ body: UnsafeRawBufferPointer, _ slot: ResponseSlot, _ media: MediaSlot) -> ContractViolation? {
    let range = media.promise.range
    func violation(
      _ message: String, _ cause: String, _ schema: Located? = nil, expected: String? = nil
    ) -> ContractViolation {
      ContractViolation(
        kind: .contractBody, message: message, claim: expected.map { "the body: expected \($0)" },
        found: expected.map { _ in "\(body.count) bytes" },
        schemaPointer: schema.map(contract.sources.pointerText) ?? media.promise.pointer,
        source: schema.map { contract.sources.mark($0) } ?? media.promise.source,
        discriminator: "\(slot.promise.status.text) \(range.text) \(cause)")
    }
    if let signature = slot.signature, !signature.holds(body) {
      return body.isEmpty
        ? violation("the body is empty; \(range.text) is documented", "empty")
        : violation("the body does not begin as a \(signature.name) file does, though its type says so", "signature")
    }
    guard range.isBinary, let schema = media.promise.schema?.located else { return nil }
    let target = navigator.target(of: schema)
    // Encoded content counts characters, raw bytes count octets (OpenAPI 3.1.1 §4.8.14.3).
    guard target.value["contentEncoding"] == nil, target.value["format"]?.string != "byte" else { return nil }
    if let least = target["minLength"], let count = least.value.int, body.count < count {
      return violation(
        "the body has \(body.count) bytes, at least \(count) are documented", "minLength", least,
        expected: "at least \(count) bytes")
    }
    if let most = target["maxLength"], let count = most.value.int, body.count > count {
      return violation(
        "the body has \(body.count) bytes, at most \(count) are documented", "maxLength", most,
        expected: "at most \(count) bytes")
    }
    return nil
  }
}
