import MurphyModel
import Yams

extension ScenarioReader {
  func settings(_ node: Node?) -> ClientSettings {
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
    if let abort = entries["abort-after"] {
      settings.abortAfter = isOff(abort) ? nil : duration(abort, "abort-after", positive: true)
    }
    if let tls = entries["tls"], let parts = self.entries(tls, .tls) {
      if let file = text(parts["ca-file"], "ca-file") {
        let path = ScenarioFiles.path(file, relativeTo: source.file)
        settings.certificateAuthorities = path
        if (try? files.read(path)) == nil { report("cannot read the file \(path)", at: parts["ca-file"] ?? tls) }
      }
      if let insecure = boolean(parts["insecure"], "insecure") { settings.insecure = insecure }
    }
    return settings
  }
}
