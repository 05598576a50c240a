/// The places where faults take hold in what the push service does.
struct MiloHooks: SystemHooks {
  /// The push token of a phone.
  var token = Hook<PhoneRegistration, String>()
  /// The tickets for the notifications of a request, in their order.
  var send = Hook<[Notification], [Ticket]>()
  /// Stores a notification that is on its way to its phone.
  var deliver = Hook<Delivery, Void>()
  /// The receipts that there are for some tickets.
  var receipts = Hook<[String], [Receipt]>()
  /// What a phone has shown.
  var phone = Hook<[Delivery], [Delivery]>()
}

extension Hooks {
  var milo: MiloHooks {
    get { self[MiloHooks.self] }
    set { self[MiloHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the push service, for effects on what it holds.
  var milo: MiloStore { system(Milo.self).store }
}
