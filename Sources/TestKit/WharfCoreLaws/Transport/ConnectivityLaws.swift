public import WharfChecks
public import WharfCore

/// The laws of ``Connectivity``, if a test can change its state.
///
/// ```swift
/// @Test(arguments: ConnectivityLaws.all)
/// func mineKeeps(law: Law<ConnectivityLaws.Subject>) async throws {
///     try await law.check(.init("MyConnectivity") {
///         let mine = MyConnectivity()
///         return .init(mine, turn: { mine.turn(online: $0) }, readers: { mine.readers })
///     })
/// }
/// ```
public enum ConnectivityLaws {
    /// A kind of connectivity, as a closure that makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable () async throws -> Instance

        /// Creates a kind of connectivity.
        ///
        /// - Parameters:
        ///   - name: the name in the message of a violation.
        ///   - make: makes a connectivity that is online and has no readers. It is called at least
        ///     once per law.
        public init(_ name: String = "the connectivity", _ make: @escaping @Sendable () async throws -> Instance) {
            description = name
            self.make = make
        }
    }

    /// A connectivity with the operations that a test needs.
    public struct Instance: Sendable {
        let connectivity: any Connectivity
        let turn: @Sendable (Bool) async -> Void
        let readers: @Sendable () -> Int

        /// Creates an instance.
        ///
        /// - Parameters:
        ///   - turn: sets whether it is online, and returns after its readers were told.
        ///   - readers: returns the number of readers.
        public init(
            _ connectivity: any Connectivity, turn: @escaping @Sendable (Bool) async -> Void,
            readers: @escaping @Sendable () -> Int
        ) {
            self.connectivity = connectivity
            self.turn = turn
            self.readers = readers
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = [
        Law("a reader that subscribes before it asks hears the next change") { subject in
            for hasReader in [false, true] {
                let network = try await subject.make()
                let other = hasReader ? network.connectivity.changes() : nil
                let changes = network.connectivity.changes()
                try require(network.connectivity.isOnline, "it does not begin online")
                await network.turn(false)
                // The subscription starts at the call: the stream was not read before.
                let received = await received(changes)
                try require(received == [false], "with \(hasReader ? "another" : "no other") reader: heard \(received)")
                withExtendedLifetime(other) {}
            }
        },
        Law("isOnline shows the last change") { subject in
            let network = try await subject.make()
            for isOnline in [false, true, true, false] {
                await network.turn(isOnline)
                let seen = network.connectivity.isOnline
                try require(seen == isOnline, "after a turn to \(isOnline) it was \(seen)")
            }
        },
        Law("each reader hears every change, in order") { subject in
            let network = try await subject.make()
            let turns = (0..<20).map { $0 % 2 == 1 }
            let early = [network.connectivity.changes(), network.connectivity.changes()]
            for isOnline in turns { await network.turn(isOnline) }
            let late = network.connectivity.changes()
            await network.turn(false)
            for reader in early {
                let received = await received(reader)
                try require(received == turns + [false], "of \(turns + [false]) a reader heard \(received)")
            }
            let received = await received(late)
            try require(received == [false], "a late reader heard \(received)")
        },
        Law("a reader that subscribes during a change sees or hears the last one") { subject in
            for round in 0..<50 {
                let network = try await subject.make()
                await withTaskGroup { group in
                    for isOnline in [false, true, false] { group.addTask { await network.turn(isOnline) } }
                }
                // The subscription below falls before, into or behind this change.
                async let turned: Void = network.turn(true)
                // The rounds interleave at different points.
                for _ in 0..<round % 10 { await Task.yield() }
                let changes = network.connectivity.changes()
                let seen = network.connectivity.isOnline
                await turned
                // Subscribed first and asked second: a change in between is heard, seen, or both,
                // but never neither.
                let last = await received(changes).last ?? seen
                try require(last, "it is online, but a reader that subscribed and then read isOnline found it offline")
            }
        },
        Law("after concurrent changes isOnline shows the one that a reader hears last") { subject in
            for _ in 0..<50 {
                let network = try await subject.make()
                let changes = network.connectivity.changes()
                await withTaskGroup { group in
                    for turn in 0..<8 { group.addTask { await network.turn(turn % 2 == 0) } }
                }
                let (last, seen) = (await received(changes).last, network.connectivity.isOnline)
                try require(last == seen, "heard \(String(describing: last)) last, and a question sees \(seen)")
            }
        },
        Law("a reader that leaves hears nothing more, and the others still do") { subject in
            let network = try await subject.make()
            let staying = network.connectivity.changes()
            let leaving = network.connectivity.changes()
            try require(network.readers() == 2, "of two readers \(network.readers()) are told")
            _ = await received(leaving)
            try require(network.readers() == 1, "after one of two readers left, \(network.readers()) are told")
            await network.turn(false)
            let received = await received(staying)
            try require(received == [false], "the reader that stayed heard \(received)")
            try require(network.readers() == 0, "after all had left, \(network.readers()) are told")
        },
    ]

    /// Returns the states reported by now, and ends the reader.
    private static func received(_ changes: AsyncStream<Bool>) async -> [Bool] {
        let reader = Task {
            // Read only after the cancellation.
            while !Task.isCancelled { await Task.yield() }
            var received: [Bool] = []
            for await isOnline in changes { received.append(isOnline) }
            return received
        }
        reader.cancel()
        return await reader.value
    }
}
