import GRDB
import MurphyServer

/// The database of the push service: phones, notifications, and the notifications that the phones have displayed.
package final class MiloStore: Sendable {
  /// The time in which Apple and Google report the outcome of a notification, in microseconds.
  package static let receiptDelay = 150_000

  /// Phones, notifications and deliveries, in memory or in a file.
  package let database: any DatabaseWriter
  private let seed: UInt64

  init(options: ReferenceOptions) throws(ServerError) {
    seed = options.seed
    database = try ReferenceDatabase.open(options, of: "milo", schema: Self.schema) { _ in }
  }

  private static let schema = """
    CREATE TABLE phones (
      id INTEGER PRIMARY KEY,
      device TEXT NOT NULL,
      project TEXT NOT NULL,
      address TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('apns', 'fcm')),
      token TEXT UNIQUE,
      -- When the first notification has found out that the app is gone, microseconds since 1970.
      gone_at INTEGER,
      UNIQUE (device, project));
    CREATE TABLE notifications (
      number INTEGER PRIMARY KEY,
      id TEXT UNIQUE,
      token TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'gone', 'big')),
      receipt_at INTEGER NOT NULL);
    CREATE TABLE deliveries (
      number INTEGER PRIMARY KEY, phone TEXT NOT NULL, id TEXT NOT NULL, title TEXT, body TEXT, data TEXT);
    CREATE INDEX deliveries_by_phone ON deliveries(phone, number);
    """
}

extension MiloStore {
  /// The push token of an installation: the same each time.
  func token(of registration: PhoneRegistration) throws -> String {
    try database.write { database in
      try database.execute(
        sql: """
          INSERT INTO phones (device, project, address, kind) VALUES (?, ?, ?, ?)
          ON CONFLICT (device, project) DO UPDATE SET address = excluded.address, kind = excluded.kind
          """,
        arguments: [registration.device, registration.project, registration.address, registration.kind.rawValue])
      let row = try Row.fetchOne(
        database, sql: "SELECT id, token FROM phones WHERE device = ? AND project = ?",
        arguments: [registration.device, registration.project])
      guard let row, let id: Int = row["id"] else { throw ServerError("a phone that was stored is missing") }
      if let token: String = row["token"] { return token }
      var numbers = SeededNumbers(seed: seed ^ 0xE480 &+ UInt64(id) &* 0x1_0003)
      let token = "ExponentPushToken[\(numbers.letters(22))]"
      try database.execute(sql: "UPDATE phones SET token = ? WHERE id = ?", arguments: [token, id])
      return token
    }
  }

  /// The projects of the phones with these tokens.
  func projects(of tokens: [String]) throws -> Set<String> {
    try database.unsafeRead { database in
      Set(try tokens.compactMap { try database.row("SELECT project FROM phones WHERE token = ?", [$0])?[0] as String? })
    }
  }

  /// Accepts the notifications of one request: a ticket for each, in order, in one transaction. It also returns the
  /// deliveries to phones.
  func send(_ notifications: [Notification]) throws -> (tickets: [Ticket], deliveries: [Delivery]) {
    try database.write { database in
      var deliveries: [Delivery] = []
      let tickets = try notifications.map { notification -> Ticket in
        guard let phone = try Self.phone(notification.to, database) else {
          return .notRegistered(token: notification.to)
        }
        let isBig = notification.size > 4096
        let outcome = phone.isGone ? "gone" : isBig ? "big" : "ok"
        let id = try store(notification, outcome, database)
        if phone.isGone {
          try database.run(
            "UPDATE phones SET gone_at = ? WHERE token = ? AND gone_at IS NULL",
            [Timestamp.microsecondsNow() + Self.receiptDelay, notification.to])
        } else if !isBig {
          deliveries.append(Delivery(id: id, phone: phone.device, notification))
        }
        return .ok(id: id)
      }
      return (tickets, deliveries)
    }
  }

  /// The phone with a token; nil if there is none, or if the app is known to be deleted from it.
  private static func phone(_ token: String, _ database: Database) throws -> (device: String, isGone: Bool)? {
    guard let row = try database.row("SELECT device, address, gone_at FROM phones WHERE token = ?", [token]) else {
      return nil
    }
    if let goneAt: Int = row[2], goneAt <= Timestamp.microsecondsNow() { return nil }
    let address: String = row[1]
    return (row[0], address.hasPrefix("gone"))
  }

  private func store(_ notification: Notification, _ outcome: String, _ database: Database) throws -> String {
    try database.run(
      "INSERT INTO notifications (token, outcome, receipt_at) VALUES (?, ?, ?)",
      [notification.to, outcome, Timestamp.microsecondsNow() + Self.receiptDelay])
    let number = database.lastInsertedRowID
    var numbers = SeededNumbers(seed: seed ^ 0x71CE &+ UInt64(number) &* 0x1_0001)
    let id = numbers.uuid()
    try database.run("UPDATE notifications SET id = ? WHERE number = ?", [id, number])
    return id
  }

  /// The receipts that are available now, in the order of the ids. The others may become available later.
  func receipts(of ids: [String]) throws -> [Receipt] {
    try database.unsafeRead { database in
      let now = Timestamp.microsecondsNow()
      return try ids.compactMap { id in
        try database.row(
          "SELECT token, outcome FROM notifications WHERE id = ? AND receipt_at <= ?", [id, now]
        ).map { row in
          switch row[1] as String {
          case "gone": Receipt(id: id, outcome: .notRegistered(token: row[0]))
          case "big": Receipt(id: id, outcome: .tooBig)
          default: Receipt(id: id, outcome: .ok)
          }
        }
      }
    }
  }

  /// Delivers a notification to its phone.
  func deliver(_ delivery: Delivery) throws {
    try database.write { database in
      try database.run(
        "INSERT INTO deliveries (phone, id, title, body, data) VALUES (?, ?, ?, ?, ?)",
        [delivery.phone, delivery.id, delivery.title, delivery.body, delivery.data])
    }
  }

  /// The notifications that a phone has displayed, in order.
  func deliveries(to phone: String) throws -> [Delivery] {
    try database.unsafeRead { database in
      try database.rows("SELECT id, phone, title, body, data FROM deliveries WHERE phone = ? ORDER BY number", [phone])
        .map { Delivery(id: $0[0], phone: $0[1], title: $0[2], body: $0[3], data: $0[4]) }
    }
  }
}

extension Delivery {
  init(id: String, phone: String, _ notification: Notification) {
    self.init(
      id: id, phone: phone, title: notification.title, body: notification.body,
      data: notification.data.map { data in
        var json = JSONWriter()
        json.value(data)
        return String(buffer: json.buffer)
      })
  }
}
