internal import Fixtures
internal import WharfCore
internal import WharfRepository

/// Concurrent reads of the same model, whose request takes 100 ms.
struct SharedRequest: Rounds {
    let expected: Int
    private let repository: Repository<Article>

    init(callers: Int) {
        expected = callers
        let source = RemoteSource<Article> { id, _ in
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return Snapshot(kept: nil) }
            return Snapshot(
                kept: .init(
                    value: Article(id: id, title: "", text: ""), source: .network, asOf: SystemWallClock().now()))
        }
        repository = Repository(source: source, configuration: .init(policy: .networkOnly))
    }

    func run() async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<expected { group.addTask { await repository.snapshot(id: 1).value != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}

/// The same callers, which only wait for one task.
struct SharedTask: Rounds {
    let expected = 1_000

    func run() async -> Int {
        let task = Task {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return false }
            return true
        }
        return await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<expected { group.addTask { await task.value } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
