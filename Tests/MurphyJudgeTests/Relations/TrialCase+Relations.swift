import MurphyModel

extension TrialCase {
  /// What one page shows by itself.
  static let ofPages: [TrialCase] = [
    TrialCase(
      .pageSize,
      blind: [
        { $0.page("limit=5", [$0.item(1)], total: 1) }, { $0.page("limit=2", [$0.item(1), $0.item(2)], total: 2) },
        { $0.page("limit=2", [$0.item(1), $0.item(2)]) }, { $0.page("limit=2", [], total: 0) },
      ], right: { $0.page("limit=2", [$0.item(1), $0.item(2)], total: 3) },
      wrong: { $0.page("limit=2", [$0.item(1), $0.item(2), $0.item(3)], total: 3) }),
    TrialCase(
      .echo,
      blind: [{ $0.page("limit=2", [$0.item(1)]) }, { $0.page("limit=2", [$0.item(1)], more: ",\"limit\":null") }],
      right: { $0.page("limit=2", [$0.item(1)], more: ",\"limit\":2") },
      wrong: { $0.page("limit=2", [$0.item(1)], more: ",\"limit\":7") }),
    TrialCase(
      .lastPage,
      blind: [
        { $0.page("limit=2", [], total: 0, more: ",\"last_page\":1") }, { $0.page("limit=2", [$0.item(1)], total: 1) },
      ], right: { $0.page("limit=2", [$0.item(1), $0.item(2)], total: 3, more: ",\"last_page\":2") },
      wrong: { $0.page("limit=2", [$0.item(1), $0.item(2)], total: 3, more: ",\"last_page\":1") }),
    TrialCase(
      .order,
      blind: [
        { $0.page("sort=score", [$0.item(1), $0.item(2)]) }, { $0.page("sort=score", [$0.item(1)]) },
        { $0.page("sort=score", []) }, { $0.page("sort=score", ["{\"id\":1}", "{\"id\":2}"]) },
      ], right: { $0.page("sort=score&limit=9", [$0.item(1, score: 1), $0.item(2, score: 2)]) },
      wrong: { $0.page("sort=score&limit=9", [$0.item(1, score: 2), $0.item(2, score: 1)]) }),
    TrialCase(
      .filter,
      blind: [
        { $0.page("status=open", ["{\"id\":1}", "{\"id\":2}"]) }, { $0.page("status=open", []) },
        { $0.page("status=open", [$0.item(1), $0.item(2)]) }, { $0.page("category_id=1", ["{\"category_id\":null}"]) },
      ],
      right: { world in
        world.page("limit=2", [world.item(1), world.item(2, status: "closed")])
        world.page("status=open&limit=2", [world.item(1)])
      }, wrong: { $0.page("status=open&limit=2", [$0.item(1), $0.item(2, status: "closed")]) }),
    TrialCase(
      .parent, of: "listNotes",
      blind: [
        { $0.notes(of: 3, []) }, { $0.notes(of: 1, [nil, nil]) }, { $0.notes(of: 1, [1]) },
        { $0.notes(of: 1, [1, 1]) },
      ],
      right: { world in
        world.notes(of: 1, [1, 1])
        world.notes(of: 2, [2, 2])
      },
      wrong: { world in
        world.notes(of: 1, [2, 2])
        world.notes(of: 2, [1, 1])
      }),
  ]

