internal import WharfChecks
internal import WharfCore

extension KeyValueStoreLaws {
    static let writers: [Law<Subject>] = [
        Law("concurrent sets of one name leave one whole value") { subject in
            let store = try await subject.make()
            for round in 0..<5 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<4 {
                        group.addTask {
                            for step in 1...5 { try await store.set(whole(UInt8(writer * 40 + step)), for: "x") }
                        }
                    }
                    try await group.waitForAll()
                }
                let found = try await store.value(for: "x")
                // The last set of one of the writers: an earlier one would mean that an older value
                // came back.
                let isLast = (0..<4).contains { found == whole(UInt8($0 * 40 + 5)) }
                try require(isLast, "in round \(round) \(brief(found)) were left, which no writer set last")
            }
        },
        Law("concurrent sets of different names are all kept") { subject in
            let store = try await subject.make()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        for step in 0..<8 { try await store.set([UInt8(step)], for: "\(writer)-\(step)") }
                        for step in 0..<4 { try await store.set(nil, for: "\(writer)-\(step)") }
                    }
                }
                try await group.waitForAll()
            }
            let expected = (0..<6).flatMap { writer in (4..<8).map { "\(writer)-\($0)" } }
            let names = try await store.keys(withPrefix: "")
            try require(names == expected, "the names were \(names)")
            for name in names {
                let found = try await store.value(for: name)
                try require(found?.first.map { name.hasSuffix("-\($0)") } ?? false, "\(name) held \(brief(found))")
            }
        },
        Law("a reader sees the value before or after a set, and nothing between") { subject in
            let store = try await subject.make()
            try await store.set(whole(1), for: "x")
            try await withReaders(3) {
                let found = try await store.value(for: "x")
                try require(isWhole(found), "a reader found \(brief(found))")
            } while: {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<2 {
                        group.addTask {
                            for step in 1...40 { try await store.set(whole(UInt8(writer * 100 + step)), for: "x") }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        },
        Law("a listing made while values are replaced has each name once") { subject in
            let store = try await subject.make()
            let stable = (0..<8).map { "\($0)" }
            for name in stable { try await store.set([0], for: name) }
            try await withReaders(2) {
                let names = try await store.keys(withPrefix: "")
                try require(names == stable, "a reader found the names \(names)")
            } while: {
                for step in 1...40 { try await store.set(whole(UInt8(step)), for: "\(step % 8)") }
            }
        },
        Law("a set is visible to every reader when it returns") { subject in
            let store = try await subject.make()
            for step in 0..<20 as Range<UInt8> {
                try await store.set([step], for: "x")
                let own = try await store.value(for: "x")
                try require(own == [step], "[\(step)] was set, and then found \(brief(own))")
                // Another task, as a store might answer its own task from a buffer.
                let others = try await Task.detached { try await store.value(for: "x") }.value
                try require(others == [step], "[\(step)] was set, and then another task found \(brief(others))")
            }
        },
    ]
}
