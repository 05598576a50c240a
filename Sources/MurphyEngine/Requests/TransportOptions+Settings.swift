import MurphyModel
import MurphyScenario
import MurphyTransport

extension TransportOptions {
  /// As a scenario's settings say.
  ///
  /// - Parameters:
  ///   - authorities: PEM file of trusted authorities, which replaces that of the settings.
  ///   - certificate: what users show, which replaces that of the settings.
  package init(_ settings: ClientSettings, authorities: String?, certificate: ClientCertificate? = nil) {
    self.init()
    self.certificate = certificate ?? settings.certificate
    self.authorities = authorities ?? settings.certificateAuthorities
    checksCertificates = !settings.insecure
    connectTimeout = settings.connectTimeout
    timeout = settings.timeout
    bodyLimit = settings.maxBody
    proxy = settings.proxy
    compression = settings.compression
    userAgent = ProductVersion.userAgent
    version =
      switch settings.http {
      case .auto: .auto
      case .http1: .http1
      case .http2: .http2
      }
  }
}
