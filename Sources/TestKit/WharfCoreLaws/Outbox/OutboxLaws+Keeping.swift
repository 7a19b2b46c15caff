internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension OutboxLaws {
    static let keeping: [Law<Subject>] = [
        Law("a new id sorts after each before it, and no two tasks get the same") { subject in
            try await subject.use { it in
                let runs = await withTaskGroup(of: [OutboxEntry.ID].self) { group in
                    for _ in 0..<4 { group.addTask { (0..<200).map { _ in it.outbox.newID() } } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                for run in runs {
                    let wrong = zip(run, run.dropFirst()).first { $0 >= $1 }
                    try require(wrong == nil, "\(wrong?.1.text ?? "") came after \(wrong?.0.text ?? "")")
                }
                let count = Set(runs.joined()).count
                try require(count == 800, "800 calls gave \(count) ids")
            }
        },
        Law("entries are in the store at return, as they are, with their changes") { subject in
            try await subject.use { it in
                let account = it.outbox.account
                let entries = [it.entry("a"), it.entry("b", lane: "other", to: "api", "mail")]
                let row = row("1", of: account)
                try await it.outbox.enqueue(entries, changing: [.put(row)])
                for entry in entries {
                    let found = try await it.record(entry)?.entry
                    try require(found == entry, "\(entry) is \(found.map { "\($0)" } ?? "not there")")
                }
                let found = try await it.outbox.store.row(row.key)
                try require(found?.bytes == row.bytes, "the row is \(found.map { "\($0)" } ?? "not there")")
            }
        },
        Law("entries of one call and of several keep their order") { subject in
            try await subject.use { it in
                let entries = (0..<9).map { it.entry("\($0)", lane: "\($0 % 2)") }
                for start in stride(from: 0, to: 9, by: 3) { try await it.enqueue(Array(entries[start..<start + 3])) }
                let found = try await it.outbox.store.records(of: it.outbox.account, after: nil, limit: 100)
                try require(
                    found.map(\.entry.id) == entries.map(\.id), "the order is \(found.map(\.entry.payloadText))")
            }
        },
        Law("a call with an id that is known is refused, and changes nothing") { subject in
            try await subject.use { it in
                let (known, new) = (it.entry("known"), it.entry("new"))
                try await it.enqueue([known])
                var again = known
                again.payload = Array("again".utf8)
                let row = row("1", of: it.outbox.account)
                let result = try await require(onlyThrowing: StoreError.self, where: { $0.code == .changed }) {
                    try await it.outbox.enqueue([new, again], changing: [.put(row)])
                }
                if case .success = result { throw FailedRequirement(found: "the call was taken") }
                let records = try await it.outbox.store.records(of: it.outbox.account, after: nil, limit: 100)
                try require(
                    records.map(\.entry.payloadText) == ["known"],
                    "\(records.map(\.entry.payloadText)) are in the store")
                let found = try await it.outbox.store.row(row.key)
                try require(found == nil, "the row is there")
            }
        },
        Law("the outcome of an entry that was never here is nil") { subject in
            try await subject.use { it in
                let found = try await it.outbox.outcome(of: it.outbox.newID())
                try require(found == nil, "the outcome is \(found ?? [:])")
            }
        },
    ]
}
