import Foundation
import MurphyDraft
import MurphyModel

/// A request that went through the proxy, with what the target answered.
package struct RecordedExchange: Sendable {
  package var began: Date
  /// From the send to the last byte of the answer.
  package var took: Duration
  package var method: String
  /// Path and query, without the target's base path.
  package var target: String
  package var requestHeaders: [HeaderField]
  package var requestBody: RecordedBody
  /// 0 where the target did not answer.
  package var status: Int
  package var responseHeaders: [HeaderField]
  package var responseBody: RecordedBody
  /// Why there is no answer.
  package var failure: String?

  /// `GET /laws 200 12 ms`: for a person who watches. Without the query, which may hold a secret.
  package var line: String {
    let path = ArchiveMask.shown(path: String(target.prefix { $0 != "?" }))
    let end = failure ?? "\(status) \(took.text)"
    return "\(method) \(path) \(end)"
  }
}
