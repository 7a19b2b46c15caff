internal import Foundation
internal import WharfCore

extension DispatchQueue {
    /// Runs what blocks away from the threads that all tasks share.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
