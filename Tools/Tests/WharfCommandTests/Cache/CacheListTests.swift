import Foundation
import Testing
import Wharf
import WharfSQLite
import WharfStorage

@testable import WharfCommand

struct CacheListTests {
    /// A stale answer, one of an account, and the one that was used last.
    private func filled() async throws -> CacheFile {
        let file = try CacheFile()
        try await file.keep("https://a.example/old", "12345", age: 100)
        try await file.keep("https://a.example/mine?key=s3cr3t", age: 20, of: "anna")
        try await file.keep("https://b.example/new", fields: [.cacheControl: "no-cache, max-age=60"])
        return file
    }

    @Test func pipeGetsOneLinePerAnswer() async throws {
        let file = try await filled()
        let result = await file.run("ls")
        #expect(result.status == .delivered)
        #expect(
            result.text == """
                3\t200\t2\t0\t60\t-\thttps://b.example/new
                2\t200\t2\t20\t40\tanna\thttps://a.example/mine?key=***
                1\t200\t5\t100\t-40\t-\thttps://a.example/old

                """, "\(result.text)")
        #expect(result.error == "3 answers in \(file.path), 1 stale\n")
    }

    @Test func terminalGetsATable() async throws {
        let file = try await filled()
        let result = await file.run("ls", pager: "cat")
        #expect(
            result.text
                == """
                ID  STATUS  SIZE  AGE           FRESHNESS                 ACCOUNT  URL
                3   200     2 B   0 s           fresh for 1 min, revalidated  -        https://b.example/new
                2   200     2 B   20 s          fresh for 40 s                anna     https://a.example/mine?key=***
                1   200     5 B   1 min 40 s    stale for 40 s                -        https://a.example/old

                """.aligned, "\(result.text)")
    }

    @Test(arguments: [
        (["old"], [1]), (["a.example/*key"], [2]), (["example*old*new"], []), (["s3cr3t"], [2]), (["--stale"], [1]),
        (["--limit", "2"], [3, 2]), (["--stale", "new"], []),
    ])
    func listIsFilteredByTheOptions(options: [String], ids: [Int]) async throws {
        let file = try await filled()
        let result = await file.session.run(["cache", "ls", "--cache", file.path, "--json"] + options)
        let found = try result.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["id"] as? Int
        }
        #expect(found == ids)
        #expect(result.error.contains("there are more") == options.contains("--limit"), "\(result.error)")
    }

    @Test func jsonNamesTheSameFactsForEachAnswer() async throws {
        let objects = try await filled().json("ls", "--reveal")
        let names: Set = [
            "id", "url", "method", "account", "status", "bytes", "bodyBytes", "storedAt", "ageSeconds", "freshSeconds",
            "fresh",
        ]
        for object in objects { #expect(Set(object.keys) == names) }
        #expect(objects.map { $0["fresh"] as? Bool } == [true, true, false])
        #expect(objects[1]["url"] as? String == "https://a.example/mine?key=s3cr3t")
        #expect(objects[2]["freshSeconds"] as? Int == -40 && objects[2]["ageSeconds"] as? Int == 100)
    }

    /// More answers than fit on a page of the store.
    @Test func listContinuesBeyondOnePage() async throws {
        let file = try CacheFile()
        let head = StoredHead(
            response: HTTPResponse(status: .ok), requestedAt: file.now, respondedAt: file.now)
        try await file.owner { store in
            for index in 0..<450 {
                _ = try await store.begin(CacheKey(target: "https://a/\(index)"), head).commit()
            }
        }
        let ids = try await file.json("ls").map { $0["id"] as? Int }
        #expect(ids == (1...450).reversed().map { $0 })
    }

    @Test func controlCharactersInEntriesAreEscaped() async throws {
        let file = try CacheFile()
        try await file.keep("https://a/\u{1B}[2J\tx", of: "an\nna")
        let result = await file.run("ls")
        #expect(!result.text.contains("\u{1B}") && result.text.split(separator: "\t").count == 7, "\(result.text)")
    }

    @Test func statisticsAddUpAndOrderHostsByBytes() async throws {
        let file = try await filled()
        let object = try #require(try await file.json("stats").first)
        #expect(object["entries"] as? Int == 3 && object["fresh"] as? Int == 2 && object["stale"] as? Int == 1)
        #expect(object["accounts"] as? Int == 1)
        let hosts = try #require(object["hosts"] as? [[String: Any]])
        #expect(hosts.map { $0["host"] as? String } == ["a.example", "b.example"])
        #expect(hosts.compactMap { $0["bytes"] as? Int }.reduce(0, +) == object["bytes"] as? Int)
        #expect(await file.run("stats").text.contains("a.example  2"))
    }

    @Test func sharedCacheJudgesByItsOwnDirectives() async throws {
        let file = try CacheFile()
        try await file.keep("https://a/", fields: [.cacheControl: "max-age=60, s-maxage=5"], age: 10)
        #expect(try await file.json("ls").map { $0["fresh"] as? Bool } == [true])
        #expect(try await file.json("ls", "--shared").map { $0["fresh"] as? Bool } == [false])
    }
}

extension String {
    /// The table with its columns two spaces apart, as `TextTable` writes it.
    fileprivate var aligned: String {
        var table = TextTable()
        let rows = split(separator: "\n").map { line in
            // Cells are separated by two spaces or more.
            String(line).components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
        }
        return table.lines(rows).map { $0 + "\n" }.joined()
    }
}
