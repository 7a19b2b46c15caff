import Testing
import WharfCore
import WharfPrimitives
import WharfStorage

@testable import WharfOutbox

struct OutcomeObserversTests {
    private let observers = OutcomeObservers()

    @Test func outcomesThatAreNotedAtOnceAreAllKept() async {
        let noted = observers.join(.init("a"))
        let names = (0..<1_000).map { "\($0)" }
        await withTaskGroup { group in
            for half in [names.prefix(500), names.suffix(500)] {
                group.addTask { [observers] in
                    for name in half { observers.record([(DeliveryID(.init("a"), to: name), .delivered)]) }
                }
            }
            group.addTask { [observers] in for _ in names { observers.lookAgain() } }
        }
        #expect(noted.latest.state.count == names.count)
        observers.leave(.init("a"))
    }
}
