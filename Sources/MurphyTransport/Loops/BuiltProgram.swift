import CLinux
import MurphyModel

/// The program as it was built.
package enum BuiltProgram {
  /// `0.1.0`, and in what `make dist` built the commit: `0.1.0 (commit 8dbba7f2c0a1)`.
  package static var version: String {
    let commit = String(cString: sys_build_commit())
    return ProductVersion.text + (commit.isEmpty ? "" : " (commit \(commit))")
  }
}
