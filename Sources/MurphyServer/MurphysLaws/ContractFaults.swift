import Hummingbird
import NIOCore

/// The faults of the laws that change a finished response. They do not change errors and rejections.
extension Fault {
  static let lawContractFaults = [
    Fault(
      "missing-field", .contract, on: .getLaw, "getLaw omits created_at",
      .body { $0.remove("created_at") }),
    Fault(
      "number-as-string", .contract, on: .listLaws, "listLaws sends upvotes as a string",
      .body { $0.change("upvotes") { "\"\($0)\"" } }),
    Fault(
      "null-field", .contract, on: .getLawOfTheDay, "getLawOfTheDay sends null for featured_date",
      .body { $0.set("featured_date", to: "null") }),
    Fault(
      "extra-field", .contract, on: .listCategories, "listCategories sends an undocumented field",
      .body { $0.change("law_count") { "\($0),\"row_version\":1" } }),
    Fault(
      "bad-date", .contract, on: .getLaw, "getLaw sends created_at with a space and without a time zone",
      .body { $0.change("created_at") { $0.replacing("T", with: " ").replacing("Z", with: "") } }),
    Fault(
      "bad-enum", .contract, on: .listAttributions, "listAttributions sends contact_type \"fax\"",
      .body { $0.set("contact_type", to: "\"fax\"") }),
    Fault(
      "long-text", .contract, on: .getLaw, "getLaw sends text with more than 1000 characters",
      .body { $0.change("text") { longText($0) } }),
    Fault(
      "invalid-utf8", .contract, on: .getLaw, "getLaw sends a title that is not UTF-8",
      .body { $0.changeBytes("title") { _ in [0x22, 0xC3, 0x28, 0xFF, 0x22] } }),
    Fault(
      "negative-total", .contract, on: .listLaws, "listLaws sends total -1",
      .body { $0.set("total", to: "-1") }),
    Fault(
      "fractional-count", .contract, on: .voteLaw, "voteLaw sends upvotes with a fraction",
      .body { $0.change("upvotes") { $0 + ".5" } }),
    Fault(
      "object-for-array", .contract, on: .listLaws, "listLaws sends data as an object instead of an array",
      .body { $0.changeBytes("data") { firstAsMember($0) } }),
    Fault(
      "page-too-long", .contract, on: .listLaws, "listLaws sends three laws more than the limit",
      .before(\.laws.list) { query in query.limit += 3 }),
    Fault(
      "undocumented-status", .contract, on: .voteLaw, "voteLaw returns 202 instead of 200",
      .response { $0.status = .accepted }),
    Fault(
      "teapot", .contract, on: .getLaw, frequency: .oneIn(4), "getLaw returns 418 for one request in 4",
      .response { $0.status = .init(code: 418, reasonPhrase: "I'm a teapot") }),
    Fault(
      "error-as-200", .contract, on: .listLaws, frequency: .oneIn(6),
      "listLaws returns an error with status 200 for one request in 6",
      .response { $0.body = databaseIsLocked.body }),
    Fault(
      "server-error", .contract, on: .listLaws, frequency: .oneIn(10), "listLaws returns 500 for one request in 10",
      .response { ($0.status, $0.body) = (databaseIsLocked.status, databaseIsLocked.body) }),
    Fault(
      "html-error", .contract, on: .listCategories, frequency: .oneIn(2),
      "listCategories returns an HTML page with status 502 for one request in 2",
      .response { response in
        let stamp = response.headers[RequestStamp.name]
        response = .html(.badGateway, title: "502 Bad Gateway")
        response.headers[RequestStamp.name] = stamp
      }),
    Fault(
      "wrong-content-type", .contract, on: .listLaws, "listLaws sends its JSON as text/plain",
      .response { $0.headers[.contentType] = "text/plain; charset=utf-8" }),
    Fault(
      "missing-content-type", .contract, on: .getLaw, "getLaw sends no Content-Type",
      .response { $0.headers[.contentType] = nil }),
    Fault(
      "missing-header", .contract, on: .getLaw, "getLaw omits X-Request-ID",
      .response { $0.headers[RequestStamp.name] = nil }),
    Fault(
      "bad-header", .contract, on: .voteLaw, "voteLaw sends an X-Request-ID that is not a UUID",
      .response { $0.headers[RequestStamp.name] = "request-42" }),
    Fault(
      "truncated-json", .contract, on: .getLaw, "getLaw sends only the first half of its JSON",
      .response { $0.body.moveWriterIndex(to: $0.body.readerIndex + $0.body.readableBytes / 2) }),
    Fault("empty-body", .contract, on: .voteLaw, "voteLaw sends no body", .response { $0.body = ByteBuffer() }),
  ]

  private static let databaseIsLocked = ServerResponse.internalError("The database is locked.")

  /// The string repeated until it has more than 1000 characters. A backslash escapes one and is not counted.
  private static func longText(_ string: String) -> String {
    let text = string.dropFirst().dropLast()
    let length = max(text.count { $0 != "\\" }, 1)
    return "\"" + String(repeating: text + " ", count: 1 + 1000 / length) + "\""
  }

  /// `{"first":1}` for `[1,2]`, and `{}` for `[]`.
  private static func firstAsMember(_ array: ArraySlice<UInt8>) -> [UInt8] {
    let elements = array.dropFirst()
    let first = elements[..<JSONText.endOfValue(elements)]
    return Array("{".utf8) + (first.isEmpty ? [] : Array("\"first\":".utf8) + first) + Array("}".utf8)
  }
}
