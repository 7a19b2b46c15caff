internal import WharfCore
internal import WharfOutbox

#if SQLite
internal import WharfSQLite
#endif

/// The data file that a stack owns, and the outbox over it.
struct StackData: Sendable {
    let outbox: OutboxEngine
    #if SQLite
    let file: SQLiteDataFile
    #endif

    /// Opens the data file of a configuration.
    ///
    /// - Returns: nil if the configuration names none.
    /// - Throws: ``ReadFailure/Code/storeFailed`` with the store's error as its cause. The file is left as it is.
    static func open(_ configuration: WharfStack.Configuration) async throws(ReadFailure) -> StackData? {
        guard let location = configuration.data else { return nil }
        #if SQLite
        let file: SQLiteDataFile
        do {
            file = try await SQLiteDataFile.open(at: location.path)
        } catch {
            throw ReadFailure(
                .storeFailed, message: "the data file can't be opened: \(error.message)", cause: error)
        }
        let outbox = OutboxEngine(
            store: SQLiteWriteStore(file), account: configuration.account, connectivity: configuration.connectivity,
            onIncident: configuration.report)
        return StackData(outbox: outbox, file: file)
        #else
        throw ReadFailure(
            .unsupported,
            message:
                "expected the trait SQLite for a data file at \(location.path), but it is off; turn it on in Package.swift"
        )
        #endif
    }

    /// Closes the file. SQLite's log is folded into it, so that it can be copied by itself.
    func close() async throws(StoreError) {
        #if SQLite
        try await file.close()
        #endif
    }
}
