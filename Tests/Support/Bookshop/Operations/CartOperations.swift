import Foundation

enum CartOperations {
  static let all: [Operation] = [
    .get("getCart", "/cart", cart),
    .delete("clearCart", "/cart", clear),
    .put("putCartItem", "/cart/items/{bookId}", put),
    .delete("deleteCartItem", "/cart/items/{bookId}", remove),
  ]

  private static func cart(_ call: Call) throws -> Answer {
    let items = call.shop.state.withLock { $0.items(of: call.user) }
    return Answer(.ok, .make(["items": .array(items.map(\.json)), "total": CartItem.total(items)]))
  }

  private static func clear(_ call: Call) throws -> Answer {
    call.shop.state.withLock { $0.carts[call.user] = nil }
    return .empty
  }

  private static func put(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    let fields = try call.fields("CartItemInput", names: ["quantity"])
    let quantity = try fields.integer("quantity", 1...99, .required).value ?? 1
    return try call.shop.state.withLock { state in
      let book = try state.book(number)
      let isNew = state.carts[call.user, default: [:]].updateValue(quantity, forKey: number) == nil
      return Answer(
        isNew ? .created : .ok, CartItem(book: number, quantity: quantity, price: book.price ?? 0).json)
    }
  }

  private static func remove(_ call: Call) throws -> Answer {
    let number = try call.number("bookId")
    return try call.shop.state.withLock { state in
      guard state.carts[call.user]?.removeValue(forKey: number) != nil else { throw Problem.notFound("item") }
      return .empty
    }
  }
}

extension State {
  /// What lies in a cart, at the prices of now, by the numbers of the books.
  func items(of user: String) -> [CartItem] {
    (carts[user] ?? [:]).sorted { $0.key < $1.key }.map {
      CartItem(book: $0.key, quantity: $0.value, price: books[$0.key]?.price ?? 0)
    }
  }
}
