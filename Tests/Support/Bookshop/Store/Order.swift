import Foundation

struct CartItem: Sendable {
  var book: Int
  var quantity: Int
  /// Of one copy.
  var price: Double

  var json: JSON { .make(["bookId": .int(book), "quantity": .int(quantity), "price": .double(price)]) }

  static func total(_ items: [CartItem]) -> JSON {
    .double(items.reduce(0) { $0 + Double($1.quantity) * $1.price })
  }
}

enum OrderStatus: String, CaseIterable, Sendable { case placed, cancelled }

enum Shipping: String, CaseIterable, Sendable { case standard, express, pickup }

struct Address: Sendable {
  var street: String
  var city: String
  var postcode: String?
  var country: String

  var json: JSON {
    var json = JSON.make(["street": .string(street), "city": .string(city), "country": .string(country)])
    if let postcode { json["postcode"] = .string(postcode) }
    return json
  }
}

struct Order: Sendable {
  var id: String
  /// Counts the orders of all users, for cursors.
  var number: Int
  var user: String
  var status = OrderStatus.placed
  var items: [CartItem]
  var address: Address
  var shipping: String
  var giftWrap: Bool
  var note: String?
  var createdAt: Date
  /// When its job is done; nobody sees it before.
  var readyAt: Date

  var json: JSON {
    .make([
      "id": .string(id), "status": .string(status.rawValue), "items": .array(items.map(\.json)),
      "total": CartItem.total(items), "address": address.json, "shipping": .string(shipping),
      "giftWrap": .bool(giftWrap), "note": .text(note), "createdAt": .date(createdAt),
    ])
  }
}

/// The making of an order: queued for 100 ms, then running for as long.
struct Job: Sendable {
  var id: String
  var user: String
  var order: String
  var createdAt: Date

  static let step = 0.1

  func isDone(at now: Date) -> Bool { now >= createdAt + 2 * Self.step }

  func json(at now: Date) -> JSON {
    let status = isDone(at: now) ? "done" : now >= createdAt + Self.step ? "running" : "queued"
    return .make([
      "id": .string(id), "status": .string(status), "orderId": isDone(at: now) ? .string(order) : .null,
      "createdAt": .date(createdAt),
    ])
  }
}
