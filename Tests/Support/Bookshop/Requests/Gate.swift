import HTTPTypes
import Hummingbird

/// What is checked of every request before its operation sees it.
enum Gate {
  static func admit(_ call: Call, to operation: Operation) throws -> Call {
    var call = call
    if !operation.isOpen { call.user = try user(of: call) }
    if operation.answersJSON, !accepts(call.headers[values: .accept]) {
      throw Problem(.notAcceptable, "The response is application/json, which `Accept` does not allow.")
    }
    if let media = operation.media { try check(call, media) }
    return call
  }

  private static func user(of call: Call) throws -> String {
    let fields = call.headers[values: .authorization]
    let parts = fields.first?.split(separator: " ", omittingEmptySubsequences: false) ?? []
    guard fields.count == 1, parts.count == 2, parts[0].lowercased() == "bearer",
      let user = call.shop.state.withLock({ $0.tokens[String(parts[1])] })
    else { throw Problem.unauthorized }
    return user
  }

  /// RFC 9110, section 12.5.1; of several ranges the most specific decides.
  private static func accepts(_ fields: [String]) -> Bool {
    let ranges = fields.joined(separator: ",").split(separator: ",").map { range in
      range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    }.filter { !$0.isEmpty }
    if ranges.isEmpty { return true }
    for name in ["application/json", "application/*", "*/*"] {
      guard let range = ranges.first(where: { $0[0] == name }) else { continue }
      let quality = range.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      return quality > 0
    }
    return false
  }

  private static func check(_ call: Call, _ media: String) throws {
    guard call.body.count <= 1 << 20 else {
      throw Problem(.contentTooLarge, "The body is longer than a megabyte.")
    }
    let fields = call.headers[values: .contentType]
    if fields.isEmpty, call.body.isEmpty { throw Problem.badRequest("The body is missing.") }
    let parts = fields.first?.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() } ?? []
    let plain = parts.dropFirst().allSatisfy { ["charset=utf-8", "charset=\"utf-8\""].contains($0) }
    guard fields.count == 1, parts.first == media, plain else {
      let name = HTTPField.Name("Accept-Patch")
      let headers: HTTPFields = call.method == .patch ? name.map { [$0: media] } ?? [:] : [:]
      throw Problem(.unsupportedMediaType, "The body must be \(media).", headers: headers)
    }
  }
}
