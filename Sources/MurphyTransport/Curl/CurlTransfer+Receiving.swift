import CLibcurl
import Glibc

extension CurlTransfer {
  /// Takes a piece of the body; fewer bytes than offered make libcurl give the exchange up.
  func receive(body bytes: UnsafeRawPointer, count: Int) -> Int {
    let room = bodyLimit - body.count
    guard count <= room else {
      body.append(bytes, count: room)
      isCutOff = true
      return 0
    }
    body.append(bytes, count: count)
    return count
  }

  /// Takes one header line. A status line begins a new answer: an interim one (1xx) is forgotten.
  func receive(header bytes: UnsafeRawPointer, count: Int) {
    // Trailers come after the body; they belong to no header that the contract knows.
    guard body.count == 0 else { return }
    if count > 5, memcmp(bytes, "HTTP/", 5) == 0 {
      header.clear()
      header.append(bytes, count: count)
      statusLine = count
    } else if count > 2 {
      header.append(bytes, count: count)
    }
  }

  func opened(_ socket: CInt) {
    guard let connection else { return }
    connection.sockets.append(socket)
    transport.opened(socket, by: connection)
  }

  /// Sorts what libcurl reports at the end.
  func conclude(_ code: CURLcode) -> Ending {
    var value = 0
    curl_get_long(easy, CURLINFO_RESPONSE_CODE, &value)
    status = value
    var size: curl_off_t = 0
    curl_get_large(easy, CURLINFO_SIZE_DOWNLOAD_T, &size)
    bytesReceived = Int(size)
    if code == CURLE_OK || (isCutOff && code == CURLE_WRITE_ERROR) { return .answered }
    return .failed(failure(code))
  }

  private func failure(_ code: CURLcode) -> TransportError {
    var connected: curl_off_t = 0
    curl_get_large(easy, CURLINFO_PRETRANSFER_TIME_T, &connected)
    var detail = String(cString: errorText)
    if detail.isEmpty { detail = String(cString: curl_easy_strerror(code)) }
    let options = transport.options
    var sent = 0
    curl_get_long(easy, CURLINFO_REQUEST_SIZE, &sent)
    var cause = 0
    curl_get_long(easy, CURLINFO_OS_ERRNO, &cause)
    return TransportError(
      code, detail: detail, cause: CInt(truncatingIfNeeded: cause), connected: connected > 0,
      isSent: sent > 0, received: body.count,
      options: (options.connectTimeout, timeout))
  }
}
