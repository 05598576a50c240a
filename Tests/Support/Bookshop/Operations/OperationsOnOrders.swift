import Foundation
import HTTPTypes
import Hummingbird

enum OperationsOnOrders {
  static let all: [Operation] = [
    .get("listOrders", "/orders", list),
    .post("createOrder", "/orders", create),
    .get("getOrder", "/orders/{orderId}", order),
    Operation(id: "cancelOrder", method: .post, path: "/orders/{orderId}/cancel", handle: cancel),
    .get("getJob", "/jobs/{jobId}", job),
  ]

  private static func list(_ call: Call) throws -> Answer {
    let limit = try call.query.integer("limit", 1...100) ?? 20
    let after = try call.query.cursor() ?? 0
    let status = try call.query.choice("status", OrderStatus.self)
    let now = Date.now
    let rest = call.shop.state.withLock { state in
      state.orders.filter {
        $0.user == call.user && $0.number > after && $0.readyAt <= now && (status == nil || $0.status == status)
      }
    }
    return Answer(.ok, CursorPage.json(rest, limit: limit, number: \.number, json: \.json))
  }

  private static func create(_ call: Call) throws -> Answer {
    let key = try call.header("Idempotency-Key", pattern: Texts.isKey)
    let fields = try call.fields("OrderInput", names: ["address", "shipping", "giftWrap", "note"])
    let address = try fields.object("address", .required, nullable: false) { try Self.address($0, call.skipped) }.value
    let shipping = try fields.choice("shipping", .required, Shipping.self).value ?? ""
    let giftWrap = try fields.flag("giftWrap").value ?? false
    let note = try fields.text("note", nullable: true, length: 0...300).value
    guard let address else { throw Problem.unprocessable("The field is missing.", field: "address") }
    return try call.shop.state.withLock { state in
      let replay = key.map { State.Replay(user: call.user, key: $0) }
      if let replay, let old = state.replays[replay] {
        guard old.body == call.body else { throw Problem.conflict("The key was used with another body.") }
        return old.answer
      }
      let items = state.items(of: call.user)
      guard !items.isEmpty else { throw Problem.conflict("The cart is empty.") }
      let now = Date.now
      let job = Job(id: UUID().lower, user: call.user, order: UUID().lower, createdAt: now)
      state.orders.append(
        Order(
          id: job.order, number: state.orders.count + 1, user: call.user, items: items, address: address,
          shipping: shipping, giftWrap: giftWrap, note: note, createdAt: now, readyAt: now + 2 * Job.step))
      state.jobs[job.id] = job
      state.carts[call.user] = nil
      let answer = Answer(.accepted, job.json(at: now), [.location: "/jobs/\(job.id)"])
      if let replay { state.replays[replay] = (call.body, answer) }
      return answer
    }
  }

  private static func address(_ value: JSON, _ skipped: Check?) throws -> Address {
    let names = ["street", "city", "postcode", "country"]
    let fields = try Fields(value, "Address", names: names, skipped: skipped, field: "address")
    return Address(
      street: try fields.text("street", .required, length: 1...100).value ?? "",
      city: try fields.text("city", .required, length: 1...60).value ?? "-",
      postcode: try fields.text("postcode", pattern: Texts.isPostcode).value,
      country: try fields.text("country", .required, pattern: Texts.isCountry).value ?? "")
  }

  private static func order(_ call: Call) throws -> Answer {
    let id = try call.uuid("orderId")
    return try call.shop.state.withLock { state in Answer(.ok, state.orders[try state.place(of: id, call.user)].json) }
  }

  private static func cancel(_ call: Call) throws -> Answer {
    let id = try call.uuid("orderId")
    return try call.shop.state.withLock { state in
      let place = try state.place(of: id, call.user)
      guard state.orders[place].status == .placed else { throw Problem.conflict("The order is cancelled already.") }
      state.orders[place].status = .cancelled
      return Answer(.ok, state.orders[place].json)
    }
  }

  private static func job(_ call: Call) throws -> Answer {
    let id = try call.uuid("jobId")
    return try call.shop.state.withLock { state in
      guard let job = state.jobs[id] else { throw Problem.notFound("job") }
      guard job.user == call.user else { throw Problem.forbidden("job") }
      let now = Date.now
      return Answer(.ok, job.json(at: now), job.isDone(at: now) ? [:] : [.retryAfter: "0"])
    }
  }
}

extension State {
  /// The place of an order that is ready and the user's own.
  func place(of id: String, _ user: String) throws -> Int {
    guard let place = orders.firstIndex(where: { $0.id == id && $0.readyAt <= .now }) else {
      throw Problem.notFound("order")
    }
    guard orders[place].user == user else { throw Problem.forbidden("order") }
    return place
  }
}
