import MurphyReport
import Testing

@Suite("GitHub annotations")
struct GitHubAnnotationsTests {
  @Test func `findings become commands that point at the contract's line`() throws {
    try Golden.expect(GitHubAnnotations(Sample.fail).text, is: "fail.annotations.txt")
  }

  @Test func `no text can end its command or begin another one`() {
    let lines = GitHubAnnotations(Sample.hostile).text.split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    #expect(lines.count == 11)
    for line in lines {
      #expect(line.wholeMatch(of: #/::(error|warning|notice) [a-z]+=[^:,]*(,[a-z]+=[^:,]*)*::.*/#) != nil)
    }
  }

  @Test func `the escapes are those of the runner`() {
    #expect(GitHubAnnotations.message("50%\r\na:b,c") == "50%25%0D%0Aa:b,c")
    #expect(GitHubAnnotations.property("a:b,c%") == "a%3Ab%2Cc%25")
  }

  @Test func `a run without findings says nothing`() { #expect(GitHubAnnotations(Sample.pass).text == "") }
}
