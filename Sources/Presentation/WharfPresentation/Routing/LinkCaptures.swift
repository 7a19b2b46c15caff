/// The values of a pattern, nested from the last to the first.
///
/// Swift 6.3 cannot extend a parameter pack by one type in the middle of an expression, but it can
/// extend a nested type. A type annotation names it by ``LinkValues1`` to ``LinkValues8``.
public struct LinkCaptures<Earlier: Sendable, Last: Sendable>: Sendable {
    let earlier: Earlier
    let last: Last

    init(_ earlier: Earlier, _ last: Last) {
        self.earlier = earlier
        self.last = last
    }

    func and<Next>(_ next: Next) -> LinkCaptures<Self, Next> { LinkCaptures<Self, Next>(self, next) }
}

/// The value of a pattern with one value.
public typealias LinkValues1<A: Sendable> = LinkCaptures<Void, A>
/// The values of a pattern with two values.
public typealias LinkValues2<A: Sendable, B: Sendable> = LinkCaptures<
    LinkValues1<A>, B
>
/// The values of a pattern with three values.
public typealias LinkValues3<A: Sendable, B: Sendable, C: Sendable> = LinkCaptures<
    LinkValues2<A, B>, C
>
/// The values of a pattern with four values.
public typealias LinkValues4<A: Sendable, B: Sendable, C: Sendable, D: Sendable> = LinkCaptures<
    LinkValues3<A, B, C>, D
>
/// The values of a pattern with five values.
public typealias LinkValues5<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable> = LinkCaptures<
    LinkValues4<A, B, C, D>, E
>
/// The values of a pattern with six values.
public typealias LinkValues6<A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable> =
    LinkCaptures<
        LinkValues5<A, B, C, D, E>, F
    >
/// The values of a pattern with seven values.
public typealias LinkValues7<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable
> = LinkCaptures<
    LinkValues6<A, B, C, D, E, F>, G
>
/// The values of a pattern with eight values.
public typealias LinkValues8<
    A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable
> = LinkCaptures<
    LinkValues7<A, B, C, D, E, F, G>, H
>
