/// The places where faults take hold in what the contact book does.
struct MonicaHooks: SystemHooks {
  /// A page of contacts, as the store finds it.
  var contacts = Hook<PageQuery, FoundPage<Contact>>()
  /// One contact.
  var contact = Hook<Int, Contact?>()
  /// A page of what belongs to a contact.
  var items = Hook<PageQuery, FoundPage<ContactItem>>()
  /// What an answer says of its page.
  var frame = Hook<PageFrame, PageFrame>()
}

extension Hooks {
  var monica: MonicaHooks {
    get { self[MonicaHooks.self] }
    set { self[MonicaHooks.self] = newValue }
  }
}
