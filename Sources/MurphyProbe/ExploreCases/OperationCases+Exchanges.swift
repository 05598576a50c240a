import MurphyContract
import MurphyScenario
import MurphySchema

/// Requests that RFC 3986 and RFC 9110 define, each after the same request without the difference.
extension OperationCases {
  func exchanges() -> [ExploreCase] {
    operation.method == "GET" ? spellings() + methods() + conditions() + ranges() + hosts() + safeReads() : codings()
  }

  private func compared(
    _ place: String, _ constraint: String, _ about: String, by rule: ExchangeRule,
    _ change: (inout ExploreCall) -> Void
  ) -> ExploreCase {
    made(.anything, .negative, place, constraint, about) {
      change(&$0)
      $0.isOffContract = true
    }.compared(with: call, by: rule)
  }

  private func compared(
    header name: String, _ value: CallValue, _ constraint: String, _ about: String, by rule: ExchangeRule
  ) -> ExploreCase {
    compared("header \(name)", constraint, about, by: rule) {
      $0.headers.removeAll { $0.name.lowercased() == name.lowercased() }
      $0.headers.append(ExploreCall.Named(name: name, value: value))
    }
  }

  /// Other spellings of the path.
  private func spellings() -> [ExploreCase] {
    let others: [(PathSpelling, String)] = [
      (.slash, "a slash at the end of the path"), (.letterCase, "the path in the opposite letter case"),
    ]
    func spelled(_ spelling: PathSpelling, _ about: String, isValue: Bool) -> ExploreCase {
      compared("path spelling", "spelling", about, by: .sameResource(isValue: isValue)) { $0.spelling = spelling }
    }
    var cases = [spelled(.encodedSegment, "a percent-encoded letter in the path", isValue: false)]
    if operation.path.contains("{") {
      cases.append(spelled(.encodedValue, "a percent-encoded letter or digit of a path parameter", isValue: true))
    }
    return cases
      + others.map { spelling, about in
        made(.anything, .negative, "path spelling", "spelling", about) {
          $0.spelling = spelling
          $0.isOffContract = true
        }
      }
  }

  /// Methods that change nothing.
  private func methods() -> [ExploreCase] {
    let rules: [(String, ExchangeRule)] = [("HEAD", .head), ("OPTIONS", .options)]
    return rules.map { method, rule in compared("method", "method", method, by: rule) { $0.method = method } }
  }

  private func conditions() -> [ExploreCase] {
    let none = "If-None-Match"
    var cases = [
      compared(
        header: none, .literal("\"murphy-has-no-such-tag\""), "condition", "\(none) with an ETag of no resource",
        by: .tag(isCurrent: false)),
      compared(
        header: "If-Modified-Since", .literal("murphy"), "condition",
        "If-Modified-Since \"murphy\", which is not a date",
        by: .ignored(header: "If-Modified-Since")),
    ]
    cases.append(
      made(.anything, .negative, "header \(none)", "condition syntax", "not an ETag", value: "*murphy") {
        $0.headers.removeAll { $0.name.lowercased() == none.lowercased() }
        $0.headers.append(ExploreCall.Named(name: none, value: .literal("*murphy")))
        $0.isOffContract = true
      })
    let hasTags = operation.responses.contains { response in
      response.isSuccess && response.headers.contains { $0.name.lowercased() == "etag" }
    }
    if hasTags {
      cases.append(
        compared(
          header: none, .response(step: base.count - 1, .header("etag")), "condition", "\(none) with the current ETag",
          by: .tag(isCurrent: true)))
    }
    return cases
  }

  private func ranges() -> [ExploreCase] {
    let ranges: [(String, ExchangeRule)] = [
      ("bytes=0-0", .range(isSatisfiable: true)), ("bytes=999999999999-", .range(isSatisfiable: false)),
      ("murphy=0-1", .ignored(header: "Range")),
    ]
    return ranges.map { range, rule in
      compared(header: "Range", .literal(.string(range)), "range", "Range \"\(range)\"", by: rule)
    }
  }

  private func hosts() -> [ExploreCase] {
    let name = "murphy.invalid"
    return [compared(header: "Host", .literal(.string(name)), "host", "Host \(name)", by: .host(name))]
  }

  /// Bodies with a content coding that is unknown, or that they do not have.
  private func codings() -> [ExploreCase] {
    guard call.body != nil else { return [] }
    return ["murphy", "gzip"].map { coding in
      var one = made(
        .anything, .negative, "header Content-Encoding", "content coding",
        "a body that is not \(coding), with Content-Encoding: \(coding)"
      ) {
        $0.headers.append(ExploreCall.Named(name: "Content-Encoding", value: .literal(.string(coding))))
        $0.isOffContract = true
      }
      one.rule = .contentCoding
      return one
    }
  }

  /// A read of the item before and after this read of a path below the item.
  private func safeReads() -> [ExploreCase] {
    guard let item = WriteRule.item(in: operation.path) else { return [] }
    let shape = PathShape("/" + (item.prefix + ["{\(item.name)}"]).joined(separator: "/"))
    let reading = contract.operations.indices.first { index in
      let other = contract.operations[index]
      return other.method == "GET" && other.isDocumented && index != call.operation && PathShape(other.path) == shape
        && !other.parameters.contains { $0.isRequired && $0.location != .path }
    }
    guard let reading else { return [] }
    var read = ExploreCall(reading)
    for parameter in contract.operations[reading].parameters where parameter.location == .path {
      guard let value = call.path[parameter.name] else { return [] }
      read.path[parameter.name] = value
    }
    read.headers = call.headers.filter { header in
      contract.operations[reading].parameters.contains { $0.location == .header && $0.name == header.name }
    }
    return [
      ExploreCase(
        steps: base.dropLast() + [read, call, read], expectation: .anything, category: .state, place: "read",
        constraint: "safe", about: "a read before and after \(operation.id)", value: nil,
        rule: .safeRead(operation.id))
    ]
  }
}
