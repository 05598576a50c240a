import CLibcurl
import Foundation
import MurphyModel

/// Uploads files to an object store and downloads them, by HTTP. Blocks; not for use on a loop.
package struct ObjectStore: Sendable {
  /// PEM file of trusted authorities; nil for the system's.
  package var authorities: String?

  private static let connectTimeout = 15
  /// The time without a byte after which a transfer is aborted, in seconds.
  private static let silence = 30
  private static let longestError = 2_048
  /// The maximum size in bytes of an object that is read; a store could send forever.
  private static let mostBytes = 1 << 30

  package init(authorities: String? = nil) { self.authorities = authorities }

  /// Uploads a whole file with PUT (RFC 9110 §9.3.4).
  ///
  /// - Throws: the error message of the store.
  package func put(_ path: String, to address: StoreAddress) throws(StoreError) {
    let what = "cannot upload \(path) to \(address.shown)"
    guard let file = fopen(path, "rb") else { throw StoreError("\(what): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    guard let answer = tmpfile() else { throw StoreError("\(what): \(String(cString: strerror(errno)))") }
    defer { fclose(answer) }
    try perform(address, what, into: answer, payload: "UNSIGNED-PAYLOAD") { easy in
      curl_set_long(easy, CURLOPT_UPLOAD, 1)
      curl_set_pointer(easy, CURLOPT_READDATA, file)
      curl_set_large(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(size))
    }
  }

  /// Downloads into a file with GET.
  ///
  /// - Throws: the error message of the store; then the file does not hold the object.
  package func get(_ address: StoreAddress, to path: String) throws(StoreError) {
    let what = "cannot read \(address.shown)"
    guard let file = fopen(path, "w+b") else { throw StoreError("\(what): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    // SHA-256 of empty content.
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    try perform(address, what, into: file, payload: empty) { easy in curl_set_long(easy, CURLOPT_HTTPGET, 1) }
  }

  /// - Parameters:
  ///   - what: the action that failed, for the error.
  ///   - payload: the content hash in the signature. A PUT's content is not signed: TLS protects it, and hashing it
  /// would read the file twice.
  private func perform(
    _ address: StoreAddress, _ what: String, into file: UnsafeMutablePointer<FILE>, payload: String,
    _ prepare: (UnsafeMutableRawPointer) -> Void
  ) throws(StoreError) {
    _ = LibcurlVersion.prepare
    guard let easy = curl_easy_init() else { throw StoreError("\(what): out of memory") }
    defer { curl_easy_cleanup(easy) }
    let detail = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    detail.initialize(to: 0)
    defer { detail.deallocate() }
    curl_set_pointer(easy, CURLOPT_ERRORBUFFER, detail)
    curl_set_text(easy, CURLOPT_URL, address.url)
    curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    curl_set_long(easy, CURLOPT_CONNECTTIMEOUT, Self.connectTimeout)
    curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
    curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, Self.silence)
    if let authorities { curl_set_text(easy, CURLOPT_CAINFO, authorities) }
    var sink = ObjectSink(file: file, left: Self.mostBytes)
    curl_set_data_function(easy, CURLOPT_WRITEFUNCTION, writeObject)
    prepare(easy)
    // No further headers: libcurl 7.88 also signs a header that is only removed, such as `Expect:`.
    var fields: UnsafeMutablePointer<curl_slist>?
    defer { curl_slist_free_all(fields) }
    if let credentials = address.credentials {
      curl_set_text(easy, CURLOPT_AWS_SIGV4, "aws:amz:\(credentials.region):s3")
      curl_set_text(easy, CURLOPT_USERNAME, credentials.key)
      curl_set_text(easy, CURLOPT_PASSWORD, credentials.secret)
      fields = curl_slist_append(fields, "x-amz-content-sha256: \(payload)")
      if let token = credentials.token { fields = curl_slist_append(fields, "x-amz-security-token: \(token)") }
    }
    curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
    let code = withUnsafeMutablePointer(to: &sink) { sink in
      curl_set_pointer(easy, CURLOPT_WRITEDATA, sink)
      return curl_easy_perform(easy)
    }
    guard sink.left >= 0 else { throw StoreError("\(what): it is longer than \(Self.mostBytes >> 20) MiB") }
    guard code == CURLE_OK else {
      let reason = address.mask.masked(String(cString: detail))
      throw StoreError("\(what): \(reason.isEmpty ? String(cString: curl_easy_strerror(code)) : reason)")
    }
    let status = easy.number(CURLINFO_RESPONSE_CODE)
    guard !(200..<300).contains(status) else { return }
    throw StoreError("\(what): the store answered \(status)\(address.mask.masked(Self.reason(in: file)))")
  }

  /// Code and message of S3's error; the rest of it repeats the signed data.
  private static func reason(in file: UnsafeMutablePointer<FILE>) -> String {
    fflush(file)
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: longestError)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    func element(_ name: String) -> String? {
      guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>"),
        start.upperBound <= end.lowerBound
      else { return nil }
      return String(text[start.upperBound..<end.lowerBound].prefix(300))
    }
    let parts = [element("Code"), element("Message")].compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ": ")))"
  }
}

/// Writes the bytes of a store to a file, up to a limit.
private struct ObjectSink {
  let file: UnsafeMutablePointer<FILE>
  /// Negative if the store sent more.
  var left: Int
}

private func writeObject(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ user: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes, let sink = user?.assumingMemoryBound(to: ObjectSink.self) else { return 0 }
  sink.pointee.left -= size * count
  return sink.pointee.left < 0 ? 0 : fwrite(bytes, 1, size * count, sink.pointee.file)
}
