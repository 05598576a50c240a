import Foundation
import MurphyModel

/// A judge's state for an operation.
final class OperationSlot {
  let responses: [ResponseSlot]
  /// False for HEAD: its responses have no body (RFC 9110 §9.3.2).
  let hasBodies: Bool
  let isDocumented: Bool
  let method: String
  let deviations = ProtocolDeviations()
  /// True if its successful responses are read for relations.
  var hasRelations = false
  let errors = ErrorShapes()
  let parameters: ParameterUse
  /// By status: responses that no documented response matches.
  private(set) var undocumented: [Int: UndocumentedSlot] = [:]
  var count = 0

  init(_ operation: Contract.Operation, _ catalogs: [[CoverageCatalog?]], _ names: FieldNames) {
    responses = operation.responses.enumerated().map { ResponseSlot($1, catalogs[$0], names) }
    hasBodies = operation.method != "HEAD"
    isDocumented = operation.isDocumented
    method = operation.method
    parameters = ParameterUse(operation)
  }

  /// Counts a response with an undocumented status.
  func countUndocumented(_ response: ResponseView) {
    let slot = undocumented[response.status] ?? UndocumentedSlot()
    if undocumented.count < 50 { undocumented[response.status] = slot }
    slot.count += 1
    for line in response.fields.lines where line.concernsLimits {
      slot.undeclared.count(line, response: slot.count)
    }
  }

  func response(to status: Int) -> ResponseSlot? {
    var ranged: ResponseSlot?
    var fallback: ResponseSlot?
    for slot in responses {
      switch slot.status {
      case .exactly(let documented): if documented == status { return slot }
      case .hundred(let hundred): if hundred == status / 100 { ranged = slot }
      case .any: fallback = slot
      }
    }
    return ranged ?? fallback
  }
}

/// A judge's state for responses with an undocumented status.
final class UndocumentedSlot {
  let undeclared = UndeclaredHeaders()
  var count = 0
}

/// A judge's state for a documented response: counters and the content type it saw last.
final class ResponseSlot {
  let promise: ResponsePromise
  // Copies of the properties that every response needs: access through the promise would copy all of it.
  let status: ResponsePromise.Status
  let headers: [HeaderSlot]
  /// The reason why nothing of the response is checked.
  let unreadable: String?
  /// The reason why a header is not checked.
  let unreadableHeader: String?
  /// The numbers of the headers' names.
  let headerNumbers: [Int16]
  let media: [MediaSlot]
  let undeclared = UndeclaredHeaders()
  var count = 0
  /// The raw content type of the last response and the index of its media type, or -1. It rarely changes.
  private var lastContentType: [UInt8] = []
  private var lastMedia = -1

  init(_ promise: ResponsePromise, _ catalogs: [CoverageCatalog?], _ names: FieldNames) {
    self.promise = promise
    status = promise.status
    if case .response(let reason) = promise.defect { unreadable = reason } else { unreadable = nil }
    if case .header(let reason) = promise.defect { unreadableHeader = reason } else { unreadableHeader = nil }
    headers = promise.headers.map { HeaderSlot($0) }
    headerNumbers = promise.headers.map { names.number(of: $0.name) }
    media = promise.content.enumerated().map { MediaSlot($1, catalogs[$0]) }
  }

  /// The documented media type that matches the raw content type.
  func media(for contentType: UnsafeRawBufferPointer) -> MediaSlot? {
    if !isLast(contentType) {
      lastContentType = Array(contentType)
      lastMedia = -1
      if let actual = MediaRange(String(decoding: contentType, as: UTF8.self)) {
        lastMedia = promise.content.firstIndex { $0.range.includes(actual) } ?? -1
        isJSON = actual.isJSON
        isXML = actual.isXML
        isEventStream = actual.type == "text" && actual.subtype == "event-stream"
        charset = actual.parameters.first { $0.name == "charset" }?.value
        signature = FileSignature(mediaType: "\(actual.type)/\(actual.subtype)")
      }
    }
    return lastMedia < 0 ? nil : media[lastMedia]
  }

  private func isLast(_ contentType: UnsafeRawBufferPointer) -> Bool {
    guard contentType.count == lastContentType.count, let first = contentType.baseAddress else { return false }
    return lastContentType.withUnsafeBytes { $0.baseAddress.map { memcmp($0, first, contentType.count) == 0 } ?? false }
  }

  /// True if the content type of the last lookup is JSON.
  private(set) var isJSON = false
  private(set) var isXML = false
  private(set) var isEventStream = false
  private(set) var charset: String?
  /// The file signature of the content type of the last lookup.
  private(set) var signature: FileSignature?
}

/// A judge's state for a documented header.
final class HeaderSlot {
  let promise: HeaderPromise
  // Copies of the properties that every response needs, as in a response's slot.
  let shape: HeaderShape
  let site: Int?
  let isList: Bool
  let isRequired: Bool
  var count = 0

