import Testing
import WharfPrimitives

@Suite struct StreamFanOutTests {
    @Test func streamGetsElementsYieldedAfterItsStart() async {
        let fanOut = StreamFanOut(latest: -1)
        fanOut.yield(0)
        let first = fanOut.subscribe()
        fanOut.yield(1)
        let second = fanOut.subscribe(beginsWithLatest: true)
        fanOut.yield(1) { $0 != 1 }
        fanOut.yield(2)
        fanOut.finish()
        fanOut.yield(3)
        #expect(await elements(first) == [1, 2])
        #expect(await elements(second) == [1, 2])
        #expect(await elements(fanOut.subscribe()) == [])
        #expect(fanOut.latest == 2)
    }

    @Test func cancelledReaderIsForgotten() async {
        let fanOut = StreamFanOut<Int>()
        let stream = fanOut.subscribe()
        #expect(fanOut.readers == 1)
        let reader = Task { await elements(stream) }
        reader.cancel()
        #expect(await reader.value == [])
        #expect(fanOut.isEmpty)
    }

    @Test func readerThatSubscribesDuringTheEndIsForgotten() async {
        let fanOuts = (0..<1_000).map { _ in StreamFanOut<Int>() }
        await withTaskGroup { group in
            group.addTask {
                for fanOut in fanOuts {
                    fanOut.yield(1)
                    for _ in 0..<20 { _ = fanOut.subscribe() }
                }
            }
            group.addTask {
                for fanOut in fanOuts {
                    // As far as possible during the subscriptions, and in any order with them.
                    for _ in 0..<1_000 where fanOut.latest == nil {}
                    fanOut.finish()
                }
            }
        }
        #expect(fanOuts.allSatisfy { $0.isEmpty })
    }

    /// The first reader's executor yields the next element while the first one is being delivered.
    @Test func elementThatComesDuringADeliveryComesAfterIt() async {
        let fanOut = StreamFanOut<Int>()
        #expect(await secondReader(of: fanOut.subscribe, fanOut.subscribe, yield: { fanOut.yield($0) }) == [1, 2])
    }

    @Test func fanOutWithoutADeliveryQueueIsCaught() async {
        let streams = [AsyncStream<Int>.makeStream(), AsyncStream<Int>.makeStream()]
        let yield = { @Sendable (element: Int) in for stream in streams { _ = stream.continuation.yield(element) } }
        let found = await secondReader(of: { _, _ in streams[0].stream }, { _, _ in streams[1].stream }, yield: yield)
        #expect(found == [2, 1])
    }

    private typealias Subscribe = (AsyncStream<Int>.Continuation.BufferingPolicy, Bool) -> AsyncStream<Int>

    private func secondReader(
        of first: Subscribe, _ second: Subscribe, yield: @escaping @Sendable (Int) -> Void
    ) async -> [Int] {
        let executor = HookedExecutor()
        let (first, second) = (first(.unbounded, false), second(.unbounded, false))
        let reader = Task(executorPreference: executor) {
            var iterator = first.makeAsyncIterator()
            _ = await iterator.next(isolation: nil)
        }
        // Runs until the reader is suspended in `next`.
        executor.runJobs()
        executor.onEnqueue { yield(2) }
        yield(1)
        executor.runJobs()
        await reader.value
        var elements: [Int] = []
        var iterator = second.makeAsyncIterator()
        for _ in 0..<2 { if let element = await iterator.next(isolation: nil) { elements.append(element) } }
        return elements
    }

    private func elements(_ stream: AsyncStream<Int>) async -> [Int] { await stream.reduce(into: []) { $0.append($1) } }
}
