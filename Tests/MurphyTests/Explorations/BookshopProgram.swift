import Bookshop
import Testing

/// The bookshop's server, which shares neither threads nor memory with the tests.
struct BookshopProgram {
  let url: String
  /// Tokens of two users.
  let tokens: [String]
  private let program: WatchedProgram

  init(_ fault: PlantedFault? = nil) async throws {
    program = try WatchedProgram(fault.map { ["--fault", $0.name] } ?? [], of: "bookshop-server")
    #expect(try await program.waits(for: "token2 "))
    let words = program.said.split(whereSeparator: \.isWhitespace).map(String.init)
    func value(after word: String) throws -> String {
      let place = try #require(words.firstIndex(of: word), "\(words)")
      return words[place + 1]
    }
    url = try value(after: "on")
    tokens = [try value(after: "token"), try value(after: "token2")]
  }

  func end() { program.end() }
}
