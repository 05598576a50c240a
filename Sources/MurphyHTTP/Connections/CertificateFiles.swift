import MurphyModel

/// The files of certificates and keys that TLS handshakes need.
package enum CertificateFiles {
  /// - Parameters:
  ///   - authorities: the authorities to trust instead of the system's; nil for the system's.
  ///   - certificate: the client certificate to present; nil for none.
  /// - Throws: `GateError.usage` for a file that cannot be read or has the wrong content: no request could be sent.
  package static func check(authorities: String?, _ certificate: ClientCertificate?) throws(GateError) {
    if let authorities { try check(authorities, "the certificate authorities", holds: "-----BEGIN ") }
    guard let certificate else { return }
    try check(certificate.file, "the client certificate", holds: "-----BEGIN CERTIFICATE-----")
    try check(certificate.key ?? certificate.file, "the client key", holds: "PRIVATE KEY-----")
  }

  private static func check(_ file: String, _ what: String, holds mark: String) throws(GateError) {
    let bytes: [UInt8]
    do {
      bytes = try BoundedFile.read(file, limit: BoundedFile.scenario)
    } catch {
      throw .usage("cannot read \(what) \(file): \(error). Give a PEM file.")
    }
    guard String(decoding: bytes, as: UTF8.self).contains(mark) else {
      let expected = mark.contains("KEY") ? "-----BEGIN PRIVATE KEY-----" : "-----BEGIN CERTIFICATE-----"
      throw .usage("the file \(file) does not hold \(what): expected PEM, `\(expected)`.")
    }
  }
}
