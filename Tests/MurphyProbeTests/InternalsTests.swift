import MurphyProbe
import Testing

/// Internal details in responses, and text of the request that only looks like them.
@Suite struct InternalsTests {
  private func leak(_ body: String, target: String = "/groups/1", sent: [String] = []) -> String? {
    Internals.leak(in: Array(body.utf8), target: target, sent: sent)?.what
  }

  @Test(arguments: [
    (#"{"detail":"File \"/srv/app/main.py\", line 12"}"#, "a stack trace of Python"),
    ("File &quot;/srv/app/main.py&quot;, line 12", "a stack trace of Python"),
    (#"{"trace":["goroutine 7 [running]:"]}"#, "a stack trace of Go"),
    (#"{"message":"UNIQUE constraint failed: users.name"}"#, "an error of a database"),
    (#"{"message":"cannot open /var/lib/groups/1.json"}"#, "a path of the server"),
    (#"{"message":"cannot open C:\\data\\groups\\1.json"}"#, "a path of the server"),
    ("panic: runtime error: index out of range", "a stack trace of Go"),
  ]) func `an internal detail is found`(_ body: String, _ what: String) { #expect(leak(body) == what) }

  @Test(arguments: [
    #"{"message":"No such group: E:\u013e\u83ff\ud83d\udc56"}"#,
    #"{"type":"https://example.com/home/docs/errors.html"}"#,
    #"{"message":"unrecognized token: 7"}"#, "", "[]",
  ]) func `another text is not an internal detail`(_ body: String) { #expect(leak(body) == nil) }

  @Test(arguments: [
    "/home/murphy/a.txt", "C:\\a\\b", "Traceback (most recent call last)", "SELECT a FROM b", "ORA-12345", "E:ľ菿\\a\\b",
  ]) func `text of the request is not an internal detail`(_ text: String) throws {
    let body = #"{"message":"not found: \#(text.replacing("\\", with: "\\\\"))"}"#
    #expect(leak(body, sent: [text]) == nil)
    // A server may repeat a part, or escape it once more.
    #expect(leak(body, sent: ["murphy-" + text + "-17"]) == nil)
    #expect(leak(#"{"message":"not found: \#(text.replacing("\\", with: "\\\\\\\\"))"}"#, sent: [text]) == nil)
  }

  @Test func `the excerpt is a text of the response`() {
    let body = #"{"detail":"File \"/srv/murphy-ten/zen/utils.py\", line 12"}"#
    let leak = Internals.leak(in: Array(body.utf8), target: "/groups/1", sent: ["murphy"])
    #expect(leak?.excerpt == #"File "/srv/murphy-ten/zen/utils.py", line 12"#)
  }

  @Test func `text of the request may be a part of an internal detail`() {
    #expect(leak("cannot open /home/murphy/names.txt", sent: ["murphy"]) == "a path of the server")
    #expect(leak(#"near "murphy": syntax error"#, sent: ["murphy"]) == "an error of a database")
  }

  @Test func `a URL of the API is not a path of the server`() {
    let body = #"{"help":"/app/docs/errors.html"}"#
    #expect(leak(body, target: "/app/groups?x=1") == nil)
    #expect(leak(body, target: "/groups") == "a path of the server")
    #expect(leak(#"{"path":"/app/%E4/a.json"}"#, target: "/app/%E4/a.json") == nil)
  }
}
