// An endpoint is called from any task, so it can't capture a non-Sendable value.
import Synchronization
import WharfDependencies

struct Counting: Sendable {
    let next: @Sendable () -> Int
}

#if CORRECTED
final class Numbers: Sendable {
    private let last = Mutex(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
#else
final class Numbers {
    private var last = 0

    func next() -> Int {
        last += 1
        return last
    }
}
#endif

func counting() -> Counting {
    let numbers = Numbers()
    return Counting(next: { numbers.next() })  // expect-error: non-Sendable type 'Numbers' in a '@Sendable' closure
}
