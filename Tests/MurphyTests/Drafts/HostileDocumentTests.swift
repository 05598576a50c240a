import Foundation
import Murphy
import TestSupport
import Testing

/// Texts of documents and recordings add no key, no line and no expression to a scenario.
@Suite struct HostileDocumentTests {
  static let texts = [
    "x\ntarget: http://evil.test\nsetup:\n  - call: a", "x\rclient: {}", "a # b", #"a" , x: "b"#, "it's 'it'",
    "${env(HOME)}", "$\u{7B}\u{301}env(HOME)}", "a\u{85}client: {}", "a\u{2028}setup: []", "a\u{2029}b", "nul\u{0}l",
    "e\u{301}\u{FE0F}", "\u{1B}[31m", "\u{FEFF}", "{{name}}", "- a: b", "&a *a !!str", "true", "~", ": ", "%",
  ]
}