  init(_ promise: HeaderPromise) {
    self.promise = promise
    shape = promise.shape
    site = promise.schema?.index
    if case .array = promise.shape { isList = true } else { isList = false }
    isRequired = promise.isRequired
  }
}

/// A judge's state for a documented media type.
final class MediaSlot {
  let promise: MediaTypePromise
  let site: Int?
  let isSequence: Bool
  /// The reason why its bodies are not checked.
  let defect: String?
  let coverage: BodyCoverage?
  let formats = TimestampFormats()
  /// For a schema that requires no property: the names that it documents.
  let optionalNames: [String]?
  private var bodies = 0
  var count = 0
  /// Undocumented fields, with the number of examined bodies that had them.
  private(set) var extraFields: [String: Int] = [:]
  private(set) var lookedForExtra = 0
  /// The schema's fault that mutants of its bodies revealed.
  var vacuous: ContractViolation?
  /// Bodies that were mutated.
  var mutated = 0

  init(_ promise: MediaTypePromise, _ catalog: CoverageCatalog?) {
    self.promise = promise
    site = promise.schema?.index
    isSequence = promise.isSequence
    defect = promise.defect
    coverage = catalog.map { BodyCoverage($0) }
    let root = catalog?.nodes.first { $0.place.isEmpty }
    optionalNames = root.flatMap { $0.requiresNothing ? Array($0.properties.keys) : nil }
  }

  /// The walk over schemas costs more than the compiled check, so only some bodies are examined.
  var wantsExtraFields: Bool { lookedForExtra < 24 }

  /// - Parameter patterns: pointers with `*` for indices, once for each occurrence.
  func countExtraFields(_ patterns: [String]) {
    lookedForExtra += 1
    for pattern in Set(patterns) where extraFields.count < 100 || extraFields[pattern] != nil {
      extraFields[pattern, default: 0] += 1
    }
  }

  /// True if the next readable body is examined: the first 64, then every 128th, and after 8,192 every 1,024th.
  var examinesNext: Bool {
    let next = bodies + 1
    return next <= 64 || (coverage?.isComplete == false && next.isMultiple(of: next <= 8_192 ? 128 : 1_024))
  }

  /// True if some part of the schema was in no body. Then every invalid body is examined too: the message on it may
  /// name the part.
  var lacksProperties: Bool { coverage?.isComplete == false }

  func countBody() { bodies += 1 }
}

/// The first bytes that every file of a format has.
struct FileSignature {
  /// The common name.
  let name: String
  private let matches: @Sendable (UnsafeRawBufferPointer) -> Bool

  /// Nil for types without a fixed signature.
  init?(mediaType: String) {
    func begins(_ prefixes: [UInt8]...) -> @Sendable (UnsafeRawBufferPointer) -> Bool {
      { body in prefixes.contains { body.starts(with: $0) } }
    }
    switch mediaType {
    case "image/png": (name, matches) = ("PNG", begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    case "image/jpeg": (name, matches) = ("JPEG", begins([0xFF, 0xD8, 0xFF]))
    case "image/gif": (name, matches) = ("GIF", begins(Array("GIF87a".utf8), Array("GIF89a".utf8)))
    case "image/webp":
      (name, matches) = ("WebP", { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) })
    case "application/pdf":
      // Readers look for the header in the first 1,024 bytes (ISO 32000-1, annex H).
      (name, matches) = (
        "PDF",
        { body in
          let head = Array(body.prefix(1_024))
          return head.indices.contains { head[$0...].starts(with: "%PDF-".utf8) }
        }
      )
    default: return nil
    }
  }

  func holds(_ body: UnsafeRawBufferPointer) -> Bool { matches(body) }
}

/// A response as the judge receives it: borrowed memory that is valid during the call only.
package struct ResponseView {
  /// 100 to 599.
  package var status: Int
  /// The headers, without the status line.
  package let fields: FieldTable
  /// Decompressed; empty for a response without a body.
  package var body: UnsafeRawBufferPointer
  /// The body was truncated at the size limit.
  package var bodyIncomplete: Bool
  /// Path and query of the request. If it is empty, the response is not compared with others.
  package var target: String

  /// - Parameters:
  ///   - status: of the response, 100 to 599.
  ///   - headerBlock: raw field lines `Name: value\r\n`, without the status line.
  ///   - body: decompressed.
  ///   - bodyIncomplete: the body was truncated at the size limit.
  ///   - target: path and query of the request; empty if unknown.
  package init(
    status: Int, headerBlock: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer, bodyIncomplete: Bool = false,
    target: String = ""
  ) {
    let fields = FieldTable()
    fields.read(headerBlock, by: .common)
    self.init(status: status, fields: fields, body: body, bodyIncomplete: bodyIncomplete, target: target)
  }

  package init(
    status: Int, fields: FieldTable, body: UnsafeRawBufferPointer, bodyIncomplete: Bool = false, target: String = ""
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.bodyIncomplete = bodyIncomplete
    self.target = target
  }
}
