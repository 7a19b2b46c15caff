internal import Fixtures
internal import Foundation
internal import WharfSQLite

/// Creates the files that the benchmarks read: `Fill DIRECTORY FILTER…`.
///
/// The outbox files take about a quarter of a minute. They are created only if a filter matches a
/// benchmark that reads them, or there is no filter.
@main
struct Fill {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let directory = arguments.first else {
            FileHandle.standardError.write(Data("usage: Fill DIRECTORY FILTER…\n".utf8))
            exit(64)
        }
        for articles in [Articles.small, .many] { try await ArticleFiles(in: directory).fill(articles) }
        let files = CacheFiles(in: directory)
        for entries in [Entries.small, .large, .files] + (CacheFiles.wantsMillion ? [.million] : []) {
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
        try await Rows(in: directory).fill(.small)
        try BareFiles(in: directory).fill(.files)
        let filters = try arguments.dropFirst().map { try Regex($0) }
        for pending in Pending.all where try pending.readers.contains(where: { try $0.matches(filters) }) {
            try await fill(pending, in: Journals(in: directory))
        }
    }

    private static func fill(_ pending: Pending, in journals: Journals) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        try await journals.fill(pending) { count in
            guard isatty(STDERR_FILENO) != 0 else { return }
            let line = count < pending.count ? "filling an outbox: \(count) of \(pending.count)" : ""
            FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
        }
        print(
            String(
                format: "filled an outbox with %d entries in %d lanes in %.1f s", pending.count, pending.lanes,
                (clock.now - start) / .seconds(1)))
    }
}

extension String {
    /// Whether a filter matches, by the rules of the benchmarks' own filters.
    fileprivate func matches(_ filters: [Regex<AnyRegexOutput>]) throws -> Bool {
        try filters.isEmpty || filters.contains { try $0.wholeMatch(in: self) != nil }
    }
}
