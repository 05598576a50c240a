import CLibcurl

/// The libcurl that this process runs.
package enum LibcurlVersion {
  /// `libcurl/7.88.1 OpenSSL/3.0.19 …`
  package static var text: String { String(cString: curl_version()) }

  /// Prepares libcurl for use by several threads; needed once, before the first connection.
  package static let prepare: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()
}
