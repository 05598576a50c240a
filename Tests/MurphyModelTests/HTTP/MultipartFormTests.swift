import MurphyModel
import Testing

@Suite struct MultipartFormTests {
  @Test func `parts are written with their names and types`() {
    let form = MultipartForm(parts: [
      MultipartForm.Part(name: "title", content: .text("ä")),
      MultipartForm.Part(
        name: "a\"b\r\nc", content: .file(path: "x/p.png", [0, 13, 10]), fileName: "p\n.png", type: "image/png"),
    ])
    let expected = """
      --B\r
      Content-Disposition: form-data; name="title"\r
      \r
      ä\r
      --B\r
      Content-Disposition: form-data; name="a%22b%0D%0Ac"; filename="p%0A.png"\r
      Content-Type: image/png\r
      \r
      \0\r
      \r
      --B--\r

      """
    #expect(String(decoding: form.bytes(boundary: "B"), as: UTF8.self) == expected)
  }

  @Test func `the same seed draws the same boundary`() {
    let boundary = MultipartForm.boundary(drawn: 7)
    #expect(boundary == MultipartForm.boundary(drawn: 7) && boundary != MultipartForm.boundary(drawn: 8))
    #expect(boundary.count == 39 && boundary.hasPrefix("murphy-"))
  }
}
