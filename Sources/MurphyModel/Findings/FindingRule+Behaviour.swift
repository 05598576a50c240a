/// Kinds of findings about differences between the responses of two versions of an API.
extension FindingRule {
  static let behaviourRows: [Row] = [
    Row(
      .behaviourStatus, .error, "The candidate gives another status than the base for the same request.",
      example: "createLaw: the status changed from 200 to 201, in 40 of 40 responses",
      remedy: """
        Check whether the change is intended. Clients that compare the status with one number break, even if the \
        contract allows both statuses. Describe an intended change in the release notes, and use `--ignore status`.
        """),
    Row(
      .behaviourHeader, .error, "A header of the candidate is new, is missing or has another value than in the base.",
      example: "listLaws: the header cache-control changed from max-age=60 to no-store, in 40 of 40 responses",
      remedy: """
        Check the middleware and the proxy of the candidate. A missing `Cache-Control`, `Link` or `Vary` breaks clients \
        and caches. If the change is intended, use for example `--ignore "header cache-control"`.
        """),
    Row(
      .behaviourPresence, .error, "A field is missing in the candidate, or only the candidate has it.",
      example: "getLaw: /author is missing, but the base has \"Murphy\", in 12 of 40 responses",
      remedy: """
        Check the serializer of the candidate: some drop fields that are null or empty. Clients may rely on an optional \
        field that the base always sent. If the change is intended, use for example `--ignore "getLaw /author"`.
        """),
    Row(
      .behaviourType, .error, "A value of the candidate has another JSON type than in the base, or is null.",
      example: "getLaw: the type of /score changed (integer → fraction): from 5 to 5.0, in 40 of 40 responses",
      remedy: """
        Check the types of the columns and of the response models. Typed clients reject null, a string in place of a \
        number, or 5.0 in place of 5. If the change is intended, use for example `--ignore "getLaw /score"`.
        """),
    Row(
      .behaviourValue, .error, "A value of the candidate differs from the value of the base.",
      example: "listLaws: /data/*/score changed from 4.25 to 4.3, in 12 of 40 responses",
      remedy: """
        Compare the two exchanges in the report. Frequent causes are rounding, time zones, letter case and changed \
        error messages. If the value is different in each run, but was not recognised as noise, use for example \
        `--ignore "listLaws /data/*/score"`.
        """),
    Row(
      .behaviourOrder, .error, "A list of the candidate has the same items as in the base, in another order.",
      example: "listLaws: the list /data has another order: 3, 2, 1 instead of 1, 2, 3, in 40 of 40 responses",
      remedy: """
        Check the default order of the query. Without `ORDER BY`, a database may return rows in any order, and a new \
        index changes the order. If the order has no meaning for clients, use for example `--ignore "listLaws /data"`.
        """),
    Row(
      .behaviourItems, .error, "A list of the candidate has more, fewer or other items than in the base.",
      example: "listLaws: the list /data has 20 items instead of 25, in 40 of 40 responses",
      remedy: """
        Check the default page size, the offset of the page, the filters and the joins of the query. A join can \
        repeat items, and a filter can drop items. If the change is intended, use for example `--ignore "listLaws /data"`.
        """),
  ]
}
