import WharfCore

extension SnapshotSequence {
    /// Returns the sequence with each snapshot mapped. The first nil ends it.
    ///
    /// - Parameter make: called once per reader, so that each reader has its own state.
    func changed(
        _ make: @escaping @Sendable () -> @Sendable (Snapshot<Value>) -> Snapshot<Value>?
    ) -> SnapshotSequence {
        SnapshotSequence {
            let (stream, reader) = AsyncStream.makeStream(
                of: Snapshot<Value>.self, bufferingPolicy: .bufferingNewest(1))
            let change = make()
            let task = Task {
                for await snapshot in self {
                    guard let changed = change(snapshot) else { break }
                    reader.yield(changed)
                }
                reader.finish()
            }
            reader.onTermination = { _ in task.cancel() }
            return stream
        }
    }
}
