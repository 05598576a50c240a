import CLinux
import MurphyModel

extension DirectLink {
  /// Begins to connect with TLS; libcurl tries all of the target's addresses.
  func shakeHands() {
    guard let multi = connection.multi else { preconditionFailure("a user of https without a handle of libcurl") }
    let channel = SecureChannel(link: self, multi: multi)
    self.channel = channel
    state = .connecting
    armConnect()
    channel.connect()
  }

  /// The handshake is done.
  func secured(_ descriptor: CInt) {
    self.descriptor = descriptor
    transport.adoptLink(self)
    state = .open
    armConnect()
    flush()
  }

  /// libcurl gave up.
  func unsecured(_ error: TransportError) {
    disconnect()
    finish(.failed(error), keeps: false)
  }

  /// Sends bytes: how many, or the negative errno.
  func send(_ start: UnsafeRawPointer, _ count: Int) -> Int {
    if let channel { return channel.send(start, count) }
    return sys_send(descriptor, start, count)
  }

  /// Receives bytes: how many, 0 at the end of the stream, or the negative errno.
  func receive(_ room: UnsafeMutableRawBufferPointer) -> Int {
    if let channel { return channel.receive(room) }
    return sys_receive(descriptor, room.baseAddress, room.count)
  }
}
