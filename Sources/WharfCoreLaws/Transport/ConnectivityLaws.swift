public import WharfChecks
public import WharfCore

/// What every ``Connectivity`` keeps whose turns a test can make.
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
    /// A kind of connectivity, as what makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable () async throws -> Instance

        /// - Parameters:
        ///   - name: stands in the message of a violation.
        ///   - make: one that is online and that nobody reads. Called at least once for each law.
        public init(_ name: String = "the connectivity", _ make: @escaping @Sendable () async throws -> Instance) {
            description = name
            self.make = make
        }
    }

    /// One connectivity, with what a test has to do to it.
    public struct Instance: Sendable {
        let connectivity: any Connectivity
        let turn: @Sendable (Bool) async -> Void
        let readers: @Sendable () -> Int

        /// - Parameters:
        ///   - turn: makes it online or not, and returns when its readers were told.
        ///   - readers: how many are told of turns.
        public init(
            _ connectivity: any Connectivity, turn: @escaping @Sendable (Bool) async -> Void,
            readers: @escaping @Sendable () -> Int
        ) {
            self.connectivity = connectivity
            self.turn = turn
            self.readers = readers
        }
    }

    public static let all: [Law<Subject>] = [
        Law("whoever subscribes first and asks then hears of the next turn") { subject in
            for hasReader in [false, true] {
                let network = try await subject.make()
                let other = hasReader ? network.connectivity.changes() : nil
                let changes = network.connectivity.changes()
                try require(network.connectivity.isOnline, "it does not begin online")
                await network.turn(false)
                // It subscribes at the call: nobody has read yet.
                let heard = await heard(changes)
                try require(heard == [false], "with \(hasReader ? "another" : "no other") reader: heard \(heard)")
                withExtendedLifetime(other) {}
            }
        },
        Law("a question sees the last turn") { subject in
            let network = try await subject.make()
            for isOnline in [false, true, true, false] {
                await network.turn(isOnline)
                let seen = network.connectivity.isOnline
                try require(seen == isOnline, "after a turn to \(isOnline) it was \(seen)")
            }
        },
        Law("each reader hears every turn, in order") { subject in
            let network = try await subject.make()
            let turns = (0..<20).map { $0 % 2 == 1 }
            let early = [network.connectivity.changes(), network.connectivity.changes()]
            for isOnline in turns { await network.turn(isOnline) }
            let late = network.connectivity.changes()
            await network.turn(false)
            for reader in early {
                let heard = await heard(reader)
                try require(heard == turns + [false], "of \(turns + [false]) a reader heard \(heard)")
            }
            let heard = await heard(late)
            try require(heard == [false], "who came late heard \(heard)")
        },
        Law("of turns that are made while somebody subscribes and asks, the last is seen or heard") { subject in
            for round in 0..<50 {
                let network = try await subject.make()
                await withTaskGroup { group in
                    for isOnline in [false, true, false] { group.addTask { await network.turn(isOnline) } }
                }
                async let turned: Void = network.turn(true)
                // So that it has come further in some rounds than in others.
                for _ in 0..<round % 10 { await Task.yield() }
                let changes = network.connectivity.changes()
                let seen = network.connectivity.isOnline
                await turned
                let last = await heard(changes).last ?? seen
                try require(last, "it is online, and who subscribed and asked knows that it is not")
            }
        },
        Law("of turns that are made at the same time the one heard last is what a question sees") { subject in
            for _ in 0..<50 {
                let network = try await subject.make()
                let changes = network.connectivity.changes()
                await withTaskGroup { group in
                    for turn in 0..<8 { group.addTask { await network.turn(turn % 2 == 0) } }
                }
                let (last, seen) = (await heard(changes).last, network.connectivity.isOnline)
                try require(last == seen, "heard \(String(describing: last)) last, and a question sees \(seen)")
            }
        },
        Law("who leaves is told nothing more, and the others are") { subject in
            let network = try await subject.make()
            let staying = network.connectivity.changes()
            let leaving = network.connectivity.changes()
            try require(network.readers() == 2, "of two readers \(network.readers()) are told")
            _ = await heard(leaving)
            try require(network.readers() == 1, "after one of two readers left, \(network.readers()) are told")
            await network.turn(false)
            let heard = await heard(staying)
            try require(heard == [false], "who stayed heard \(heard)")
            try require(network.readers() == 0, "after all had left, \(network.readers()) are told")
        },
    ]

    /// What was told by now, without waiting for more. The reader has left then.
    private static func heard(_ changes: AsyncStream<Bool>) async -> [Bool] {
        let reader = Task {
            // Not before it was cancelled.
            while !Task.isCancelled { await Task.yield() }
            var heard: [Bool] = []
            for await isOnline in changes { heard.append(isOnline) }
            return heard
        }
        reader.cancel()
        return await reader.value
    }
}
