internal import WharfChecks
internal import WharfCore

extension KeyValueStoreLaws {
    static let names: [Law<Subject>] = [
        Law("any text is a name, and names that look alike are different") { subject in
            let store = try await filled(subject)
            for (index, name) in differentNames.enumerated() {
                let found = try await store.value(for: name)
                try require(found == [UInt8(index)], "\(brief(name)) held \(brief(found)) in place of [\(index)]")
            }
            // Each second name goes. A store that confuses two names loses a neighbour.
            for (index, name) in differentNames.enumerated() where index.isMultiple(of: 2) {
                try await store.set(nil, for: name)
            }
            for (index, name) in differentNames.enumerated() {
                let expected: [UInt8]? = index.isMultiple(of: 2) ? nil : [UInt8(index)]
                let found = try await store.value(for: name)
                try require(
                    found == expected, "after others were removed, \(brief(name)) held \(brief(found))")
            }
        },
        Law("the empty prefix has each name once, in the order of UTF-8") { subject in
            let store = try await filled(subject)
            let names = try await store.keys(withPrefix: "")
            let expected = differentNames.sorted(by: precedes)
            if isSame(names, expected) { return }
            let place = zip(names, expected).first { !$0.utf8.elementsEqual($1.utf8) }
            throw FailedRequirement(
                found: place.map { "\(brief($0)) stood where \(brief($1)) belongs" }
                    ?? "\(names.count) names came in place of \(expected.count)")
        },
        Law("a prefix has the names that begin with its bytes, and no other") { subject in
            let store = try await filled(subject)
            let long = String(repeating: "x", count: 300)
            for prefix in ["a", "a/", "\0", ".", "x", long, long + "y", "zz", "%"] {
                try await requireNames(store, prefix)
            }
        },
        Law("a prefix may end within a character") { subject in
            let store = try await filled(subject)
            for prefix in ["e", "\r", "\u{1F1E9}", "\u{1F468}", "\u{1F468}\u{200D}", "A", "\u{E9}", "e\u{301}"] {
                try await requireNames(store, prefix)
            }
        },
        Law("the listed names follow sets and removals") { subject in
            let store = try await subject.make()
            for name in ["user.b", "user.a", "other"] { try await store.set([1], for: name) }
            try await store.set([2], for: "user.b")
            var names = try await store.keys(withPrefix: "user.")
            try require(names == ["user.a", "user.b"], "the names were \(names)")
            try await store.set(nil, for: "user.a")
            names = try await store.keys(withPrefix: "user.")
            try require(names == ["user.b"], "after a removal the names were \(names)")
        },
    ]

    private static func filled(_ subject: Subject) async throws -> any KeyValueStore {
        let store = try await subject.make()
        for (index, name) in differentNames.enumerated() { try await store.set([UInt8(index)], for: name) }
        return store
    }

    private static func requireNames(_ store: any KeyValueStore, _ prefix: String) async throws {
        let expected = differentNames.filter { $0.utf8.starts(with: prefix.utf8) }.sorted(by: precedes)
        let found = try await store.keys(withPrefix: prefix)
        try require(
            isSame(found, expected),
            "the prefix \(brief(prefix)) had \(found.map(brief)) in place of \(expected.map(brief))")
    }
}
