import Testing
import WharfChecks
import WharfDependencies

@Suite(.dependencies { $0[Greeting.self] = "of the suite" })
struct DependenciesTraitTests {
    private let made = Dependencies.current[Greeting.self]

    @Test func aTestSeesTheOverridesOfItsSuite() {
        #expect(Dependencies.current[Greeting.self] == "of the suite")
        #expect(made == "of the suite")
    }

    @Test(.dependencies { $0[Greeting.self] = "of the test" })
    func theOverrideOfATestBeatsTheOneOfItsSuite() {
        #expect(Dependencies.current[Greeting.self] == "of the test")
        #expect(made == "of the test")
    }

    @Test(.dependencies { $0.context = .live }, arguments: 1...3)
    func eachArgumentHasItsOwnLiveValues(number: Int) {
        let value = Dependencies.current[OwnedByATest.self]
        #expect(value.take() == 1)
        #expect(Dependencies.current[OwnedByATest.self] === value)
    }
}

private final class Counter: Sendable {
    private let count = Count()

    func take() -> Int { count.next() }
}

private enum OwnedByATest: LiveDependencyKey {
    static var unimplemented: Counter { Counter() }
    static var live: Counter { Counter() }
}
