import Testing
import WharfPrimitives

@Suite struct AsyncMutexTests {
    @Test func bodiesOfManyTasksDoNotOverlap() async {
        let mutex = AsyncMutex()
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    await mutex.withLock {
                        let before = await counter.value
                        await Task.yield()
                        await counter.set(before + 1)
                    }
                }
            }
        }
        #expect(await counter.value == 100)
    }
}

private actor Counter {
    private(set) var value = 0

    func set(_ value: Int) { self.value = value }
}
