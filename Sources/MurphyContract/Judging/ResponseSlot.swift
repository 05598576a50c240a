import Foundation

/// What a judge keeps of an operation.
final class OperationSlot {
  let responses: [ResponseSlot]
  /// Answers to HEAD have none (RFC 9110 §9.3.2).
  let hasBodies: Bool
  let isDocumented: Bool
  var count = 0

  init(_ operation: Contract.Operation, _ catalogs: [[CoverageCatalog?]]) {
    responses = operation.responses.enumerated().map { ResponseSlot($1, catalogs[$0]) }
    hasBodies = operation.method != "HEAD"
    isDocumented = operation.isDocumented
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

/// What a judge keeps of a documented response: counters and the content type it saw last.
final class ResponseSlot {
  let promise: ResponsePromise
  // What every answer asks for stands here by itself: reading it off the promise would copy the whole of that.
  let status: ResponsePromise.Status
  let headers: [HeaderSlot]
  let media: [MediaSlot]
  let undeclared = UndeclaredHeaders()
  var count = 0
  /// The raw content type of the last answer and its media type, or -1: answers rarely change theirs.
  private var lastContentType: [UInt8] = []
  private var lastMedia = -1

  init(_ promise: ResponsePromise, _ catalogs: [CoverageCatalog?]) {
    self.promise = promise
    status = promise.status
    headers = promise.headers.map { HeaderSlot($0) }
    media = promise.content.enumerated().map { MediaSlot($1, catalogs[$0]) }
  }

  /// The documented media type that takes in the raw content type.
  func media(for contentType: UnsafeRawBufferPointer) -> MediaSlot? {
    if !isLast(contentType) {
      lastContentType = Array(contentType)
      lastMedia = -1
      if let actual = MediaRange(String(decoding: contentType, as: UTF8.self)) {
        lastMedia = promise.content.firstIndex { $0.range.takesIn(actual) } ?? -1
        isJSON = actual.isJSON
        isXML = actual.isXML
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

  /// Whether the content type asked for last is JSON.
  private(set) var isJSON = false
  private(set) var isXML = false
  private(set) var charset: String?
  /// What the bytes of the content type asked for last begin with.
  private(set) var signature: FileSignature?
}

/// What a judge keeps of a documented header.
final class HeaderSlot {
  let promise: HeaderPromise
  let name: [UInt8]
  let isList: Bool
  let isRequired: Bool
  var count = 0

  init(_ promise: HeaderPromise) {
    self.promise = promise
    name = promise.lowercased
    if case .array = promise.shape { isList = true } else { isList = false }
    isRequired = promise.isRequired
  }
}

/// What a judge keeps of a documented media type.
final class MediaSlot {
  let promise: MediaTypePromise
  let site: Int?
  let isSequence: Bool
  let coverage: BodyCoverage?
  let formats = TimestampFormats()
  private var bodies = 0
  var count = 0
  /// Bodies that were mutated.
  var mutated = 0

  init(_ promise: MediaTypePromise, _ catalog: CoverageCatalog?) {
    self.promise = promise
    site = promise.schema?.index
    isSequence = promise.isSequence
    coverage = catalog.map { BodyCoverage($0) }
  }

  /// Whether the next readable body is looked into: the first 64, then every 128th, and after 8,192 every 1,024th.
  func wantsNext() -> Bool {
    bodies += 1
    return bodies <= 64 || (coverage?.isComplete == false && bodies.isMultiple(of: bodies <= 8_192 ? 128 : 1_024))
  }
}
