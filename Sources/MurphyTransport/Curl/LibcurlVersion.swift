import CLibcurl

/// The libcurl that this process runs.
package enum LibcurlVersion {
  /// `libcurl/7.88.1 OpenSSL/3.0.19 …`
  package static var text: String { String(cString: curl_version()) }

  /// Whether an easy handle that is used again still points to the last header of the answer before, which is freed by
  /// then: an answer that begins with a folded line makes libcurl 7.88 (Debian 12) read it, and ends the process. Later
  /// versions clear the pointer.
  package static let remembersHeaders = curl_version_info(CURLVERSION_FIRST).pointee.version_num < 0x080200

  /// Prepares libcurl for use by several threads; needed once, before the first connection.
  package static let prepare: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()
}
