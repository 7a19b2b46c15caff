import Wharf

extension Program {
    /// How long somebody who holds the file's lock is waited for.
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
            // Also when it is cancelled.
            try await Task { try await file.close() }.value
            return try outcome.get()
        } catch let failure as OutputFailure where failure.isReaderGone && command.access == .reading {
            // `| head` has what it wants. Of what was done nobody has heard.
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
