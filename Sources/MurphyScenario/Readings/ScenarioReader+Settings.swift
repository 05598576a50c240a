import MurphyDocument
import MurphyModel

extension ScenarioReader {
  func settings(_ node: MarkedValue?) -> ClientSettings {
    var settings = ClientSettings()
    guard let node, let entries = entries(node, .settings) else { return settings }
    if let timeout = duration(entries["timeout"], "a timeout", positive: true) { settings.timeout = timeout }
    if let timeout = duration(entries["connect-timeout"], "a timeout", positive: true) {
      settings.connectTimeout = timeout
    }
    if let size = size(entries["max-body"], "max-body") { settings.maxBody = size }
    if let http = choice(entries["http"], "http", ClientSettings.HTTPVersion.self) { settings.http = http }
    if let redirects = whole(entries["redirects"], "redirects", 0...20) { settings.redirects = redirects }
    if let proxy = entries["proxy"] { settings.proxy = proxy.scalarText ?? "" }
    if let compression = boolean(entries["compression"], "compression") { settings.compression = compression }
    if let grace = duration(entries["grace"], "grace") { settings.grace = grace }
    if let abort = entries["abort-after"] { read(abort, into: &settings) }
    if let tls = entries["tls"], let parts = self.entries(tls, .tls) { read(parts, into: &settings) }
    return settings
  }

  /// `10s`, `off`, or `{ silence: 10s, lost: 5s }`.
  private func read(_ abort: MarkedValue, into settings: inout ClientSettings) {
    guard abort.isMapping else {
      settings.abortAfter = isOff(abort) ? nil : duration(abort, "abort-after", positive: true)
      return
    }
    guard let parts = entries(abort, .abortAfter) else { return }
    if let silence = parts["silence"] {
      settings.abortAfter = isOff(silence) ? nil : duration(silence, "silence", positive: true)
    }
    if let lost = parts["lost"] { settings.abortWhenLost = isOff(lost) ? nil : duration(lost, "lost", positive: true) }
  }
}

extension ScenarioReader {
  /// `tls:` of the settings.
  private func read(_ parts: Entries, into settings: inout ClientSettings) {
    settings.certificateAuthorities = pemFile(parts["ca-file"], "ca-file")
    if let insecure = boolean(parts["insecure"], "insecure") { settings.insecure = insecure }
    let passphrase = textTemplate(parts["passphrase"], "a passphrase")
    let key = pemFile(parts["key"], "key")
    guard let certificate = pemFile(parts["cert"], "cert") else {
      for key in ["key", "passphrase"] where parts.has(key) && !parts.has("cert") {
        report("\"\(key)\" without \"cert\"", at: parts.keyNode(key))
      }
      return
    }
    var own = ClientCertificate(file: certificate, key: key)
    if let passphrase, let node = parts["passphrase"] {
      if case .constant(let value) = passphrase.content {
        own.passphrase = value.interpolated
        secrets.insert(value.interpolated)
      } else {
        report("a passphrase is the same for all users", at: node)
      }
    }
    settings.certificate = own
  }

  /// The path of a file that can be read.
  private func pemFile(_ node: MarkedValue?, _ what: String) -> String? {
    guard let node, let file = text(node, what) else { return nil }
    let path = ScenarioFiles.path(file, relativeTo: source.file)
    if (try? files.read(path)) == nil { report("cannot read the file \(path)", at: node) }
    return path
  }
}
