internal import WharfChecks
internal import WharfCore
internal import WharfRandom

extension KeyValueStoreLaws {
    static let values: [Law<Subject>] = [
        Law("a value comes back as it was set") { subject in
            let store = try await subject.make()
            for value in [[], [0], Array("text".utf8), Array(0...255)] as [[UInt8]] {
                try await store.set(value, for: "x")
                let found = try await store.value(for: "x")
                try require(found == value, "set \(brief(value)), found \(brief(found))")
            }
        },
        Law("a large value comes back as it was set") { subject in
            let store = try await subject.make()
            try await store.set(large, for: "x")
            let found = try await store.value(for: "x")
            try require(found == large, "set \(brief(large)), found \(brief(found))")
        },
        Law("an empty value is not the same as none") { subject in
            let store = try await subject.make()
            try await store.set([], for: "x")
            let found = try await store.value(for: "x")
            try require(found == [], "found \(brief(found))")
            let names = try await store.keys(withPrefix: "")
            try require(names == ["x"], "the names were \(names)")
        },
        Law("a value that was never set is nil, and no error") { subject in
            let store = try await subject.make()
            try require(try await store.value(for: "x") == nil, "an empty store had a value")
            let names = try await store.keys(withPrefix: "")
            try require(names.isEmpty, "an empty store had the names \(names)")
        },
        Law("a set replaces the earlier value") { subject in
            let store = try await subject.make()
            for value in [[1, 2, 3], [4], [], [5, 6, 7, 8], [UInt8](repeating: 9, count: 100_000), [1]] as [[UInt8]] {
                try await store.set(value, for: "x")
                let found = try await store.value(for: "x")
                try require(found == value, "set \(brief(value)), found \(brief(found))")
            }
            let names = try await store.keys(withPrefix: "")
            try require(names == ["x"], "the names were \(names)")
        },
        Law("nil removes a value and no other") { subject in
            let store = try await subject.make()
            for name in ["x", "xy", ""] { try await store.set([1], for: name) }
            try await store.set(nil, for: "x")
            try require(try await store.value(for: "x") == nil, "a value was there after its removal")
            for name in ["xy", ""] {
                let found = try await store.value(for: name)
                try require(found == [1], "\(brief(name)) held \(brief(found)) after another was removed")
            }
            let names = try await store.keys(withPrefix: "")
            try require(names == ["", "xy"], "the names were \(names)")
            try await store.set([2], for: "x")
            try require(try await store.value(for: "x") == [2], "nothing can be set where a value was removed")
        },
        Law("removing a missing value is no error") { subject in
            let store = try await subject.make()
            try await store.set(nil, for: "x")
            try await store.set([1], for: "x")
            try await store.set(nil, for: "x")
            try await store.set(nil, for: "x")
            let names = try await store.keys(withPrefix: "")
            try require(names.isEmpty, "the names were \(names)")
        },
        Law("set values survive reopening") { subject in
            guard let reopen = subject.reopen else { return }
            let store = try await subject.make()
            for (index, name) in differentNames.enumerated() { try await store.set([UInt8(index)], for: name) }
            try await store.set([], for: "empty")
            try await store.set([7, 7], for: "a")
            try await store.set(nil, for: "A")
            let again = try await reopen(store)
            for (index, name) in differentNames.enumerated() {
                let expected: [UInt8]? = name == "a" ? [7, 7] : name == "A" ? nil : [UInt8(index)]
                let found = try await again.value(for: name)
                try require(found == expected, "\(brief(name)) held \(brief(found)) in place of \(brief(expected))")
            }
            let expected = (differentNames.filter { $0 != "A" } + ["empty"]).sorted(by: precedes)
            let names = try await again.keys(withPrefix: "")
            try require(isSame(names, expected), "the names were \(names.map(brief))")
        },
    ]

    /// 1 MiB of reproducible bytes.
    private static let large: [UInt8] = {
        var random = SeededGenerator(seed: 1)
        return (0..<1 << 20).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }()
}
