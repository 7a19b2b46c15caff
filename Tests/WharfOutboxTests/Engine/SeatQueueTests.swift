import Testing
import WharfChecks

@testable import WharfOutbox

struct SeatQueueTests {
    private let seats = SeatQueue(1)

    /// Once so many wait.
    private func waiter(_ count: Int) async -> Task<SeatQueue.Seat, Never> {
        let task = Task { [seats] in await seats.take() }
        await waitUntil { seats.waiting >= count }
        return task
    }

    @Test func whoCameFirstSitsFirst() async {
        #expect(await seats.take() == .free)
        let (first, second) = (await waiter(1), await waiter(2))
        seats.leave()
        #expect(await first.value == .left)
        #expect(seats.waiting == 1)
        seats.leave()
        #expect(await second.value == .left)
        seats.leave()
        #expect(await seats.take() == .free)
    }

    @Test func whoIsCancelledGetsNoSeatAndTakesNobodys() async {
        #expect(await seats.take() == .free)
        let (first, second) = (await waiter(1), await waiter(2))
        first.cancel()
        #expect(await first.value == .none)
        seats.leave()
        #expect(await second.value == .left)
        let late = Task { [seats] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await seats.take()
        }
        #expect(await late.value == .none)
        seats.leave()
        #expect(await seats.take() == .free)
    }
}
