import ArgumentParser
import Foundation
import Murphy
import MurphyModel

/// `--cacert`, `--cert` and `--key`: whom users trust in TLS handshakes, and what they show.
struct CertificateArguments: ParsableArguments {
  @Option(help: "PEM file of the certificate authorities to trust.") var cacert: String?
  @Option(help: "PEM file of the certificate that users show.") var cert: String?
  @Option(
    help: "PEM file of its private key, where that is another one; MURPHY_KEY_PASSPHRASE holds its passphrase.")
  var key: String?

  func validate() throws {
    if key != nil, cert == nil { throw ValidationError("--key is the key of a certificate; name that with --cert.") }
  }

  func apply(to options: inout RunOptions) { (options.authorities, options.certificate) = (cacert, certificate) }

  var certificate: ClientCertificate? {
    cert.map {
      ClientCertificate(file: $0, key: key, passphrase: ProcessInfo.processInfo.environment["MURPHY_KEY_PASSPHRASE"])
    }
  }
}
