internal import Fixtures
internal import WharfCore
internal import WharfRepository

/// A thousand callers who ask for the same model at the same time.
struct SharedRequest: Rounds {
    static let expected = 1_000
    private let repository: RemoteRepository<Article>

    init() {
        let source = RemoteSource<Article> { id, _ in
            // As short as a request can be that others can join.
            await Task.yield()
            return Snapshot(
                kept: .init(
                    value: Article(id: id, title: "", text: ""), source: .network, asOf: SystemWallClock().now()))
        }
        repository = RemoteRepository(source: source, policy: .networkOnly)
    }

    func run() async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.expected { group.addTask { await repository.snapshot(id: 1).value != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}

/// The same callers, who wait for one task and nothing else.
struct SharedTask: Rounds {
    static let expected = 1_000

    func run() async -> Int {
        let task = Task {
            await Task.yield()
            return Article(id: 1, title: "", text: "")
        }
        return await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<Self.expected { group.addTask { await task.value.id == 1 } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
