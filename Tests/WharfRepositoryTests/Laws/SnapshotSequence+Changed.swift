import WharfCore

extension SnapshotSequence {
    /// The same with each snapshot changed; it ends with the first that is nil.
    ///
    /// - Parameter make: called for each reader, so that what it remembers is the reader's own.
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
