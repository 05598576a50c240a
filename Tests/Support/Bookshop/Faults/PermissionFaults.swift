import HTTPTypes
import Hummingbird

extension Fault {
  /// Who may do more than they should.
  static let permissions: [Fault] = [
    around("cart-open", "getCart", "Without a token, and with a wrong one, it answers with an empty cart.") {
      call, answer in
      let plain = answer(call)
      guard plain.status == .unauthorized else { return plain }
      return Answer(.ok, .make(["items": .array([]), "total": .int(0)]))
    },
    around("review-of-others", "deleteReview", "Deletes the reviews of other users too.") { call, answer in
      let plain = answer(call)
      guard plain.status == .forbidden, let number = try? call.number("bookId"), let id = try? call.uuid("reviewId")
      else { return plain }
      let owner = call.shop.state.withLock { state in state.reviews[number]?.first { $0.id == id }?.user }
      return owner.map { answer(call.by($0)) } ?? plain
    },
    around("scheme-any", "listOrders", "Takes the token under any scheme, such as `Basic`.") { call, answer in
      var call = call
      if let token = call.headers[.authorization]?.split(separator: " ").last {
        call.headers[.authorization] = "Bearer \(token)"
      }
      return answer(call)
    },
    around("order-of-others", "getOrder", "Shows the orders of other users too.") { call, answer in
      let plain = answer(call)
      guard plain.status == .forbidden, let id = try? call.uuid("orderId") else { return plain }
      let owner = call.shop.state.withLock { state in state.orders.first { $0.id == id }?.user }
      return owner.map { answer(call.by($0)) } ?? plain
    },
  ]
}
