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
    guard let response = tmpfile() else { throw StoreError("\(what): \(String(cString: strerror(errno)))") }
    defer { fclose(response) }
    try perform(address, what, into: response, payload: "UNSIGNED-PAYLOAD") { easy in
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
    guard sink.left >= 0 else { throw StoreError("\(what): the object is larger than \(Self.mostBytes >> 20) MiB") }
    guard code == CURLE_OK else {
      let reason = address.mask.masked(String(cString: detail))
      throw StoreError("\(what): \(reason.isEmpty ? String(cString: curl_easy_strerror(code)) : reason)")
    }
    let status = easy.number(CURLINFO_RESPONSE_CODE)
    guard !(200..<300).contains(status) else { return }
    throw StoreError("\(what): the store returned status \(status)\(address.mask.masked(Self.reason(in: file)))")
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

/// The URL of a file in a store, and how its requests are signed.
///
/// - A presigned URL (it has `X-Amz-Signature` in its query) is used unchanged.
/// - Any other is signed for S3 by Amazon's Signature Version 4 if the environment has credentials. They are in
///   `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN` and `AWS_REGION`. Otherwise it is not signed.
package struct StoreAddress: Sendable {
  /// The keys with which requests are signed.
  package struct Credentials: Sendable {
    var key: String
    var secret: String
    var token: String?
    var region: String
  }

  /// Percent-encoded.
  let url: String
  /// Nil if requests are not signed.
  let credentials: Credentials?

  /// - Parameter file: the name that is appended to a URL with a slash at the end; nil to use the URL unchanged.
  /// - Returns: nil if the text is not an `http` or `https` URL.
  package init?(_ text: String, file: String? = nil, environment: [String: String]) {
    guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return nil }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let isPresigned = parts.count > 1 && parts[1].contains("X-Amz-Signature=")
    guard !isPresigned else {
      (url, credentials) = (text, nil)
      return
    }
    var path = String(parts[0])
    if let file, path.hasSuffix("/") { path += file }
    url = Self.encoded(path) + (parts.count > 1 ? "?\(parts[1])" : "")
    credentials = Self.credentials(environment)
  }

  /// The part that people may see: a signature is as sensitive as a password.
  package var shown: String {
    URLCredentials.masked(String(url.prefix { $0 != "?" }))
  }

  /// Removes the secrets of the address and its credentials from a string.
  var mask: SecretMask {
    let query = url.drop { $0 != "?" }.dropFirst().split(separator: "&").compactMap { pair -> String? in
      pair.firstIndex(of: "=").map { PercentEncoding.decode(pair[pair.index(after: $0)...]) }
    }
    let own = [credentials?.key, credentials?.secret, credentials?.token].compactMap(\.self)
    // Short values such as a date or a number of the query are not secrets.
    return SecretMask(secrets: own + query.filter { $0.utf8.count >= 20 } + URLCredentials.passwords(in: url))
  }

  /// S3 signs a path in which all characters except the unreserved ones are encoded (RFC 3986 §2.3), whatever a URL may
  /// hold.
  private static func encoded(_ url: String) -> String {
    guard let scheme = url.range(of: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/") else {
      return url
    }
    let segments = url[slash...].split(separator: "/", omittingEmptySubsequences: false)
    return url[..<slash]
      + segments.map { PercentEncoding.encode(PercentEncoding.decode($0), keepingReserved: false) }.joined(
        separator: "/")
  }

  private static func credentials(_ environment: [String: String]) -> Credentials? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let key = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") else { return nil }
    return Credentials(
      key: key, secret: secret, token: value("AWS_SESSION_TOKEN"),
      region: value("AWS_REGION") ?? value("AWS_DEFAULT_REGION") ?? "us-east-1")
  }
}

/// The reason why a file cannot be stored, for people.
package struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
