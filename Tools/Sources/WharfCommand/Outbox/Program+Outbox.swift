import Wharf
import WharfSQLite

extension Program {
    /// The maximum wait for another process's lock on the file.
    private static let patience = Duration.seconds(2)

    func run(_ command: any OutboxAction) async -> ProcessStatus {
        do {
            let path = command.file.path ?? ""
            let file = try await SQLiteDataFile.open(existing: path, for: command.access, patience: Self.patience)
            let outbox = OpenOutbox(path: path, store: SQLiteWriteStore(file), surroundings: surroundings)
            let outcome: Result<ProcessStatus, any Error>
            do {
                outcome = .success(try await command.run(on: outbox))
            } catch {
                outcome = .failure(error)
            }
            // An unstructured task is not cancelled, so that the file is always closed.
            try await Task { try await file.close() }.value
            return try outcome.get()
        } catch let failure as OutputFailure where failure.isReaderGone && command.access == .reading {
            // The reader, such as `| head`, has enough. After a change this stays an error, as the
            // reader has missed the result.
            return .delivered
        } catch let failure as OutputFailure {
            return fail(failure.message, .outputFailed)
        } catch let error as UsageError {
            return fail(error.message, .usage)
        } catch let error as StoreError {
            return error.code == .cancelled ? fail("cancelled", .cancelled) : fail(error.message, .noInput)
        } catch {
            return fail("\(error)", .internalError)
        }
    }

    private func fail(_ message: String, _ status: ProcessStatus) -> ProcessStatus {
        surroundings.writeError("wharf: \(Plain.shown(message))\n")
        return status
    }
}
