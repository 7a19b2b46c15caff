import Foundation
import Testing

@testable import WharfCommand

struct BuildFolderTests {
    private let folder: TemporaryFolder
    private let builds: BuildFolder

    init() throws {
        folder = try TemporaryFolder()
        builds = BuildFolder(path: folder.path("builds"))
    }

    private func fingerprint(_ text: String) -> Fingerprint {
        var fingerprint = Fingerprint()
        fingerprint.add("test", text)
        return fingerprint
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: builds.path).filter { $0 != "lock" }
    }

    @Test func aBuildIsMadeOnceAndFound() async throws {
        #expect(builds.find(.program, fingerprint("a")) == nil)
        let made = try await builds.build(.program, fingerprint("a")) { site throws(CheckFailure) in
            try BuildFolder.write("a", to: site.made + "/program")
            try BuildFolder.write("log", to: site.work + "/log")
        }
        #expect(builds.find(.program, fingerprint("a")) == made)
        #expect(builds.find(.program, fingerprint("b")) == nil)
        #expect(builds.find(.library, fingerprint("a")) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: made).sorted() == ["program", "stamp"])
        let again = try await builds.build(.program, fingerprint("a")) { _ in Issue.record("made again") }
        #expect(again == made)
    }

    @Test func aBuildThatFailsLeavesNothing() async throws {
        await #expect(throws: CheckFailure.self) {
            try await builds.build(.program, fingerprint("a")) { site throws(CheckFailure) in
                try BuildFolder.write("half", to: site.made + "/program")
                throw CheckFailure("no", .notCompiled)
            }
        }
        #expect(builds.find(.program, fingerprint("a")) == nil)
        #expect(try names() == [])
    }

    @Test func leftoverOfAKilledBuildIsRemovedByTheNext() async throws {
        let left = builds.path + "/building-1/made"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let made = try await builds.build(.program, fingerprint("a")) { _ in }
        #expect(try names() == [URL(filePath: made).lastPathComponent])
    }

    @Test func buildWithAnotherStampIsIgnored() async throws {
        let made = try await builds.build(.program, fingerprint("a")) { _ in }
        try BuildFolder.write("test b\n", to: made + "/stamp")
        #expect(builds.find(.program, fingerprint("a")) == nil)
        _ = try await builds.build(.program, fingerprint("a")) { _ in }
        #expect(builds.find(.program, fingerprint("a")) == made)
    }

    @Test func leastRecentlyUsedBuildsAreEvicted() async throws {
        let limit = BuildFolder.Kind.program.limit
        for number in 0..<limit {
            let made = try await builds.build(.program, fingerprint("\(number)")) { _ in }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(number))], ofItemAtPath: made)
        }
        #expect(builds.find(.program, fingerprint("0")) != nil)
        _ = try await builds.build(.program, fingerprint("new")) { _ in }
        #expect(try names().count == limit)
        #expect(builds.find(.program, fingerprint("0")) != nil)
        #expect(builds.find(.program, fingerprint("1")) == nil)
        #expect(builds.find(.program, fingerprint("new")) != nil)
    }

    @Test func concurrentBuildsOfOneKeyAreMadeOnce() async throws {
        let made = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try? await builds.build(.program, fingerprint("a")) { site throws(CheckFailure) in
                        try BuildFolder.write("x", to: folder.path("made-\(UUID().uuidString)"))
                    }
                }
            }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(made.count == 1)
        #expect(try folder.names().count { $0.hasPrefix("made-") } == 1)
    }

    @Test func waitingBuildIsNotifiedAndCanBeCancelled() async throws {
        let (reported, tell) = AsyncStream.makeStream(of: Bool.self)
        let second = BuildFolder(path: builds.path) { tell.yield($0) }
        _ = try await builds.build(.program, fingerprint("a")) { _ in
            let waiter = Task { try await second.build(.program, fingerprint("b")) { _ in } }
            var news = reported.makeAsyncIterator()
            #expect(await news.next() == true)
            waiter.cancel()
            #expect(await news.next() == false)
            let error = await #expect(throws: CheckFailure.self) { try await waiter.value }
            #expect(error?.status == .cancelled)
        }
        #expect(builds.find(.program, fingerprint("b")) == nil)
    }
}
