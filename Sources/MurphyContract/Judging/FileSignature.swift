/// The first bytes that every file of a format has.
struct FileSignature {
  /// As people call it.
  let name: String
  private let matches: @Sendable (UnsafeRawBufferPointer) -> Bool

  /// Nil for types whose files need not begin alike.
  init?(mediaType: String) {
    func begins(_ prefixes: [UInt8]...) -> @Sendable (UnsafeRawBufferPointer) -> Bool {
      { body in prefixes.contains { body.starts(with: $0) } }
    }
    switch mediaType {
    case "image/png": (name, matches) = ("PNG", begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    case "image/jpeg": (name, matches) = ("JPEG", begins([0xFF, 0xD8, 0xFF]))
    case "image/gif": (name, matches) = ("GIF", begins(Array("GIF87a".utf8), Array("GIF89a".utf8)))
    case "image/webp":
      (name, matches) = ("WebP", { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) })
    case "application/pdf":
      // Readers look for the header in the first 1,024 bytes (ISO 32000-1, annex H).
      (name, matches) = (
        "PDF",
        { body in
          let head = Array(body.prefix(1_024))
          return head.indices.contains { head[$0...].starts(with: "%PDF-".utf8) }
        }
      )
    default: return nil
    }
  }

  func holds(_ body: UnsafeRawBufferPointer) -> Bool { matches(body) }
}
