import Foundation
import Testing
import Wharf
import WharfFakes
import WharfSQLite
import WharfStorage

@testable import WharfCommand

/// A cache file, and `wharf cache` on it.
final class CacheFile: Sendable {
    let session: Session
    let path: String

    init() throws {
        session = try Session()
        path = session.folder.path("kept.sqlite")
    }

    var now: WallTime { session.clock.wall.now() }

    func run(_ arguments: String..., pager: String? = nil) async -> Session.Result {
        await session.run(["cache"] + arguments + ["--cache", path], pager: pager)
    }

    /// Returns the objects that a subcommand prints with `--json`.
    func json(_ arguments: String...) async throws -> [[String: Any]] {
        let result = await session.run(["cache"] + arguments + ["--cache", path, "--json"])
        return try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }

    /// Acts as the owner of the file.
    @discardableResult
    func owner<Value: Sendable>(_ body: (SQLiteCacheStore) async throws -> Value) async throws -> Value {
        let store = try await SQLiteCacheStore.open(at: path) { Issue.record("\($0)") }
        do {
            let value = try await body(store)
            try await store.close()
            return value
        } catch {
            try await store.close()
            throw error
        }
    }

    /// Stores an answer that arrived some seconds ago.
    func keep(
        _ target: String, _ body: String = "{}", fields: HTTPFields = [.cacheControl: "max-age=60"], age: Int64 = 0,
        of account: String? = nil, varying: HTTPFields = [:]
    ) async throws {
        let time = now - .seconds(age)
        let head = StoredHead(
            response: HTTPResponse(status: .ok, headerFields: fields), varying: varying, requestedAt: time,
            respondedAt: time)
        try await owner { store in
            let key = CacheKey(account: account.map { Account($0) }, target: target)
            let writer = try await store.begin(key, head)
            try await writer.append(Array(body.utf8))
            _ = try await writer.commit()
        }
    }

    /// The targets that are kept, the most recently used first.
    func targets() async throws -> [String] {
        try await owner { try await $0.entries(usedBefore: nil, limit: .max).map(\.key.target) }
    }

    /// Overwrites a text in the file, its log and the files of large bodies.
    func damage(_ text: String) throws {
        var hits = 0
        let folder = path + "-bodies"
        let hasFolder = FileManager.default.fileExists(atPath: folder)
        let bodies = hasFolder ? try FileManager.default.contentsOfDirectory(atPath: folder) : []
        for name in [path, path + "-wal"] + bodies.map({ "\(folder)/\($0)" }) {
            guard FileManager.default.fileExists(atPath: name) else { continue }
            var data = try Data(contentsOf: URL(filePath: name))
            while let range = data.range(of: Data(text.utf8)) {
                data.replaceSubrange(range, with: Data(repeating: UInt8(ascii: "#"), count: range.count))
                hits += 1
            }
            try data.write(to: URL(filePath: name))
        }
        try #require(hits > 0)
    }
}
