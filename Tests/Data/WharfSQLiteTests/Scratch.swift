import Foundation
import GRDB
import Synchronization
import WharfChecks
import WharfCore
import WharfSQLite
import WharfStorage

/// A folder that is deleted with its last owner, and the databases in it.
final class Scratch: Sendable {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    func path(_ name: String = "cache.sqlite") -> String { temporary[name] }

    var names: [String] {
        get throws { try temporary.names }
    }

    /// The names of the files of large bodies.
    var bodies: [String] {
        get throws {
            guard try names.contains("cache.sqlite-bodies") else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: path("cache.sqlite-bodies")).sorted()
        }
    }

    func mode(_ name: String) throws -> Int { try temporary.permissions(of: name) }

    /// Changes a file through a second, plain connection, to damage it.
    func tamper(_ name: String = "cache.sqlite", _ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: path(name))
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    func count(_ sql: String, in name: String = "cache.sqlite") throws -> Int {
        let queue = try DatabaseQueue(path: path(name))
        let count = try queue.read { try Int.fetchOne($0, sql: sql) }
        try queue.close()
        return count ?? 0
    }
}

/// A value behind a lock that closures can share.
final class Box<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>
    init(_ value: Value) { storage = Mutex(value) }
    var value: Value { storage.withLock { $0 } }
    func change(_ body: (inout Value) -> Void) { storage.withLock { body(&$0) } }
}

extension CacheStore {
    @discardableResult
    func keep(_ target: String, _ body: [UInt8], account: Account? = nil) async throws(StoreError) -> Int64 {
        let writer = try await begin(CacheKey(account: account, target: target), .sample)
        try await writer.append(body)
        return try await writer.commit()
    }

    /// A part of the newest body under a key.
    func part(_ target: String, _ part: ClosedRange<Int64>?) async throws(StoreError) -> BodyStream? {
        try await lookup(CacheKey(target: target)) { $0.first.map { CacheSelection(id: $0.id, part: part) } }.body
    }

    /// The newest body under a key.
    func body(_ target: String) async throws -> [UInt8]? {
        let found = try await lookup(CacheKey(target: target)) { $0.first.map { CacheSelection(id: $0.id) } }
        return try await found.body?.collect()
    }
}

extension StoredHead {
    static var sample: StoredHead {
        StoredHead(
            response: HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain", .eTag: "\"1\""]),
            requestedAt: WallTime(secondsSince1970: 1), respondedAt: WallTime(secondsSince1970: 2)
        )
    }
}

/// The code of the `StoreError` that `body` throws, or nil if it throws none.
func storeErrorCode(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
        try await body()
        return nil
    } catch let error as StoreError {
        return error.code
    } catch {
        return StoreError.Code("\(error)")
    }
}
