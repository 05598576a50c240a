import Foundation

/// A program that tests run and that a machine may lack.
public enum Tool: String, CaseIterable, Sendable {
  case bash, chromium, curl, env, haproxy, nginx, openssl, prometheus, timeout, xmllint, zsh

  /// A tool that a test asked for and that is not installed.
  public struct Missing: Error, CustomStringConvertible {
    public let tool: Tool
    public var description: String {
      "\(tool.rawValue) is not installed: `make test-packages` installs it, with the Debian package \(tool.package)"
    }
  }

  /// Where it lies.
  /// - Throws: `Missing` where it is not installed.
  public var path: String {
    get throws(Missing) {
      guard let path = installed else { throw Missing(tool: self) }
      return path
    }
  }

  /// Where it lies, or nil where it is not installed.
  public var installed: String? {
    names.lazy.flatMap { name in Self.folders.lazy.map { $0 + "/" + name } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether a missing tool fails the tests that need it: in CI, and where `MURPHY_REQUIRE_TOOLS` says so.
  public static let areRequired = ["CI", "MURPHY_REQUIRE_TOOLS"].contains {
    !["", "0", "false"].contains(ProcessInfo.processInfo.environment[$0] ?? "")
  }

  private static let folders = ["/usr/bin", "/usr/sbin", "/bin"]

  private var names: [String] {
    switch self {
    case .chromium: ["chromium", "chromium-browser", "google-chrome"]
    default: [rawValue]
    }
  }

  private var package: String {
    switch self {
    case .env, .timeout: "coreutils"
    case .xmllint: "libxml2-utils"
    default: rawValue
    }
  }
}
