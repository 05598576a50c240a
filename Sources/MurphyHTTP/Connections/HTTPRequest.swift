import MurphyModel

/// One request for the client to send. A value; copies share their fields until one of them changes.
package struct HTTPRequest: Sendable {
  private var fields: Fields
  /// The sender's own number for the request, such as the number of its operation; -1 for none.
  package var label = -1

  package init(
    method: String, target: String, headers: [HeaderField] = [], body: [UInt8]? = nil, timeout: Duration? = nil,
    content: RequestContent? = nil, stream: StreamPatience? = nil
  ) {
    fields = Fields(
      Values(
        method: method, target: target, headers: headers, body: body, timeout: timeout, content: content,
        stream: stream))
  }

  /// Case-sensitive (RFC 9110 §9.1).
  package var method: String {
    get { fields.values.method }
    _modify {
      change()
      yield &fields.values.method
    }
  }

  /// Path and query of the request line, percent-encoded: `/laws?limit=25`.
  package var target: String {
    get { fields.values.target }
    _modify {
      change()
      yield &fields.values.target
    }
  }

  /// In addition to those that the client adds itself: `Host`, `User-Agent`, `Accept`, `Accept-Encoding`, `Cookie`.
  package var headers: [HeaderField] {
    get { fields.values.headers }
    _modify {
      change()
      yield &fields.values.headers
    }
  }

  /// The content that is sent; nil without one.
  package var body: [UInt8]? {
    get { fields.values.body }
    _modify {
      change()
      fields.values.content = nil
      yield &fields.values.body
    }
  }

  /// The source of the body, if its bytes alone do not show it well.
  package var content: RequestContent? { fields.values.content }

  /// The time from the send to the last byte; nil uses the transport's.
  package var timeout: Duration? {
    get { fields.values.timeout }
    _modify {
      change()
      yield &fields.values.timeout
    }
  }

  /// How long a stream of events is read; nil uses the transport's.
  package var stream: StreamPatience? { fields.values.stream }

  /// The maximum size in bytes of a request that is kept.
  private static let mostKept = 16_384

  /// The request will be repeated unchanged, so its bytes are kept.
  package func keepBytes() { fields.keepsBytes = true }

  /// Makes the fields unique to this value, without kept bytes.
  private mutating func change() {
    if isKnownUniquelyReferenced(&fields) {
      fields.keepsBytes = false
      fields.written = nil
    } else {
      fields = Fields(fields.values)
    }
  }

  /// The bytes that a transport wrote for the request without cookies; nil if they were not kept.
  func written(by transport: Transport, as form: WrittenRequest.Form) -> WrittenRequest? {
    guard let written = fields.written, written.transport == ObjectIdentifier(transport), written.form == form else {
      return nil
    }
    return written
  }

  /// Keeps the bytes that a transport wrote, if the request is marked for it and they are short enough.
  func keep(
    _ bytes: UnsafeRawBufferPointer, as form: WrittenRequest.Form, acceptedCodings: String, traceOffset: Int?,
    of transport: Transport
  ) {
    guard fields.keepsBytes, bytes.count <= Self.mostKept else { return }
    fields.written = WrittenRequest(
      bytes: Array(bytes), form: form, acceptedCodings: acceptedCodings, traceOffset: traceOffset,
      transport: ObjectIdentifier(transport))
  }

  // @unchecked: only the loop that sends a request writes its kept bytes; requests that cross threads are copies whose
  // bytes are not kept.
  private final class Fields: @unchecked Sendable {
    var values: Values
    var keepsBytes = false
    var written: WrittenRequest?

    init(_ values: Values) { self.values = values }
  }

  private struct Values {
    var method: String
    var target: String
    var headers: [HeaderField]
    var body: [UInt8]?
    var timeout: Duration?
    var content: RequestContent?
    let stream: StreamPatience?
  }
}

final class WrittenRequest {
  /// A request of HTTP/1.1 as it is sent, or the fields of a request of HTTP/2.
  enum Form { case text, fields }

  let bytes: [UInt8]
  let form: Form
  /// Its `Accept-Encoding`.
  let acceptedCodings: String
  /// Where the headers of a trace are inserted; nil if the request has a trace of its own.
  let traceOffset: Int?
  let transport: ObjectIdentifier

  init(bytes: [UInt8], form: Form, acceptedCodings: String, traceOffset: Int?, transport: ObjectIdentifier) {
    self.bytes = bytes
    self.form = form
    self.acceptedCodings = acceptedCodings
    self.traceOffset = traceOffset
    self.transport = transport
  }
}

extension HTTPRequest {
  /// True if the request sets `traceparent` itself. Such a request is sent with no other trace.
  var hasOwnTrace: Bool { headers.contains { $0.name.isHeader("traceparent") } }

  /// True if the method is safe: it requests no change (RFC 9110 §9.2.1).
  package var isSafe: Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
    default: false
    }
  }

  /// True if sending the request twice has the same effect as once (RFC 9110 §9.2.2). Only then may a client send it
  /// again automatically when a connection was closed before a response.
  var isIdempotent: Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY": true
    default: false
    }
  }
}
