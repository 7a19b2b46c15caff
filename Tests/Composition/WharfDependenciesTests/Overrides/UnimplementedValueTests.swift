import Testing
import WharfDependencies

@Suite struct UnimplementedValueTests {
    @Test func anUnimplementedValueReadTwiceInATestIsMadeOnce() {
        let values = (1...2).map { _ in Dependencies.current[MadeOnce<UnimplementedValueTests>.self] }
        #expect(Set(values).count == 1, "found \(values)")
    }

    @Test func anUnimplementedValueReadByManyThreadsIsMadeOnce() async {
        let read = { @Sendable in Dependencies.current[MadeOnce<[UnimplementedValueTests]>.self] }
        let values = await onThreads(Array(repeating: read, count: 8))
        #expect(Set(values).count == 1, "found \(values)")
    }

    @Test func aKeyWithoutALiveValueIsMadeOnceAndFailsEachTime() {
        let app = App()
        let values = app.run { (1...2).map { _ in Dependencies.current[UnsetOnce.self] } }
        #expect(values[0] === values[1])
        #expect(app.failures.count == 2)
    }

    @Test func anUnimplementedValueDoesNotSeeOverrides() {
        let made = withDependencies {
            $0[Greeting.self] = "for a moment"
        } operation: {
            Dependencies.current[UnsetGreeter.self]
        }
        #expect(made == "greets unimplemented")
    }
}

private final class Thing: Sendable {}

private enum UnsetOnce: DependencyKey {
    static var unimplemented: Thing { Thing() }
}

private enum UnsetGreeter: DependencyKey {
    static var unimplemented: String { "greets \(Dependencies.current[Greeting.self] ?? "nobody")" }
}
