import CLibcurl
import Glibc
import MurphyModel

extension CurlTransfer {
  /// Takes a piece of the body; if it takes fewer bytes than offered, libcurl aborts the exchange.
  func receive(body bytes: UnsafeRawPointer, count: Int) -> Int {
    let room = bodyLimit - body.count
    guard count <= room else {
      body.append(bytes, count: room)
      isCutOff = true
      return 0
    }
    body.append(bytes, count: count)
    guard stream != nil else { return count }
    stream?.read(&body)
    guard stream?.isEnough == true else { return count }
    stream?.isLeft = true
    return 0
  }

  /// Takes one header line; false makes libcurl abort the exchange. A status line begins a new response: an interim one
  /// (1xx) is dropped.
  func receive(header bytes: UnsafeRawPointer, count: Int) -> Bool {
    headerBytes += count
    if firstRead == nil { firstRead = .now }
    guard headerBytes <= HeaderSection.longest else { return refuse(.headerSize) }
    // Trailers come after the body; they are not part of any header that the contract defines.
    guard body.count == 0, stream == nil else { return true }
    if count > 5, memcmp(bytes, "HTTP/", 5) == 0 {
      if statusLine > 0 { interims += 1 }
      guard interims <= HeaderSection.mostInterims else { return refuse(.interim) }
      header.clear()
      header.append(bytes, count: count)
      statusLine = count
      headerBytes = count
      promisesEvents = false
    } else if count > 2 {
      header.append(bytes, count: count)
      let line = UnsafeRawBufferPointer(start: bytes, count: count)
      if ASCIICase.begins(line, "content-type:"), ASCIICase.holds(line, "text/event-stream") { promisesEvents = true }
    } else if promisesEvents {
      beginStream()
    }
    return true
  }

  func readStatus() {
    status = easy.number(CURLINFO_RESPONSE_CODE)
    readFields()
  }

  private func readFields() {
    fields.read(header.bytes, after: statusLine, by: transport.options.fieldNames)
  }

  private func refuse(_ violation: ProtocolViolation) -> Bool {
    broken = violation
    return false
  }

  func opened(_ socket: CInt) {
    guard let connection else { return }
    socketOpened = socketOpened ?? .now
    connection.sockets.append(socket)
    transport.opened(socket, by: connection)
  }

  /// Classifies the result that libcurl reports at the end.
  func conclude(_ code: CURLcode) -> Ending {
    readStatus()
    bytesReceived = Int(easy.large(CURLINFO_SIZE_DOWNLOAD_T))
    if easy.number(CURLINFO_NUM_CONNECTS) > 0 {
      opens()
      opening = openingTimes
    }
    keepConnection()
    if let broken { return .failed(.broken(broken)) }
    if let lost { return .failed(.lost(lost, "the connection was closed without a response")) }
    if let stream {
      self.stream?.isBroken = code != CURLE_OK && !stream.isLeft
    } else {
      guard code == CURLE_OK || (isCutOff && code == CURLE_WRITE_ERROR) else { return .failed(failure(code)) }
    }
    if let fatal = readHeader() { return .failed(.broken(fatal)) }
    return .answered
  }

  /// The rules that the header section of an HTTP/1.1 response breaks; returns one without which it cannot be read.
  ///
  /// libcurl does not show surplus bytes, the lines of the chunked coding and the syntax of trailers. It converts an
  /// HTTP/2 response into its own lines.
  private func readHeader() -> ProtocolViolation? {
    guard header.count > 7, header.bytes[5] == 0x31 else { return nil }
    let section = HeaderSection(header.bytes, statusLine: statusLine, asked: asked, fields)
    violations.formUnion(section.violations)
    if status > 599 { violations.insert(.status) }
    if section.violations.contains(ProtocolViolations(.folding)) {
      header.unfold()
      readFields()
    }
    return status == 101 ? .upgrade : section.fatal
  }

  /// The time from the opening of the socket to the send; libcurl's own times count from the first attempt of a
  /// repeated request.
  private var openingTimes: (connect: Int64, tls: Int64?)? {
    guard let openedIn else { return nil }
    let (connect, secured) = (easy.large(CURLINFO_CONNECT_TIME_T), easy.large(CURLINFO_APPCONNECT_TIME_T))
    let tls = secured > connect ? min((secured - connect) * 1000, openedIn) : nil
    return (openedIn - (tls ?? 0), tls)
  }

  private func failure(_ code: CURLcode) -> TransportError {
    var detail = String(cString: errorText)
    if detail.isEmpty { detail = String(cString: curl_easy_strerror(code)) }
    return TransportError(
      code, detail: detail, cause: easy.number(CURLINFO_OS_ERRNO),
      connected: easy.large(CURLINFO_PRETRANSFER_TIME_T) > 0,
      isSent: easy.number(CURLINFO_REQUEST_SIZE) > 0, begun: header.count > statusLine, received: body.count,
      options: (transport.options.connectTimeout, timeout))
  }
}
