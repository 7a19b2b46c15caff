import Foundation
import GRDB
import Testing
import WharfChecks

/// The duties of a receiver to a client that sends at least once.
@Suite struct ReferenceReceiverTests {
    private static let noon = Date(timeIntervalSince1970: 1_000_000_000)

    private struct Full: Error {}

    /// A receiver whose requests increment a counter.
    private struct Counter {
        let receiver: ReferenceReceiver

        init(_ database: DatabaseQueue) throws {
            try database.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS count (n)") }
            receiver = try ReferenceReceiver(database)
        }

        @discardableResult
        func receive(
            _ text: String = "milk", key: String = "k", account: String = "ann", at now: Date = noon,
            fails: Bool = false
        ) throws -> ReferenceReceiver.Answer {
            try receiver.receive(Data(text.utf8), key: key, account: account, at: now) { db in
                try db.execute(sql: "INSERT INTO count VALUES (1)")
                if fails { throw Full() }
                return "number \(try Int.fetchOne(db, sql: "SELECT count(*) FROM count") ?? 0)"
            }
        }
    }

    @Test func repeatedKeyReturnsItsFirstAnswerWithoutEffect() throws {
        let counter = try Counter(DatabaseQueue())
        #expect(try counter.receive() == .done("number 1"))
        #expect(try counter.receive(key: "other") == .done("number 2"))
        #expect(try counter.receive() == .done("number 1"))
    }

    @Test func aKeyThatComesWithAnotherRequestIsRefused() throws {
        let counter = try Counter(DatabaseQueue())
        try counter.receive("milk")
        #expect(try counter.receive("bread") == .keyTaken)
        #expect(try counter.receive("milk") == .done("number 1"))
        #expect(try counter.receive("bread", key: "new") == .done("number 2"))
    }

    @Test func failedRequestHasNoEffectAndCanBeRetried() throws {
        let counter = try Counter(DatabaseQueue())
        #expect(throws: Full.self) { try counter.receive(fails: true) }
        #expect(try counter.receive() == .done("number 1"))
    }

    @Test func keysAreSeparateForEachAccount() throws {
        let counter = try Counter(DatabaseQueue())
        try counter.receive(account: "ann")
        #expect(try counter.receive(account: "bob") == .done("number 2"))
    }

    @Test func forgottenKeyHasItsEffectAgain() throws {
        let counter = try Counter(DatabaseQueue())
        try counter.receive()
        try counter.receiver.forget(before: Self.noon)
        #expect(try counter.receive() == .done("number 1"))
        try counter.receiver.forget(before: Self.noon + 1)
        #expect(try counter.receive() == .done("number 2"))
    }

    @Test func keysSurviveARestart() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<2 {
            let database = try DatabaseQueue(path: folder["receiver.sqlite"])
            #expect(try Counter(database).receive() == .done("number 1"))
            try database.close()
        }
        withExtendedLifetime(folder) {}
    }

    @Test func concurrentRequestsWithOneKeyHaveOneEffect() async throws {
        let counter = try Counter(DatabaseQueue())
        try await withThrowingTaskGroup(of: ReferenceReceiver.Answer.self) { group in
            for _ in 0..<8 { group.addTask { try counter.receive() } }
            for try await answer in group { #expect(answer == .done("number 1")) }
        }
    }
}
