internal import Fixtures
internal import Foundation
internal import WharfSQLite

/// Makes the files that are read: `Fill DIRECTORY`.
@main
struct Fill {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let directory = arguments.first, arguments.count == 1 else {
            FileHandle.standardError.write(Data("usage: Fill DIRECTORY\n".utf8))
            exit(64)
        }
        for articles in [Articles.small, .many] { try await ArticleFiles(in: directory).fill(articles) }
        let files = CacheFiles(in: directory)
        for entries in [Entries.small, .large] + (CacheFiles.wantsMillion ? [.million] : []) {
            let clock = ContinuousClock()
            let start = clock.now
            let store = try await files.open(entries)
            try await entries.fill(store)
            try await store.close()
            let seconds = (clock.now - start) / .seconds(1)
            let size = try FileManager.default.attributesOfItem(atPath: files.path(entries))[.size] as? Int ?? 0
            print(
                String(
                    format: "filled %d entries of %d bytes in %.1f s, %.0f µs each; the file has %d MB",
                    entries.count, entries.length, seconds, seconds * 1e6 / Double(entries.count), size >> 20
                )
            )
        }
    }
}
