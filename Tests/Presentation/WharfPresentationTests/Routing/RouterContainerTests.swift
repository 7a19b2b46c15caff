import Observation
import Synchronization
import Testing
import WharfCore
import WharfPresentation

@MainActor @Suite struct RouterContainerTests {
    private let journey = Journey()
    private var router: Router<AppRoute> { journey.router }

    @Test func goingBackInAContainerAsksNoGuard() throws {
        journey.isSignedIn = true
        try router.go(.show([.film(id: 1), .profile, .film(id: 2)], modals: [Modal(.home, stack: [.film(id: 3)])]))
        journey.isSignedIn = false
        journey.forgetAsked()
        router.stack.removeLast()
        #expect(router.stack == [.film(id: 1), .profile] && router.modals.count == 1)
        router.modals[0].stack.removeLast()
        #expect(router.modal == Modal(.home))
        router.modal = nil
        #expect(router.modals.isEmpty)
        #expect(journey.asked.isEmpty && journey.failures.isEmpty && journey.events.count == 4)
    }

    @Test func containerPushIsCheckedByTheGuards() throws {
        router.stack.append(.film(id: 1))
        router.stack.append(.collection(.allTime))
        #expect(router.stack == [.film(id: 1), .film(id: 1)])
        #expect(journey.asked == [.film(id: 1), .collection(.allTime), .film(id: 1)])
        router.stack.append(.profile)
        #expect(router.stack.count == 2 && router.modal == Modal(.signIn))
        journey.isSignedIn = true
        try router.resume()
        #expect(router.stack == [.film(id: 1), .film(id: 1), .profile] && router.modal == nil)
    }

    @Test func heldContainerPushIsAPush() throws {
        router.stack = [.film(id: 1)]
        router.stack.append(.profile)
        router.dismiss()
        router.stack = [.film(id: 2)]
        journey.isSignedIn = true
        try router.resume()
        #expect(router.stack == [.film(id: 2), .profile])
    }

    @Test func heldContainerPresentationIsATopmostModal() throws {
        router.modal = Modal(.profile)
        #expect(router.state.held?.navigation == .present(.profile) && router.modal == Modal(.signIn))
        router.dismiss()
        router.stack = [.film(id: 2)]
        router.modal = Modal(.home)
        router.modals.append(Modal(.profile))
        #expect(router.state.held?.navigation == .present(.profile))
        router.modals = [Modal(.film(id: 3), stack: [.home])]
        journey.isSignedIn = true
        try router.resume()
        #expect(router.stack == [.film(id: 2)])
        #expect(router.modals == [Modal(.film(id: 3), stack: [.home]), Modal(.profile)])
    }

    @Test func heldContainerPushOnAModalIsAPush() throws {
        router.modal = Modal(.home)
        router.modals[0].stack.append(.profile)
        #expect(router.state.held?.navigation == .push(.profile))
        router.dropHeld()
        #expect(router.modals == [Modal(.home)])
    }

    @Test func otherHeldContainerChangeIsHeldAsAWhole() throws {
        router.modal = Modal(.home)
        router.stack.append(.profile)
        #expect(router.state.held?.navigation == .show([.profile], modals: [Modal(.home)]))
        router.dropHeld()
        let modal = Modal<AppRoute>(.film(id: 1), stack: [.profile])
        router.modals.append(modal)
        #expect(router.state.held?.navigation == .show([], modals: [Modal(.home), modal]))
    }

    @Test func changeBelowASignInIsHeldWithoutTheSignIn() throws {
        try router.present(.home)
        try router.push(.profile)
        router.stack = [.film(id: 1), .profile]
        #expect(router.modals == [Modal(.home), Modal(.signIn)])
        #expect(router.state.held?.navigation == .show([.film(id: 1), .profile], modals: [Modal(.home)]))
        journey.isSignedIn = true
        try router.resume()
        #expect(router.stack == [.film(id: 1), .profile] && router.modals == [Modal(.home)])
    }

    @Test func changeReplacingASignInIsHeldUnchanged() {
        router.stack = [.profile]
        let modal = Modal<AppRoute>(.home, stack: [.profile])
        router.modals = [modal]
        #expect(router.modals == [Modal(.signIn)])
        #expect(router.state.held?.navigation == .show([], modals: [modal]))
    }

    @Test func replacedHeldNavigationIsReported() throws {
        router.stack = [.profile]
        router.dismiss()
        router.stack = [.profile]
        #expect(journey.failures.isEmpty)
        router.stack = [.collection(.new)]
        #expect(journey.failures.map(\.code) == [.leftOut])
        #expect(journey.failures.last?.message.contains("push(WharfPresentationTests.AppRoute.profile)") == true)
    }

    @Test func containerIsNotifiedEachTimeAGuardHolds() {
        final class Count: Sendable {
            let reported = Mutex(0)
        }
        let count = Count()
        for number in 1...3 {
            withObservationTracking {
                _ = router.stack
            } onChange: {
                count.reported.withLock { $0 += 1 }
            }
            router.stack = [.collection(.new)]
            #expect(router.stack.isEmpty && router.state.held != nil)
            #expect(count.reported.withLock { $0 } == number)
        }
    }

    @Test func refusedContainerChangeIsReportedAndReverted() async throws {
        var states = router.states.makeAsyncIterator()
        _ = await states.next(isolation: #isolation)
        router.stack = [.review(film: 666, author: "a")]
        #expect(journey.failures.map(\.code) == [.refused] && router.stack.isEmpty && journey.events.isEmpty)
        #expect(await states.next(isolation: #isolation) == RouterState())
    }

    @Test func modalReplacedByAnotherRouteDropsThoseOverIt() throws {
        router.modals = [Modal(.home), Modal(.film(id: 1))]
        router.modal = Modal(.home, stack: [.film(id: 2)])
        #expect(router.modals == [Modal(.home, stack: [.film(id: 2)]), Modal(.film(id: 1))])
        router.modal = Modal(.film(id: 3))
        #expect(router.modals == [Modal(.film(id: 3))])
    }
}
