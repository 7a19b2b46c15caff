internal import WharfCore
internal import WharfOutbox
internal import WharfStorage

#if SQLite
internal import WharfSQLite
#endif

/// The data file that a stack owns, and the outbox over it.
struct StackData: Sendable {
    let outbox: OutboxEngine
    #if SQLite
    let file: SQLiteDataFile
    private let path: String
    #endif

    /// Opens the data file of a configuration.
    ///
    /// - Returns: nil if the configuration names none.
    /// - Throws: ``ReadFailure/Code/storeFailed`` with the store's error as its cause. The file is
    ///   left as it is.
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
        var settings = OutboxEngine.Configuration(connectivity: configuration.connectivity)
        settings.onIncident = configuration.report
        if let deliveries = configuration.deliveries { settings.policy = deliveries }
        let outbox = OutboxEngine(
            store: SQLiteWriteStore(file), account: configuration.account, configuration: settings)
        return StackData(outbox: outbox, file: file, path: location.path)
        #else
        throw ReadFailure(
            .unsupported,
            message:
                "a data file at \(location.path) needs the trait SQLite, which is off; turn it on in Package.swift"
        )
        #endif
    }

    /// Removes the data of an account, and closes the file.
    ///
    /// - Throws: the error of the store. After an error the caller can call this again.
    func purge(_ account: Account?) async throws(StoreError) {
        #if SQLite
        do throws(StoreError) {
            try await outbox.store.removeAll(of: account)
        } catch {
            // After `close()` the caller may still purge. The file is opened again for that.
            guard error.code == .closed else { throw error }
            let again = try await SQLiteDataFile.open(at: path)
            do throws(StoreError) {
                try await SQLiteWriteStore(again).removeAll(of: account)
            } catch {
                try await again.close()
                throw error
            }
            return try await again.close()
        }
        try await file.close()
        #endif
    }

    /// Closes the file. SQLite checkpoints its log into the file, so the file can be copied alone.
    func close() async throws(StoreError) {
        #if SQLite
        try await file.close()
        #endif
    }
}
