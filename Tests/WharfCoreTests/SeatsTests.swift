import Testing
import WharfCore

@Suite struct SeatsTests {
    @Test func whoLeftBeforeTheMomentHearsNothingOfItAlsoWhereItCameAtOnce() async {
        let seats = Seats()
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await seats.wait(in: Seats.first) { seats.land() }
        }
        #expect(await caller.value == false)
    }

    @Test func nobodySitsDownWhereAllHaveLeft() async {
        let seats = Seats()
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await seats.wait(in: Seats.first) {}
        }
        #expect(await caller.value == false)
        #expect(seats.take() == nil)
    }

    @Test func whoComesAfterTheMomentDoesNotWait() async throws {
        let seats = Seats()
        let seat = try #require(seats.take())
        seats.land()
        #expect(await seats.wait(in: seat) {})
        #expect(seats.taken == 0)
    }
}
