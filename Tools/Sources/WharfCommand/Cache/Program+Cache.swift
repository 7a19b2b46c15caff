import Wharf
import WharfSQLite

extension Program {
    /// The maximum wait for another process's lock on the file.
    private static let patience = Duration.seconds(2)

    func run(_ command: any CacheAction) async -> ProcessStatus {
        do {
            let path = command.file.path
            let damage = DamageLog()
            let surroundings = surroundings
            let store = try await SQLiteCacheStore.open(
                existing: path, for: command.access, patience: Self.patience
            ) { incident in
                // Damaged answers are reported at the end, by the subcommand or below.
                guard incident.code != .entryDropped else { return damage.add(incident.message) }
                surroundings.writeError("wharf: \(Plain.shown(incident.message))\n")
            }
            let cache = OpenCache(path: path, store: store, damage: damage, surroundings: surroundings)
            let outcome: Result<ProcessStatus, any Error>
            do {
                outcome = .success(try await command.run(on: cache))
            } catch {
                outcome = .failure(error)
            }
            // An unstructured task is not cancelled, so that the file is always closed.
            try await Task { try await store.close() }.value
            for message in damage.take() {
                cache.say("wharf: \(message)\(command.access == .reading ? "; wharf cache verify removes it" : "")")
            }
            return try outcome.get()
        } catch let failure as OutputFailure where failure.isReaderGone && command.access == .reading {
            // The reader, such as `| head`, has enough.
            return .delivered
        } catch let failure as OutputFailure {
            return fail(failure.message, .outputFailed)
        } catch let error as UsageError {
            return fail(error.message, .usage)
        } catch let error as StoreError {
            return error.code == .cancelled ? fail("cancelled", .cancelled) : fail(error.message, .noInput)
        } catch let error as TransportError where error.code == .cancelled {
            return fail("cancelled", .cancelled)
        } catch is CancellationError {
            return fail("cancelled", .cancelled)
        } catch {
            return fail("\(error)", .internalError)
        }
    }

    private func fail(_ message: String, _ status: ProcessStatus) -> ProcessStatus {
        surroundings.writeError("wharf: \(Plain.shown(message))\n")
        return status
    }
}
