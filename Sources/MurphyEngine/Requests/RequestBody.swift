import MurphyContract

/// A request's body and its media type.
struct RequestBody {
  var contentType: String
  var bytes: [UInt8]

  init(contentType: String, bytes: [UInt8]) {
    self.contentType = contentType
    self.bytes = bytes
  }

  init(_ body: Contract.Body) { self.init(contentType: body.contentType, bytes: body.bytes) }
}
