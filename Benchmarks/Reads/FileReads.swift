internal import Fixtures

/// Reads bodies from files without a cache.
struct FileReads: Subject {
    private let files: BareFiles

    init() throws { files = try BareFiles.fromEnvironment() }

    func item(_ index: Int) -> String { files.path(index) }

    func read(_ items: [String]) async throws -> Int {
        var bytes = 0
        for path in items { bytes += try files.read(path) }
        return bytes
    }
}
