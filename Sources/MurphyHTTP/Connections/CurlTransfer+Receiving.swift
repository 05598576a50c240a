import CLibcurl
import Glibc
import MurphyModel

extension CurlTransfer {
  /// The options for all requests of this handle.
  func setOnce() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    let options = transport.options
    curl_set_pointer(easy, CURLOPT_PRIVATE, UnsafeMutableRawPointer(bitPattern: slot + 1))
    curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    curl_set_data_function(easy, CURLOPT_WRITEFUNCTION, receiveBody)
    curl_set_pointer(easy, CURLOPT_WRITEDATA, me)
    curl_set_data_function(easy, CURLOPT_HEADERFUNCTION, receiveHeader)
    curl_set_pointer(easy, CURLOPT_HEADERDATA, me)
    curl_set_open_function(easy, openSocket)
    curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me)
    curl_set_close_function(easy, closeSocket)
    curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(transport).toOpaque())
    curl_set_prerequest_function(easy, beforeSending)
    curl_set_pointer(easy, CURLOPT_PREREQDATA, me)
    options.setReach(easy, to: transport.origin)
    curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
    curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    curl_set_long(easy, CURLOPT_HTTP_VERSION, options.version.setting(transport.origin.scheme))
    // The same on both paths; libcurl's own choice depends on how it was built.
    if let codings = options.codings { curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, codings) }
    curl_set_text(easy, CURLOPT_USERAGENT, options.userAgent)
    if let credentials = transport.origin.credentials {
      let parts = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      curl_set_text(easy, CURLOPT_USERNAME, String(parts[0]))
      curl_set_text(easy, CURLOPT_PASSWORD, parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The options of one request of one user.
  func set(_ request: HTTPRequest, for connection: Connection) {
    let options = transport.options
    bodyLimit = options.bodyLimit.bytes
    isIdempotent = request.isIdempotent
    acceptedCodings = request.headers.first { $0.name.isHeader("accept-encoding") }?.value ?? options.codings ?? ""
    let timeout = request.timeout ?? options.timeout
    self.timeout = timeout
    setTime(timeout)
    if let addresses = transport.addresses, let multi = connection.multi, last.multi != ObjectIdentifier(multi) {
      // libcurl copies the addresses into the multi handle that carries the next request.
      last.multi = ObjectIdentifier(multi)
      curl_set_pointer(easy, CURLOPT_RESOLVE, addresses)
    }
    let url = transport.prefix + request.target
    if url != last.url {
      last.url = url
      curl_set_text(easy, CURLOPT_URL, url)
    }
    // A separate pool bundle for each user: the key of the pool holds the address scope, which only IPv6 link-local
    // addresses use otherwise.
    curl_set_long(easy, CURLOPT_ADDRESS_SCOPE, connection.scope)
    if transport.usesSourceAddresses {
      TransportOptions.setSource(easy, connection.sourceAddress)
    }
    setMethod(request)
    setHeaders(request, connection)
  }

  /// The remaining time for the exchange.
  /// - Parameter time: nil for no limit.
  func setTime(_ time: Duration?) {
    guard time != last.time else { return }
    last.time = time
    curl_set_long(easy, CURLOPT_TIMEOUT_MS, time?.milliseconds ?? 0)
  }

  private func setMethod(_ request: HTTPRequest) {
    if request.method == "GET", request.body == nil {
      if last.method != .get {
        curl_set_text(easy, CURLOPT_CUSTOMREQUEST, nil)
        curl_set_long(easy, CURLOPT_HTTPGET, 1)
      }
      last.method = .get
      return
    }
    last.method = .other
    if request.method == "HEAD", request.body == nil {
      curl_set_text(easy, CURLOPT_CUSTOMREQUEST, nil)
      curl_set_long(easy, CURLOPT_NOBODY, 1)
      return
    }
    curl_set_long(easy, CURLOPT_HTTPGET, 1)
    if let body = request.body {
      curl_set_large(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      body.withUnsafeBytes { bytes in
        // An empty array has no address; libcurl needs one to send an empty body.
        withUnsafePointer(to: 0 as UInt8) { none in
          let start = bytes.baseAddress ?? UnsafeRawPointer(none)
          curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start))
        }
      }
    } else if request.method == "POST" || request.method == "PUT" || request.method == "PATCH" {
      // Sends `Content-Length: 0`, as RFC 9110 §8.6 requires for methods that expect content.
      curl_set_large(easy, CURLOPT_POSTFIELDSIZE_LARGE, 0)
      curl_set_text(easy, CURLOPT_COPYPOSTFIELDS, "")
    }
    curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
  }

  private func setHeaders(_ request: HTTPRequest, _ connection: Connection) {
    // First the cookies of the request in their order, then those that the target set (RFC 6265 §5.4: one header).
    var crumbs = request.headers.filter { $0.name.isHeader("cookie") }.map(\.value)
    if let kept = connection.cookies(for: request.target) { crumbs.append(kept) }
    let cookies = crumbs.isEmpty ? nil : crumbs.joined(separator: "; ")
    if cookies != nil || last.hasCookies {
      curl_set_text(easy, CURLOPT_COOKIE, cookies)
      last.hasCookies = cookies != nil
    }
    setFields(request)
  }

  private func setFields(_ request: HTTPRequest) {
    guard last.method == .other || trace != nil || request.headers != last.headers else { return }
    last.headers = last.method == .other || trace != nil ? nil : request.headers
    let old = headerList
    headerList = nil
    for field in request.headers where !field.name.isHeader("cookie") { append(field) }
    for field in trace?.fields ?? [] { append(HeaderField(field.name, field.value)) }
    if last.method == .other {
      if !request.headers.contains(where: { $0.name.isHeader("content-type") }) {
        headerList = curl_slist_append(headerList, "Content-Type:")
      }
      headerList = curl_slist_append(headerList, "Expect:")
    }
    if old != nil || headerList != nil { curl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList) }
    curl_slist_free_all(old)
  }

  private func append(_ field: HeaderField) {
    // libcurl's notation for a header without a value is a semicolon.
    headerList = curl_slist_append(
      headerList, field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.safeValue)")
  }
}

extension TransportOptions.Version {
  fileprivate func setting(_ scheme: String) -> Int {
    switch self {
    case .auto: Int(CURL_HTTP_VERSION_2TLS)
    case .http1: Int(CURL_HTTP_VERSION_1_1)
    case .http2: scheme == "https" ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
    }
  }
}

extension Duration {
  /// Whole milliseconds, rounded up, at least one.
  var milliseconds: Int { max(Int((nanoseconds + 999_999) / 1_000_000), 1) }
}

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
    let section = HeaderSection(header.bytes, statusLine: statusLine, acceptedCodings: acceptedCodings, fields)
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
