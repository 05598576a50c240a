extension Explanation {
  mutating func checkScalar(_ site: Site, _ value: JSONValue, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .never: fail(&outcome, site, ViolationMessages.never(site.rule.keyword, value))
    case .types(let types):
      if !types.allows(value) { fail(&outcome, site, ViolationMessages.type(value, types)) }
    case .enumeration(let listed):
      // Of a value of the wrong type, that no listed value equals it says no more.
      guard !listed.contains(value), outcome.truth != .invalid || !hasWrongType(site.node, outcome.violations) else {
        return
      }
      fail(&outcome, site, ViolationMessages.enumeration(value, listed.values))
    case .minimum, .maximum, .multiple:
      if case .number(let number) = value { checkNumber(site, number, &outcome) }
    case .format(let format):
      let isAccepted =
        switch value {
        case .number(let number) where format.appliesToNumbers: format.accepts(number)
        case .string(let text) where !format.appliesToNumbers: format.accepts(text)
        default: true
        }
      if !isAccepted { fail(&outcome, site, Miss(found: value.excerpt, expected: format.title)) }
    default:
      if case .string(let text) = value { checkString(site, text, &outcome) }
    }
  }

  private mutating func checkNumber(_ site: Site, _ number: JSONNumber, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .minimum(let bound, let exclusive):
      if number < bound || (exclusive && number == bound) {
        fail(
          &outcome, site, Miss(found: number.excerpt, expected: "\(exclusive ? "more than" : "at least") \(bound)"))
      }
    case .maximum(let bound, let exclusive):
      if number > bound || (exclusive && number == bound) {
        fail(
          &outcome, site, Miss(found: number.excerpt, expected: "\(exclusive ? "less than" : "at most") \(bound)"))
      }
    case .multiple(let divisor):
      if !number.isMultiple(of: divisor) {
        fail(&outcome, site, Miss(found: number.excerpt, expected: "a multiple of \(divisor)"))
      }
    default: break
    }
  }

  private mutating func checkString(_ site: Site, _ text: String, _ outcome: inout SchemaFindings) {
    switch site.rule.assertion {
    case .minLength(let bound):
      let length = text.unicodeScalars.count
      if length < bound {
        fail(&outcome, site, ViolationMessages.count(length, "character", "at least \(bound)", JSONValue.string(text)))
      }
    case .maxLength(let bound):
      let length = text.unicodeScalars.count
      if length > bound {
        fail(&outcome, site, ViolationMessages.count(length, "character", "at most \(bound)", JSONValue.string(text)))
      }
    case .pattern(let pattern):
      switch match(pattern, text) {
      case .yes: break
      case .no:
        fail(
          &outcome, site,
          Miss(found: JSONValue.string(text).excerpt, expected: "a match of the pattern \(pattern.source)"))
      case .limitExceeded: outcome.require(.unchecked(ViolationMessages.unboundedPattern(pattern, site.node.location)))
      }
    case .content(let content): checkContent(content, site, text, &outcome)
    default: break
    }
  }

  func match(_ pattern: ECMAPattern, _ text: String) -> RegexMatch {
    var text = text
    return text.withUTF8 { pattern.matches(UnsafeRawBufferPointer($0), scratch) }
  }

  private mutating func checkContent(
    _ content: EncodedContent, _ site: Site, _ text: String, _ outcome: inout SchemaFindings
  ) {
    var bytes = Array(text.utf8)
    switch content.encoding?.lowercased() {
    case nil, "7bit", "8bit", "binary": break
    case "base64":
      guard let decoded = bytes.withUnsafeBytes(Base64.decode) else {
        fail(&outcome, site, Miss(found: JSONValue.string(text).excerpt, expected: "base64"))
        return
      }
      bytes = decoded
    case let encoding?:
      outcome.require(.unchecked("the encoding \(encoding) at \(site.node.location) is not decoded"))
      return
    }
    guard let mediaType = content.mediaType?.lowercased(),
      mediaType.hasPrefix("application/json") || mediaType.hasSuffix("+json")
    else { return }
    do throws(JSONError) {
      _ = try JSONValue.parse(bytes)
    } catch {
      fail(
        &outcome, site,
        Miss(
          found: JSONValue.string(text).excerpt, expected: "JSON",
          message: "found \(JSONValue.string(text).excerpt); expected JSON: \(error)"))
    }
  }

  private func hasWrongType(_ node: SchemaNode, _ violations: [SchemaViolation]) -> Bool {
    violations.contains { $0.keyword == "type" && $0.schemaPointer == node.location.appending("type") }
  }
}
