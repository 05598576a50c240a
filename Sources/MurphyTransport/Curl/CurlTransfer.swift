import CLibcurl
import MurphyModel

/// A transfer that libcurl carries: an easy handle, used by one user after the other.
final class CurlTransfer: Transfer {
  let easy: UnsafeMutableRawPointer
  let slot: Int
  let errorText: UnsafeMutablePointer<CChar>
  var bodyLimit = Int.max
  var method = MethodSetting.unset
  var hasCookies = false
  var headerList: UnsafeMutablePointer<curl_slist>?
  var isIdempotent = false
  var asked = ""
  /// Sendings so far; libcurl begins a second one by itself when a connection that was kept turns out to be closed.
  var sendings = 0
  /// What is known of the connection that carries the request; nil for a new one.
  var kept: KeptConnection?
  /// The sending after which another was refused to libcurl.
  var lost: LostAttempt?
  /// Why the answer was not read further.
  var broken: ProtocolViolation?
  var interims = 0
  var headerBytes = 0

  /// What the easy handle's method options were last set to, so that a series of GETs sets nothing.
  enum MethodSetting { case unset, get, other }

  init(easy: UnsafeMutableRawPointer, slot: Int, transport: Transport) {
    self.easy = easy
    self.slot = slot
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(to: 0)
    super.init(transport: transport)
    setOnce()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  override func withdraw() {
    if let multi = connection?.multi { curl_multi_remove_handle(multi.handle, easy) }
  }

  override func recycle() {
    errorText.pointee = 0
    sendings = 0
    kept = nil
    lost = nil
    broken = nil
    interims = 0
    headerBytes = 0
    transport.reclaim(self)
  }
}
