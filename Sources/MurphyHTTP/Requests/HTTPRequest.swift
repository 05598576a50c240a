import MurphyModel

/// One request as the client wants it sent. A value; copies share their fields until one of them changes.
package struct HTTPRequest: Sendable {
  private var fields: Fields
  /// The sender's own number for it, as that of its operation; -1 for none.
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

  package var method: String {
    get { fields.values.method }
    _modify {
      change()
      yield &fields.values.method
    }
  }

  /// Path and query as they go into the request line, percent-encoded: `/laws?limit=25`.
  package var target: String {
    get { fields.values.target }
    _modify {
      change()
      yield &fields.values.target
    }
  }

  /// Beside those that the client adds itself: `Host`, `User-Agent`, `Accept`, `Accept-Encoding`, `Cookie`.
  package var headers: [HeaderField] {
    get { fields.values.headers }
    _modify {
      change()
      yield &fields.values.headers
    }
  }

  package var body: [UInt8]? {
    get { fields.values.body }
    _modify {
      change()
      fields.values.content = nil
      yield &fields.values.body
    }
  }

  /// What the body was made of, where its bytes alone do not say that well.
  package var content: RequestContent? { fields.values.content }

  /// From the send to the last byte; nil takes the transport's.
  package var timeout: Duration? {
    get { fields.values.timeout }
    _modify {
      change()
      yield &fields.values.timeout
    }
  }

  /// How long a stream of events is read; nil takes the transport's.
  package var stream: StreamPatience? { fields.values.stream }

  /// Bytes of a request that is worth keeping.
  private static let mostKept = 16_384

  /// The request will be sent again as it is, so that its bytes are worth keeping.
  package func keepBytes() { fields.keepsBytes = true }

  /// Fields of its own, of which no bytes are known.
  private mutating func change() {
    if isKnownUniquelyReferenced(&fields) {
      fields.keepsBytes = false
      fields.written = nil
    } else {
      fields = Fields(fields.values)
    }
  }

  /// What a transport wrote for the request without cookies; nil when it was not kept.
  func written(by transport: Transport) -> WrittenRequest? {
    guard let written = fields.written, written.transport == ObjectIdentifier(transport) else { return nil }
    return written
  }

  /// Keeps what a transport wrote, if that is worth it.
  func keep(_ bytes: UnsafeRawBufferPointer, asked: String, of transport: Transport) {
    guard fields.keepsBytes, bytes.count <= Self.mostKept else { return }
    fields.written = WrittenRequest(bytes: Array(bytes), asked: asked, transport: ObjectIdentifier(transport))
  }

  // @unchecked: what is kept of a request is written by the loop that sends it; requests that cross threads are copies
  // whose bytes are not kept.
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
  let bytes: [UInt8]
  /// Its `Accept-Encoding`.
  let asked: String
  let transport: ObjectIdentifier

  init(bytes: [UInt8], asked: String, transport: ObjectIdentifier) {
    self.bytes = bytes
    self.asked = asked
    self.transport = transport
  }
}

extension HTTPRequest {
  /// Whether it asks for nothing to be changed (RFC 9110 §9.2.1).
  package var isSafe: Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
    default: false
    }
  }

  /// Whether sending it twice has the effect of sending it once (RFC 9110 §9.2.2). Only then may a client send it again
  /// on its own when a connection was closed before an answer.
  var isIdempotent: Bool {
    switch method {
    case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY": true
    default: false
    }
  }
}
