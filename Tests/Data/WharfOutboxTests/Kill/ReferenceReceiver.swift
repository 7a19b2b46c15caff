import Foundation
import GRDB

// Shown in the article "The outbox". The processes that the tests kill deliver to it.

// snippet.receiver
/// A receiver that executes each request once, however often it arrives.
struct ReferenceReceiver {
    enum Answer: Equatable {
        /// 200: the request was executed, now or earlier, with this answer.
        case done(String)
        /// 422: the key was used before, with another request.
        case keyTaken
    }

    /// The database of the answers and of everything that requests change.
    let database: DatabaseQueue

    init(_ database: DatabaseQueue) throws {
        self.database = database
        let table = """
            CREATE TABLE IF NOT EXISTS answered \
            (account TEXT, key TEXT, request BLOB, answer TEXT, at DATETIME, PRIMARY KEY (account, key))
            """
        try database.write { try $0.execute(sql: table) }
    }

    /// - Parameters:
    ///   - request: method, path and body, or a digest of them.
    ///   - key: the value of the field `Idempotency-Key`. A request without one is answered with
    ///     400.
    ///   - account: the signed-in account. Answers to one account are never shown to another.
    ///   - change: executes the request. If it throws, nothing has happened and nothing is
    ///     remembered.
    func receive(
        _ request: Data, key: String, account: String, at now: Date, change: (Database) throws -> String
    ) throws -> Answer {
        // One transaction at a time: a concurrent request with the same key waits for the answer.
        try database.write { db in
            let known = "SELECT request, answer FROM answered WHERE account = ? AND key = ?"
            if let row = try Row.fetchOne(db, sql: known, arguments: [account, key]) {
                return request == row["request"] ? .done(row["answer"]) : .keyTaken
            }
            let answer = try change(db)
            let remember = "INSERT INTO answered VALUES (?, ?, ?, ?, ?)"
            try db.execute(sql: remember, arguments: [account, key, request, answer, now])
            return .done(answer)
        }
    }

    /// Forgets answers. A request that is repeated after this has its effect again.
    func forget(before time: Date) throws {
        try database.write { try $0.execute(sql: "DELETE FROM answered WHERE at < ?", arguments: [time]) }
    }
}
// snippet.end
