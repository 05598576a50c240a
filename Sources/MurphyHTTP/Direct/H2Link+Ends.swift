import MurphyModel

/// The state of a transfer as a stream of HTTP/2.
struct H2Exchange {
  /// The number of the stream; 0 before the request was passed to nghttp2.
  var id: Int32 = 0
  var deadline = Instant(nanoseconds: 0)
  var acceptedCodings = ""
  /// The bytes of the request's content that were sent.
  var sentContent = 0
  /// The status of the current header section.
  var status = 0
  /// The bytes of the current header section.
  var headerBytes = 0
  var interims = 0
  /// True if a frame of a response was received.
  var hasBegun = false
  /// True if the header section of the final response is complete.
  var hasHead = false
  /// Layers of `gzip` and `deflate` around the body.
  var codings = 0
  /// The rule without which the response cannot be read.
  var broken: ProtocolViolation?
}

/// A request that is sent again.
struct Resending {
  let transfer: DirectTransfer
  let attempt: LostAttempt
  let detail: String
  /// True if the server requires HTTP/1.1 for it.
  let needsHTTP1: Bool
}

extension H2Link {
  /// The connection ended before its streams did.
  func end(_ detail: (DirectTransfer) -> String) {
    let (ended, kept) = (streams, kept)
    for transfer in ended { remove(transfer) }
    close()
    for transfer in ended {
      if !transfer.exchange.hasBegun, let kept, transfer.repeats.isEmpty {
        sendAgain(transfer, after: LostAttempt(sent: transfer.lastSent, on: kept), detail(transfer))
      } else {
        transfer.complete(transfer.ending(detail(transfer)), layers: transfer.exchange.codings, at: .now)
      }
    }
  }

  /// Sends the refused requests again.
  func sendRefused() {
    guard !refused.isEmpty else { return }
    let waiting = refused
    refused = []
    for one in waiting { sendAgain(one.transfer, after: one.attempt, one.detail, overHTTP1: one.needsHTTP1) }
  }

  /// The server did not process the request, or most likely did not. It is sent again once if that is harmless.
  func sendAgain(
    _ transfer: DirectTransfer, after attempt: LostAttempt, _ detail: String, overHTTP1: Bool = false
  ) {
    var attempt = attempt
    attempt.isSecond = !transfer.repeats.isEmpty
    guard transfer.request.isIdempotent, transfer.repeats.isEmpty else {
      return transfer.complete(.failed(.lost(attempt, detail)), layers: 0, at: .now)
    }
    transfer.sendAgain(after: attempt)
    if overHTTP1 { connection.newLink().carry(transfer) } else { transport.carry(transfer, on: connection) }
  }
}

extension DirectTransfer {
  /// The end of an exchange over HTTP/2 whose stream or connection broke.
  func ending(_ detail: String) -> Ending {
    if stream != nil {
      stream?.isBroken = true
      return .answered
    }
    return .failed(exchange.hasHead ? .incomplete(received: body.count, detail) : .closed(detail))
  }
}
