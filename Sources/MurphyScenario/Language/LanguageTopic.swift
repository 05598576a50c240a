/// A page of the reference, `docs/scenario/NAME.md`, and the keys that it explains.
package struct LanguageTopic: Sendable {
  package let name: String
  package let title: String
  /// The question that the page answers.
  package let question: String
  /// Empty for the page of expressions.
  let vocabularies: [Vocabulary]

  /// The topic of a vocabulary.
  static func of(_ vocabulary: String) -> LanguageTopic {
    guard let topic = all.first(where: { $0.vocabularies.contains { $0.name == vocabulary } }) else {
      preconditionFailure("no page has the keys of \(vocabulary)")
    }
    return topic
  }

  /// Every page, in reading order. A new vocabulary needs an entry here: reader, schema and reference follow from it.
  package static let all = [
    LanguageTopic(
      name: "file", title: "Scenario file and settings",
      question: "What does a scenario file contain, and which settings control how murphy sends requests?",
      vocabularies: [.scenario, .include, .part, .settings, .abortAfter, .tls]),
    LanguageTopic(
      name: "clients", title: "Clients and credentials",
      question: "Which headers, cookies, connections and credentials does each virtual user have?",
      vocabularies: [.client, .network, .auth, .basic, .apiKey, .oauth2]),
    LanguageTopic(
      name: "feeds", title: "Data feeds", question: "How do sessions get values from the rows of a data file?",
      vocabularies: [.feed]),
    LanguageTopic(
      name: "steps", title: "Sessions and steps", question: "How do I write the steps of one type of user?",
      vocabularies: [
        .session, .think, .loop, .poll, .offline, .burst, .type, .branch, .choice, .way, .group, .namedSteps, .set,
      ]),
    LanguageTopic(
      name: "requests", title: "Requests",
      question: "How does a step send a request and save values from the response?",
      vocabularies: [.call, .request, .multipartPart, .graphQL, .save]),
    LanguageTopic(
      name: "reuse", title: "Caches, retries and streams",
      question: "How does a client cache responses, repeat requests and read streams?",
      vocabularies: [.cache, .retry, .stream]),
    LanguageTopic(
      name: "values", title: "Values and expressions",
      question: "Which names, functions and operators can I write between `${` and `}`?", vocabularies: []),
    LanguageTopic(
      name: "checks", title: "Checks of a response",
      question: "How does a step check its response in addition to the contract?",
      vocabularies: [.check, .condition]),
    LanguageTopic(
      name: "load", title: "Users and load", question: "How do I set the number of sessions or users over time?",
      vocabularies: [.load, .stage, .outage, .spike]),
    LanguageTopic(
      name: "expect", title: "Checks of a run",
      question: "How do I set limits for the errors, latencies and calls of a run?",
      vocabularies: [.expect, .budget, .each, .service]),
    LanguageTopic(
      name: "limits", title: "Rate limits", question: "How do I describe a rate limit that a run checks?",
      vocabularies: [.limit, .count, .refusal]),
    LanguageTopic(
      name: "coverage", title: "Coverage, strictness and sensitivity",
      question: "How much of the contract must a run cover, and how sensitive must its checks be?",
      vocabularies: [.coverage, .strict, .strength]),
    LanguageTopic(
      name: "relations", title: "Relations between responses",
      question: "How do I change the checks that compare responses with each other?",
      vocabularies: [.relation, .listItem]),
    LanguageTopic(
      name: "state", title: "State",
      question: "How do I declare rules for the data of the API, such as counts and versions?",
      vocabularies: Vocabulary.state),
  ]
}

extension Vocabulary {
  /// All, in the order of the pages and of the schema's definitions.
  static let all = LanguageTopic.all.flatMap(\.vocabularies)
}
