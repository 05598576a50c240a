import Foundation
import MurphyModel

/// What the record says of the machine and the time.
package enum Machine {
  /// `Linux 6.1.0 x86_64, 2 cores, 24 GB`
  package static var text: String {
    var name = utsname()
    uname(&name)
    func field<Bytes>(_ bytes: Bytes) -> String {
      withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let process = ProcessInfo.processInfo
    let memory = ByteCount(Int(process.physicalMemory)).text
    return "\(field(name.sysname)) \(field(name.release)) \(field(name.machine)), "
      + "\(process.activeProcessorCount) cores, \(memory)"
  }

  /// When the load began, RFC 3339 in UTC.
  static func started(_ context: RunContext) -> String {
    let ago = Double(Instant.now - context.start) / 1e9
    return Date(timeIntervalSinceNow: -ago).formatted(.iso8601)
  }
}
