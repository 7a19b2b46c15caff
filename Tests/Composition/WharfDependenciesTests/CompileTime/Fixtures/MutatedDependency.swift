// An object's dependencies can't be replaced. A changed copy is passed to its initialiser.
import WharfDependencies

struct Counting: Sendable {
    let count: @Sendable () -> Int

    func overriding(count: (@Sendable () -> Int)? = nil) -> Self { Self(count: count ?? self.count) }
}

final class Badge: Sendable {
    let counting: Counting

    init(counting: Counting) {
        self.counting = counting
    }
}

func change(_ badge: Badge) -> Badge {
    #if CORRECTED
    return Badge(counting: badge.counting.overriding(count: { 0 }))
    #else
    badge.counting.count = { 0 }  // expect-error: cannot assign to property: 'count' is a 'let' constant
    badge.counting = Counting(count: { 1 })  // expect-error: cannot assign to property: 'counting' is a 'let' constant
    return badge
    #endif
}
