import Hummingbird
import NIOCore

/// What Hummingbird hands to a responder of this server: the connection, for the peer's address and the hooks.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