  /// What joins two pages or more.
  static let ofSeveral: [TrialCase] = [
    TrialCase(
      .total, blind: [{ $0.page("limit=2", [], total: 0) }, { $0.page("limit=2", [$0.item(1)]) }],
      right: { $0.page("limit=2&status=open", [$0.item(1)], total: 1) },
      wrong: { $0.page("limit=2&status=open", [$0.item(1), $0.item(2)], total: 1) }),
    TrialCase(
      .shortPage,
      blind: [
        { $0.page("limit=2", [], total: 0) }, { $0.page("limit=2&offset=8", [], total: 4) },
        { $0.page("limit=2", [$0.item(1), $0.item(2)], total: 4) },
      ],
      right: { world in
        world.page("limit=2", [world.item(1), world.item(2)], total: 4)
        world.page("limit=2&status=open", [world.item(1), world.item(2)], total: 3)
      },
      wrong: { world in
        world.page("limit=2", [world.item(1)], total: 4)
        world.page("limit=2&status=open", [world.item(1)], total: 3)
      }),
    TrialCase(
      .repeats,
      blind: [
        { $0.page("limit=2", [$0.item(1)]) }, { $0.page("limit=2", []) },
        { world in
          world.page("limit=1", [world.item(1)])
          world.write("deleteItem")
          world.page("limit=1&offset=1", [world.item(1)])
        },
      ],
      right: { world in
        world.page("limit=1", [world.item(1)])
        world.page("limit=1&offset=1", [world.item(2)])
      },
      wrong: { world in
        world.page("limit=1", [world.item(1)])
        world.page("limit=1&offset=1", [world.item(1)])
      }),
    TrialCase(
      .skips,
      blind: [
        { $0.page("limit=3", [$0.item(1)], total: 1, walk: 2) },
        { world in
          world.page("limit=1", [world.item(1)], total: 1)
          world.page("limit=1&offset=1", [], total: 1)
        },
        { world in
          world.page("limit=1", [world.item(1)], total: 3)
          world.write("updateItem")
          world.page("limit=1&offset=1", [], total: 3)
        },
      ],
      right: { world in
        world.page("limit=2", [world.item(1), world.item(2)], total: 3)
        world.page("limit=2&offset=2", [world.item(3)], total: 3)
      },
      wrong: { world in
        world.page("limit=2", [world.item(1), world.item(2)], total: 4)
        world.page("limit=2&offset=2", [world.item(3)], total: 4)
      }),
    TrialCase(
      .filtersTogether, blind: [{ bracketed(&$0, both: 0, writes: true) }, { $0.page("status=open", [], total: 0) }],
      right: { bracketed(&$0, both: 2) }, wrong: { bracketed(&$0, both: 5) }),
  ]

  /// Two filters between each alone: four items have the status, six the category.
  private static func bracketed(_ world: inout CollectionWorld, both: Int, writes: Bool = false) {
    for (query, alone) in [("status=open", 4), ("category_id=1", 6)] {
      for (place, target) in [query, "status=open&category_id=1", query].enumerated() {
        if writes { world.write("updateItem") }
        world.page(target, [], total: place == 1 ? both : alone, walk: place)
      }
    }
  }

  /// What items show by themselves.
  static let ofItems: [TrialCase] = [
    TrialCase(
      .identity, of: "getItem", addsUp: false, blind: [{ $0.get(1, sent: 0, answered: 1) }],
      right: { world in
        world.get(1, sent: 0, answered: 1)
        world.get(1, sent: 2, answered: 3)
      },
      wrong: { world in
        world.get(1, sent: 0, answered: 1)
        world.get(1, shows: 2, sent: 2, answered: 3)
      }),
    TrialCase(
      .exchanged, of: "getItem", addsUp: false,
      blind: [
        { world in
          world.get(1, sent: 0, answered: 1)
          world.get(2, sent: 2, answered: 3)
        },
        { world in
          world.get(1, sent: 0, answered: 2)
          world.get(1, sent: 1, answered: 3)
        },
      ],
      right: { world in
        world.get(1, sent: 0, answered: 2)
        world.get(2, sent: 1, answered: 3)
      },
      wrong: { world in
        world.get(1, shows: 2, sent: 0, answered: 2)
        world.get(2, shows: 1, sent: 1, answered: 3)
      }),
    TrialCase(
      .listItem, addsUp: false,
      blind: [{ $0.beside(["a"], in: [[]]) }, { $0.beside([], in: [["a"]]) }, { $0.beside([], in: [[]]) }],
      right: { $0.beside(["a"], in: [["a"], ["a"]]) }, wrong: { $0.beside(["a"], in: [["a"], ["b"]]) }),
  ]

  /// What a walk asks in two ways: it keeps a probe only where the two could have differed.
  static let ofProbes: [TrialCase] = [RelationRule.head, .allow, .etag, .notModified].map { rule in
    TrialCase(
      rule, blind: [{ $0.page("limit=2", [$0.item(1)]) }], right: { $0.probe(rule, nil) },
      wrong: { $0.probe(rule, "they differ") })
  }
}
