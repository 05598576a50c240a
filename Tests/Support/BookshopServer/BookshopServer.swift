import Bookshop
import Foundation

/// `bookshop-server --port 0 --fault NAME`
@main struct BookshopServer {
  static let usage = "usage: bookshop-server [--port PORT] [--fault NAME] | --list-faults"

  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    var port = 0
    var fault: Fault?
    while let argument = arguments.popFirst() {
      switch (argument, arguments.first) {
      case ("--list-faults", _):
        for fault in Fault.all { print("\(fault.name)\t\(fault.operation)\t\(fault.sentence)") }
        return
      case ("--port", let value?):
        guard let number = Int(value), (0...65535).contains(number) else { stop("\(value) is not a port") }
        port = number
        arguments.removeFirst()
      case ("--fault", let value?):
        fault = (Fault.all + Fault.warned).first { $0.name == value }
        guard fault != nil || value == "none" else { stop("there is no fault \(value): see --list-faults") }
        arguments.removeFirst()
      default: stop(usage)
      }
    }
    let shop = Bookshop(fault: fault)
    try await shop.run(port: port) { port in
      print("listening on http://127.0.0.1:\(port)")
      print("token \(shop.tokens[0])")
      print("token2 \(shop.tokens[1])")
      fflush(nil)
    }
  }

  static func stop(_ message: String) -> Never {
    FileHandle.standardError.write(Data("bookshop-server: \(message)\n".utf8))
    exit(2)
  }
}
