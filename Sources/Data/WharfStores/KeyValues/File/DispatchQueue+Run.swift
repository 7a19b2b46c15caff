internal import Foundation
internal import WharfCore
internal import WharfPrimitives

extension DispatchQueue {
    /// Runs a blocking function on this queue, and not on the cooperative thread pool.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await callbackValue { reply in
            // The queue's thread blocks instead of a thread of the cooperative pool.
            async { reply(Result(catching: body)) }
        }
        return try result.get()
    }
}
