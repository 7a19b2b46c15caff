import Testing
import WharfCore

@testable import WharfPresentation

@MainActor @Suite struct KeyedSnapshotTests {
    private let loaded = KeyedSnapshot<String, Int>()

    @Test func failedReadKeepsTheValueOfItsKey() async {
        await loaded.load("a") { _ in .read(1) }
        await loaded.load("a") { _ in .read(nil, error: .gone) }
        #expect(loaded.snapshot?.value == 1 && loaded.snapshot?.error == .gone)
        await loaded.load("b") { _ in .read(nil, error: .gone) }
        #expect(loaded.snapshot?.value == nil && loaded.snapshot?.error == .gone)
    }

    @Test func aLateAnswerForAFormerKeyIsDropped() async {
        let (answers, tell) = AsyncStream.makeStream(of: Int.self)
        let first = Task {
            await loaded.load("a") { _ in
                for await answer in answers { return .read(answer) }
                return .read(nil)
            }
        }
        for _ in 0..<20 { await Task.yield() }
        await loaded.load("b") { _ in .read(2) }
        tell.yield(1)
        await first.value
        #expect(loaded.snapshot?.value == 2)
    }

    @Test func aCancelledReadChangesNothing() async {
        await loaded.load("a") { _ in .read(1) }
        let read = Task { await loaded.load("a") { _ in .read(nil, error: .gone) } }
        read.cancel()
        await read.value
        #expect(loaded.snapshot?.value == 1 && loaded.snapshot?.error == nil)
    }
}
