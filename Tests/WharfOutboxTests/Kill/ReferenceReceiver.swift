#if SQLite
import Foundation
import GRDB

// What the article "The outbox" shows, and what the processes that are killed deliver to.

// snippet.receiver
/// Does what a request asks for once, however often it comes.
struct ReferenceReceiver {
    enum Answer: Equatable {
        /// 200: it was done now, or before, with this answer.
        case done(String)
        /// 422: the key has come before, with another request.
        case keyTaken
    }

    /// With everything that requests change.
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
    ///   - key: of the field `Idempotency-Key`. Without one the answer is 400.
    ///   - account: who is signed in. Nobody is shown what another was answered.
    ///   - change: what the request asks for. Where it throws nothing has happened, and nothing is
    ///     remembered.
    func receive(
        _ request: Data, key: String, account: String, at now: Date, change: (Database) throws -> String
    ) throws -> Answer {
        // One transaction, and one at a time: who comes with the same key meanwhile waits for the
        // answer.
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

    /// What comes again after this has its effect again.
    func forget(before time: Date) throws {
        try database.write { try $0.execute(sql: "DELETE FROM answered WHERE at < ?", arguments: [time]) }
    }
}
// snippet.end
#endif
