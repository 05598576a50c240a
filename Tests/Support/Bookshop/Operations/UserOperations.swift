import Foundation

enum UserOperations {
  static let all: [Operation] = [
    .post("registerUser", "/users", isOpen: true, register),
    .get("getUser", "/users/{userId}", user),
    .post("createToken", "/tokens", isOpen: true, token),
  ]

  private static func register(_ call: Call) throws -> Answer {
    let fields = try call.fields("UserInput", names: ["name", "password", "displayName"])
    let name = try fields.text("name", .required, pattern: Texts.isUserName).value ?? ""
    let password = try fields.text("password", .required, length: 8...64).value ?? ""
    let displayName = try fields.text("displayName", nullable: true, length: 1...80).value
    return try call.shop.state.withLock { state in
      guard !state.users.values.contains(where: { $0.name == name }) else {
        throw Problem.conflict("Another user has this name.")
      }
      let user = state.addUser(name, password, displayName: displayName)
      return .created(user.json, at: "/users/\(user.id)")
    }
  }

  private static func user(_ call: Call) throws -> Answer {
    let id = try call.uuid("userId")
    return try call.shop.state.withLock { state in
      guard let user = state.users[id] else { throw Problem.notFound("user") }
      guard user.id == call.user else { throw Problem.forbidden("user") }
      return Answer(.ok, user.json)
    }
  }

  private static func token(_ call: Call) throws -> Answer {
    let fields = try call.fields("Credentials", names: ["name", "password"])
    let name = try fields.text("name", .required, length: 1...100).value ?? ""
    let password = try fields.text("password", .required, length: 1...100).value ?? ""
    return try call.shop.state.withLock { state in
      // Texts of other code points may be equal as `String`.
      guard let user = state.users.values.first(where: { $0.name == name }),
        user.password.utf8.elementsEqual(password.utf8)
      else {
        var problem = Problem.unauthorized
        problem.detail = "There is no user of this name and password."
        throw problem
      }
      return Answer(
        .created,
        .make([
          "token": .string(state.addToken(of: user.id)), "tokenType": .string("Bearer"),
          "expiresAt": .date(.now + 86_400),
        ]))
    }
  }
}
