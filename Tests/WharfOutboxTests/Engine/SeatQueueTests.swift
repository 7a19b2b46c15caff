import Testing

@testable import WharfOutbox

@Suite(.timeLimit(.minutes(2))) struct SeatQueueTests {
    private let seats = SeatQueue(1)

    /// Once so many wait.
    private func waiter(_ count: Int) async -> Task<Bool, Never> {
        let task = Task { [seats] in await seats.take() }
        while seats.waiting < count { await Task.yield() }
        return task
    }

    @Test func whoCameFirstSitsFirst() async {
        #expect(await seats.take())
        let (first, second) = (await waiter(1), await waiter(2))
        seats.leave()
        #expect(await first.value)
        #expect(seats.waiting == 1)
        seats.leave()
        #expect(await second.value)
        seats.leave()
        #expect(await seats.take())
    }

    @Test func whoIsCancelledGetsNoSeatAndTakesNobodys() async {
        #expect(await seats.take())
        let (first, second) = (await waiter(1), await waiter(2))
        first.cancel()
        #expect(await !first.value)
        seats.leave()
        #expect(await second.value)
        let late = Task { [seats] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await seats.take()
        }
        #expect(await !late.value)
        seats.leave()
        #expect(await seats.take())
    }
}
