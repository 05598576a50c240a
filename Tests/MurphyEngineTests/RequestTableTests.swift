import MurphyEngine
import MurphyHTTP
import MurphyModel
import Testing

@Suite struct RequestTableTests {
  @Test func `a request is kept once, whoever sent it`() {
    var table = RequestTable()
    func number(_ target: String, _ headers: [HeaderField], _ body: String?) -> Int32 {
      table.number(of: HTTPRequest(method: "POST", target: target, headers: headers, body: body.map { Array($0.utf8) }))
      {
        $0 == "X-Device-ID"
      }
    }
    let anna = HeaderField("X-Device-ID", "anna")
    let bert = HeaderField("X-Device-ID", "bert")
    let json = HeaderField("Content-Type", "application/json")
    let text = HeaderField("Content-Type", "text/plain")
    #expect(number("/a", [anna, json], "1") == 0)
    #expect(number("/a", [json, bert], "1") == 0)
    #expect(number("/a", [json], "1") == 0)
    #expect(number("/a", [text], "1") == 1)
    #expect(number("/a", [json, text], "1") == 2)
    #expect(number("/a", [json], "2") == 3)
    #expect(number("/a", [json], nil) == 4)
    #expect(number("/b", [anna], nil) == 5)
    #expect(number("/a", [anna, json], "1") == 0)
    #expect(number("/a", [], String(repeating: "x", count: 20_000)) == -1)
    #expect(table.requests.count == 6 && table.requests[0].headers == [json])
  }
}
