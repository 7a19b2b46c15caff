import Testing
import WharfChecks
import WharfCombine
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfPrimitives
import WharfRepository
import WharfStores

@MainActor @Suite(.trackingLeaks)
struct PresenterObjectTests {
    @Test func objectShowsTheCurrentStateAndFollows() async throws {
        let current = Broadcast(5)
        let object = trackForLeaks(PresenterObject(StateSequence(current)))
        #expect(object.state == 5)
        var before: [Int?] = []
        let token = object.objectWillChange.sink { [weak object] _ in before.append(object?.state) }
        // Set before the object reads for the first time.
        current.set(2)
        try await until("the new state") { object.state == 2 }
        #expect(before == [5])
        current.set(3)
        try await until("the newest state") { object.state == 3 }
        #expect(before == [5, 2])
        token.cancel()
    }

    @Test func objectPublishesItsState() async throws {
        let current = Broadcast("a")
        let object = trackForLeaks(PresenterObject(StateSequence(current)))
        var states: [String] = []
        let token = object.$state.sink { states.append($0) }
        current.set("b")
        try await until("both states") { states == ["a", "b"] }
        token.cancel()
    }

    @Test func objectShowsTheLastStateAfterItsPresenterEnds() async throws {
        let current = Broadcast(1)
        let object = trackForLeaks(PresenterObject(StateSequence(current)))
        current.set(2)
        current.end()
        try await until("the last state") { object.state == 2 }
    }

    @Test func releasedObjectEndsItsRead() async throws {
        let current = Broadcast(1)
        var object: PresenterObject<Int>? = PresenterObject(StateSequence(current))
        try await until("a reader") { current.waiting == 1 }
        await expectRelease(of: object, after: { object = nil })
        try await until("no reader") { current.waiting == 0 }
    }
}
