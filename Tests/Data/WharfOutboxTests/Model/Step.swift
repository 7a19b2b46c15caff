import WharfChecks
import WharfCore
import WharfStorage

/// One action of a person, a service, a clock or the machine.
enum Step: Sendable {
    case enqueue(lane: Int, Route, Class)
    /// Depends on the id that the newest entry of the route `made` gets.
    case enqueueDependent(lane: Int)
    case condition(Int, Condition)
    case pass(seconds: Int)
    /// Sets the wall clock.
    case setClock(seconds: Int)
    /// Kills an engine, and starts another in its place.
    case crash(Int)
    case closeAndReopen(Int)
    case signIn
    case turn(online: Bool)
    case retryDead, discardDead, editDead
    /// Lets other tasks run for a number of steps.
    case yield(Int)

    enum Route: CaseIterable, Sendable { case one, both, fallback, escalation, made }
    enum Class: CaseIterable, Sendable { case durable, bounded, expiring, latest }
    enum Condition: CaseIterable, Sendable { case well, busy, offline, signedOut, strict, contested, mixed }

    static let generator: Generator<Step> = .frequency(
        (
            10,
            Generator.zip(lane, Generator<Route>.anyCase(), Generator<Class>.anyCase()).map {
                .enqueue(lane: $0, $1, $2)
            }
        ),
        (3, lane.map { .enqueueDependent(lane: $0) }),
        (5, Generator.zip(either, Generator<Condition>.anyCase()).map { .condition($0, $1) }),
        (5, Generator.element(of: [1, 5, 30, 100]).map { .pass(seconds: $0) }),
        (2, Generator.element(of: [-86_400, -10, 10, 7_200]).map { .setClock(seconds: $0) }),
        (3, either.map { .crash($0) }), (1, either.map { .closeAndReopen($0) }), (2, .just(.signIn)),
        (2, Generator.element(of: [true, false]).map { .turn(online: $0) }),
        (1, .just(.retryDead)), (1, .just(.discardDead)), (1, .just(.editDead)),
        (8, Generator.int(in: 0...60).map { .yield($0) }))

    private static let lane = Generator.int(in: 0...2)
    private static let either = Generator.int(in: 0...1)
}
