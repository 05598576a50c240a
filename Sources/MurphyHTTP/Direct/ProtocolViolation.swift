import MurphyModel

/// A rule of HTTP/1.1 that a response broke. Clients differ in how they read such a response, so each is a finding.
package enum ProtocolViolation: UInt8, CaseIterable, Sendable {
  case lengthAndEncoding, contentLength, transferEncoding, surplus, contentEncoding, headerBytes, headerSyntax, folding
  case lineEnding, status, upgrade, headerSize, interim, chunks, coding

  /// The kind of the finding for this violation.
  package var kind: FindingKind { facts.kind }

  /// The data that the server sent, and the rule.
  package var sentence: String { facts.sentence }

  private var facts: (kind: FindingKind, sentence: String) {
    switch self {
    case .lengthAndEncoding:
      (
        .transportLengthAndEncoding,
        "the response has both Content-Length and Transfer-Encoding; readers differ in where it ends (RFC 9112 §6.3)"
      )
    case .contentLength:
      (
        .transportContentLength,
        "Content-Length is not one whole number: the end of the response is unknown (RFC 9112 §6.3)"
      )
    case .transferEncoding:
      (
        .transportTransferEncoding,
        "Transfer-Encoding is not `chunked` alone, and no other coding was requested (RFC 9112 §6.1, §7.4)"
      )
    case .surplus:
      (
        .transportSurplusBytes,
        "bytes were received after the end of the response; on a shared connection they reach another user"
      )
    case .contentEncoding:
      (.transportContentEncoding, "the body has a content coding that the request did not accept (RFC 9110 §12.5.3)")
    case .headerBytes:
      (
        .transportHeaderBytes,
        "the header section contains a NUL or a bare carriage return (RFC 9110 §5.5, RFC 9112 §2.2)"
      )
    case .headerSyntax: (.transportHeaderSyntax, "a header line is not `name: value` (RFC 9112 §5)")
    case .folding: (.transportHeaderFolding, "a header line is folded over several lines, which RFC 9112 §5.2 forbids")
    case .lineEnding:
      (.transportLineEnding, "lines of the header section end without a carriage return (RFC 9112 §2.2)")
    case .status: (.transportStatus, "the status is not a number from 100 to 599 (RFC 9110 §15)")
    case .upgrade:
      (
        .transportUpgrade,
        "the server switched protocols (101), for example to WebSocket: murphy only speaks HTTP (RFC 9110 §15.2.2)"
      )
    case .headerSize:
      (
        .transportHeaderSize,
        "the header or trailer section is longer than 256 KB, or one of its lines is longer than 100 KB; murphy stopped reading it"
      )
    case .interim: (.transportInterim, "more than 100 interim responses (1xx) were received before a response")
    case .chunks:
      (
        .transportTransferEncoding,
        "the body's chunks cannot be read: one has no size in hexadecimal digits, or is longer than its size (RFC 9112 §7.1)"
      )
    case .coding:
      (.transportContentEncoding, "the body is not in the content coding that its header names (RFC 9110 §8.4)")
    }
  }
}

/// The rules that one response broke.
package struct ProtocolViolations: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ violation: ProtocolViolation) { rawValue = 1 << UInt32(violation.rawValue) }

  /// In the order of the cases.
  package var each: [ProtocolViolation] { ProtocolViolation.allCases.filter { contains(ProtocolViolations($0)) } }

  mutating func insert(_ violation: ProtocolViolation) { formUnion(ProtocolViolations(violation)) }
}
