import CLinux

/// What the system says of this process.
package enum ProcessFigures {
  /// The most memory ever resident, bytes.
  package static var peakMemory: Int { Int(sys_peak_memory()) }

  /// Raises the limit of open files to what the system allows; returns the limit that then holds.
  @discardableResult
  package static func raiseFileLimit() -> Int { Int(clamping: sys_raise_file_limit()) }
}
