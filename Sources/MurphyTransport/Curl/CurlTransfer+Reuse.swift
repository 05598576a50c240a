import CLibcurl
import MurphyModel

extension CurlTransfer {
  /// Whether libcurl may send the request, over the connection with this local port.
  ///
  /// libcurl sends a request again by itself, up to five times, when a connection that was kept is closed before the
  /// first byte of an answer, and when an HTTP/2 stream was refused (`Curl_retry_request` in lib/transfer.c of 7.88). It
  /// asks before each sending: here the repeat is counted, or refused.
  func maySend(from port: CInt) -> Bool {
    if isStale, connection?.streamPorts.contains(port) != true {
      needsRenewal = true
      return false
    }
    let now = Instant.now
    sendings += 1
    if sendings > 1 {
      var attempt = LostAttempt(sent: lastSent, on: kept)
      // Only a refused stream is sent again over a connection that had not been kept.
      attempt.isStream = connection?.isHTTP2 ?? false || kept == nil
      guard isIdempotent, repeats.isEmpty else {
        lost = attempt
        return false
      }
      repeats.append(attempt)
    }
    lastSent = now
    kept = connection?.kept.removeValue(forKey: port)
    return true
  }

  /// Remembers until when the connection was busy.
  func keepConnection() {
    var port = 0
    curl_get_long(easy, CURLINFO_LOCAL_PORT, &port)
    guard port > 0, let connection else { return }
    if isHTTP2 {
      connection.isHTTP2 = true
      // A connection that ended with the answer is closed by now.
      var socket = CURL_SOCKET_BAD
      curl_get_socket(easy, &socket)
      if connection.sockets.contains(socket) { connection.streamPorts.insert(CInt(truncatingIfNeeded: port)) }
    }
    let announced = fields.lines.last { $0.is(.keepAlive) }.flatMap { HeaderSection.seconds($0.value) }
    let since = min(transport.loop.earliestEvent, .now)
    connection.keep(CInt(truncatingIfNeeded: port), KeptConnection(idleSince: since, announced: announced))
  }

  private var isHTTP2: Bool {
    var version = 0
    curl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
    return version == Int(CURL_HTTP_VERSION_2_0)
  }
}
