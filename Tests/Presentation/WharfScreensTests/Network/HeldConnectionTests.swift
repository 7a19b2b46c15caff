import Testing
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPrimitives
import WharfRandom

@testable import WharfScreens

@Suite struct HeldConnectionTests {
    private func connection() throws -> ScreenConnection {
        let network = ScreenNetwork(
            transport: Living().wire, timeout: .seconds(5), silence: .seconds(15), retry: .fast, clock: TestClock(),
            random: SharedRandom(SeededGenerator(seed: 1)))
        return ScreenConnection(session: "s", try ScreenAddress("http://192.0.2.7"), network, "TV") { _, _ in }
    }

    @Test func connectionIsKeptIfAnyCallerConnected() throws {
        let connection = try connection()
        var held = HeldConnection()
        let farewells = held.arrive()
        try held.keep(connection, of: farewells, "TV")
        _ = held.arrive()
        // The caller that made the connection and the one that found it may leave in any order.
        #expect(held.leave(isConnected: false) == nil)
        #expect(held.leave(isConnected: true) == nil)
        #expect(held.connection === connection)
        _ = held.arrive()
        #expect(held.leave(isConnected: false) == nil)
        #expect(held.connection === connection)
    }

    @Test func connectionWithoutUserIsReleasedByTheLastCaller() throws {
        let connection = try connection()
        var held = HeldConnection()
        let farewells = held.arrive()
        _ = held.arrive()
        try held.keep(connection, of: farewells, "TV")
        #expect(held.leave(isConnected: false) == nil)
        #expect(held.leave(isConnected: false) === connection)
        #expect(held.connection == nil)
    }

    @Test func userOfAnEarlierConnectionDoesNotKeepTheNext() throws {
        var held = HeldConnection()
        try held.keep(try connection(), of: held.arrive(), "TV")
        #expect(held.leave(isConnected: true) == nil)
        _ = held.letGo()
        let next = try connection()
        try held.keep(next, of: held.arrive(), "TV")
        #expect(held.leave(isConnected: false) === next)
    }

    @Test func releasedConnectionIsNeitherKeptNorBegun() throws {
        var held = HeldConnection()
        let farewells = held.arrive()
        _ = held.letGo()
        #expect(throws: PlaybackError.wasLetGo("TV")) { try held.keep(try connection(), of: farewells, "TV") }
        #expect(throws: PlaybackError.wasLetGo("TV")) {
            try held.begin(of: farewells, "TV") { Task { .failure(.cancelledByCaller) } }
        }
    }

    @Test func endedConnectionIsNotKept() throws {
        let connection = try connection()
        connection.end(PlaybackError(.refused, "taken over"))
        var held = HeldConnection()
        let farewells = held.arrive()
        #expect(throws: PlaybackError(.refused, "taken over")) { try held.keep(connection, of: farewells, "TV") }
        #expect(held.leave(isConnected: false) == nil)
    }
}
