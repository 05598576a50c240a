import CNGHTTP2
import MurphyModel

/// Writes the header fields of HTTP/2 requests (RFC 9113 §8.3) for one origin.
final class RequestFields {
  private let text: RequestText
  private let scheme: String
  private let authority: String
  private var written = GrowingBytes()
  /// The fields in nghttp2's form.
  private var memory = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: 32)

  init(origin: Origin, text: RequestText) {
    self.text = text
    scheme = origin.scheme
    authority = origin.authority
  }

  deinit { memory.deallocate() }

  /// Calls `body` with the fields of a transfer's request and with its `Accept-Encoding`.
  func withFields<Value>(
    of transfer: DirectTransfer, cookies: String?, for transport: Transport,
    _ body: (UnsafeBufferPointer<nghttp2_nv>, _ acceptedCodings: String) -> Value
  ) -> Value {
    let request = transfer.request
    if cookies == nil, let kept = request.written(by: transport, as: .fields) {
      if kept.traceOffset == nil { transfer.trace = nil }
      return kept.bytes.withUnsafeBytes { body(read($0, transfer.trace, transport), kept.acceptedCodings) }
    }
    let acceptedCodings = text.acceptEncoding(of: request)
    write(request, cookies)
    let traceOffset = request.hasOwnTrace ? nil : written.count
    if traceOffset == nil { transfer.trace = nil }
    if cookies == nil {
      request.keep(
        written.bytes, as: .fields, acceptedCodings: acceptedCodings, traceOffset: traceOffset, of: transport)
    }
    return body(read(written.bytes, transfer.trace, transport), acceptedCodings)
  }

  // MARK: the form in which a request is kept: for each field two lengths, the name and the value

  private func read(
    _ bytes: UnsafeRawBufferPointer, _ trace: TraceContext?, _ transport: Transport
  ) -> UnsafeBufferPointer<nghttp2_nv> {
    var count = 0
    func add(_ start: UnsafeMutableRawPointer, name: Int, _ value: UnsafeMutableRawPointer, _ length: Int) {
      if count == memory.count { growMemory() }
      memory[count] = nghttp2_nv(
        name: start.assumingMemoryBound(to: UInt8.self), value: value.assumingMemoryBound(to: UInt8.self),
        namelen: name, valuelen: length, flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
      count += 1
    }
    var rest = bytes
    while rest.count >= 8 {
      let name = Int(rest.loadUnaligned(as: UInt32.self))
      let value = Int(rest.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
      let start = UnsafeMutableRawPointer(mutating: rest.baseAddress! + 8)
      add(start, name: name, start + name, value)
      rest = UnsafeRawBufferPointer(rebasing: rest[(8 + name + value)...])
    }
    if let trace, let lines = transport.traceLines.bytes.baseAddress {
      transport.traceLines.write(trace)
      for field in TraceLines.fields {
        add(lines + field.name.lowerBound, name: field.name.count, lines + field.value.lowerBound, field.value.count)
      }
    }
    return UnsafeBufferPointer(rebasing: memory[..<count])
  }

  private func growMemory() {
    let grown = UnsafeMutableBufferPointer<nghttp2_nv>.allocate(capacity: memory.count * 2)
    _ = grown.initialize(from: memory)
    memory.deallocate()
    memory = grown
  }

  private func add(_ name: String, _ value: String) {
    let value = value.utf8.trimmingBlanks
    written.append(lengths: name.utf8.count, value.count)
    written.append(lowercased: name)
    written.append(String(value) ?? "")
  }

  // MARK: the fields of a request

  private func write(_ request: HTTPRequest, _ cookies: String?) {
    written.truncate(to: 0)
    add(":method", request.method)
    let path = text.basePath + request.target
    add(":path", path.hasPrefix("/") ? path : "/" + path)
    add(":scheme", scheme)
    add(":authority", request.headers.last { $0.name.isHeader("host") }?.safeValue ?? authority)
    for field in text.defaults.dropFirst()
    where !request.headers.contains(where: { $0.name.lowercased() == field.name.lowercased() }) {
      add(field.name, field.safeValue)
    }
    // First the cookies of the request in their order, then those that the target set (RFC 6265 §5.4: one header).
    var crumbs: [String] = []
    for field in request.headers {
      if field.name.isHeader("cookie") { crumbs.append(field.value) } else { add(field) }
    }
    if let cookies { crumbs.append(cookies) }
    if !crumbs.isEmpty { add("cookie", HeaderField("Cookie", crumbs.joined(separator: "; ")).safeValue) }
    if let body = request.body {
      add("content-length", String(body.count))
    } else if request.method == "POST" || request.method == "PUT" || request.method == "PATCH" {
      add("content-length", "0")
    }
  }

  /// Leaves out the fields that concern a connection of HTTP/1.1: HTTP/2 forbids them (RFC 9113 §8.2.2).
  private func add(_ field: HeaderField) {
    switch field.name.lowercased() {
    case "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade": break
    case "te": if field.value.lowercased().contains("trailers") { add("te", "trailers") }
    default: add(field.name, field.safeValue)
    }
  }
}

extension GrowingBytes {
  fileprivate mutating func append(lengths name: Int, _ value: Int) {
    withUnsafeBytes(of: (UInt32(name), UInt32(value))) { append($0.baseAddress!, count: 8) }
  }

  /// Appends a string with its letters in lower case.
  fileprivate mutating func append(lowercased text: String) {
    fill(room: text.utf8.count) { start in
      var offset = 0
      for byte in text.utf8 {
        let isUpper = byte >= 0x41 && byte <= 0x5A
        start.storeBytes(of: isUpper ? byte | 0x20 : byte, toByteOffset: offset, as: UInt8.self)
        offset += 1
      }
      return offset
    }
  }
}

extension String.UTF8View {
  /// Without spaces and tabs at both ends.
  fileprivate var trimmingBlanks: Substring.UTF8View {
    var text = self[...]
    while let first = text.first, first == 32 || first == 9 { text = text.dropFirst() }
    while let last = text.last, last == 32 || last == 9 { text = text.dropLast() }
    return text
  }
}
