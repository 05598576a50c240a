import CLibcurl

/// The libcurl that this process runs.
package enum LibcurlVersion {
  /// `libcurl/7.88.1 OpenSSL/3.0.19 …`
  package static var text: String { String(cString: curl_version()) }

  /// Why this libcurl cannot carry the requests; nil when it can.
  ///
  /// From 7.87 to 7.88 a second request over a plain HTTP/2 connection fails with "Error in the HTTP2 framing layer"
  /// (curl/curl#10634, mended in 8.0.0): a fault that would look like the target's.
  package static func mistake(_ version: TransportOptions.Version, to origin: Origin) -> String? {
    let number = curl_version_info(CURLVERSION_TENTH).pointee.version_num
    guard version == .http2, origin.scheme == "http", (0x07_57_00..<0x08_00_00).contains(number) else { return nil }
    return
      "`http: 2` without TLS needs libcurl 8.0 or newer, and this is \(text.prefix { $0 != " " }): it cannot send a "
      + "second request over such a connection. Use an https target, or `http: 1.1`"
  }

  /// Whether an easy handle that is used again still points to the last header of the answer before, which is freed by
  /// then: an answer that begins with a folded line makes libcurl 7.88 (Debian 12) read it, and ends the process. Later
  /// versions clear the pointer.
  package static let remembersHeaders = number < 0x080200

  /// Whether libcurl may hold bytes of a connection that it has received and nobody has asked for: since 8.0 its filters
  /// have buffers.
  static let readsAhead = number >= 0x080000

  private static let number = curl_version_info(CURLVERSION_FIRST).pointee.version_num

  /// Prepares libcurl for use by several threads; needed once, before the first connection.
  package static let prepare: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()
}
