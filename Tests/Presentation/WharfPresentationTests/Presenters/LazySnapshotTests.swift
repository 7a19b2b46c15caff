import Synchronization
import Testing
import WharfCore

@testable import WharfPresentation

@MainActor @Suite struct LazySnapshotTests {
    @Test func lazySnapshotSubscribesOnceOnItsFirstRead() async {
        let subscriptions = Mutex(0)
        let (stream, tell) = AsyncStream.makeStream(of: Snapshot<Int>.self)
        let (ends, tellEnd) = AsyncStream.makeStream(of: Void.self)
        tell.onTermination = { _ in tellEnd.yield() }
        var lazy: LazySnapshot<Int>? = LazySnapshot(
            SnapshotSequence {
                subscriptions.withLock { $0 += 1 }
                return stream
            })
        for _ in 0..<20 { await Task.yield() }
        #expect(subscriptions.withLock { $0 } == 0)
        tell.yield(.read(1))
        while lazy?.observed.value == nil { await Task.yield() }
        #expect(lazy?.observed.value == 1 && subscriptions.withLock { $0 } == 1)
        lazy = nil
        for await _ in ends { break }
    }
}
