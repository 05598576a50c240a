/// The name of an element, and how it is written.
package struct Tag: Sendable, Hashable {
  package enum Content: Sendable {
    case normal
    /// Never has content nor an end tag in HTML, as `br`.
    case void
  }

  package let name: String
  package let content: Content

  package init(_ name: StaticString, _ content: Content = .normal) {
    self.name = name.description
    self.content = content
  }
}

extension Tag {
  package static let svg = Tag("svg")
  package static let g = Tag("g")
  package static let path = Tag("path")
  package static let circle = Tag("circle")
  package static let text = Tag("text")
  package static let desc = Tag("desc")
}

extension Tag {
  package static let html = Tag("html")
  package static let head = Tag("head")
  package static let title = Tag("title")
  package static let style = Tag("style")
  package static let script = Tag("script")
  package static let body = Tag("body")
  package static let header = Tag("header")
  package static let main = Tag("main")
  package static let nav = Tag("nav")
  package static let section = Tag("section")
  package static let footer = Tag("footer")
  package static let article = Tag("article")
  package static let figure = Tag("figure")
  package static let figcaption = Tag("figcaption")
  package static let h1 = Tag("h1")
  package static let h2 = Tag("h2")
  package static let h3 = Tag("h3")
  package static let h4 = Tag("h4")
  package static let p = Tag("p")
  package static let div = Tag("div")
  package static let span = Tag("span")
  package static let strong = Tag("strong")
  package static let i = Tag("i")
  package static let small = Tag("small")
  package static let code = Tag("code")
  package static let pre = Tag("pre")
  package static let mark = Tag("mark")
  package static let ul = Tag("ul")
  package static let li = Tag("li")
  package static let dl = Tag("dl")
  package static let dt = Tag("dt")
  package static let dd = Tag("dd")
  package static let table = Tag("table")
  package static let caption = Tag("caption")
  package static let thead = Tag("thead")
  package static let tbody = Tag("tbody")
  package static let tr = Tag("tr")
  package static let th = Tag("th")
  package static let td = Tag("td")
  package static let details = Tag("details")
  package static let summary = Tag("summary")
  package static let a = Tag("a")
  package static let meta = Tag("meta", .void)
  package static let link = Tag("link", .void)
  package static let br = Tag("br", .void)
}
