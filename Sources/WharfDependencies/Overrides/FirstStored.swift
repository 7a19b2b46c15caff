/// A place that the first of all who try fills, for good.
///
/// By the standard library's own lock-free initialisation. A `Mutex` would do, but `import Synchronization`, and with it the C
/// library, more than doubles what this module adds to the clean build of an app.
final class FirstStored<Value: AnyObject & Sendable>: @unchecked Sendable {
    // Unchecked: only the atomic operations below read and write there.
    private let place: UnsafeMutablePointer<AnyObject?>

    init() {
        place = .allocate(capacity: 1)
        place.initialize(to: nil)
    }

    deinit {
        place.deinitialize(count: 1)
        place.deallocate()
    }

    var value: Value? { _stdlib_atomicLoadARCRef(object: place) as! Value? }

    /// What is there afterwards: this value, or the one that came before it.
    func store(_ value: Value) -> Value {
        while !_stdlib_atomicInitializeARCRef(object: place, desired: value) {
            if let first = self.value { return first }
        }
        return value
    }
}
