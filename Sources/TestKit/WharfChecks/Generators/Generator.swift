/// A generator of random values, which can also make a failing value smaller.
///
/// Each value is made from a seed. A generator is composed of others, either by the functions here
/// or by drawing from them one after the other:
///
/// ```swift
/// let transfer = Generator { choices in
///     let accounts = try choices.draw(.array(of: .account, count: 2...5))
///     let from = try choices.draw(.element(of: accounts))
///     return Transfer(from: from, amount: try choices.draw(.int(in: 1...100)))
/// }
/// ```
///
/// It contains no code for shrinking. Its draws are recorded as numbers, and smaller numbers stand
/// for simpler values. A failing value is made smaller by running the generator again over fewer
/// and smaller numbers. So every value that is tried is one that the generator can make.
public struct Generator<Value>: Sendable {
    let make: @Sendable (inout Choices) throws -> Value

    /// Creates a generator from a function that draws.
    ///
    /// - Parameter make: draws all parts of the value and depends on nothing else, so that the same
    ///   draws give the same value.
    public init(_ make: @escaping @Sendable (inout Choices) throws -> Value) { self.make = make }

    /// Returns a generator of transformed values.
    public func map<New>(_ transform: @escaping @Sendable (Value) throws -> New) -> Generator<New> {
        Generator<New> { choices in try transform(try make(&choices)) }
    }

    /// Returns a generator that depends on a value, such as that of an earlier list.
    public func flatMap<New>(_ next: @escaping @Sendable (Value) throws -> Generator<New>) -> Generator<New> {
        Generator<New> { choices in try choices.draw(next(try make(&choices))) }
    }

    /// Returns a generator of the values for which `isWanted` is true.
    ///
    /// It is cheap if most values pass. If few do, make such values directly.
    ///
    /// A law throws ``GenerationError/Code/tooSelective`` if nearly none passes.
    public func filter(_ isWanted: @escaping @Sendable (Value) throws -> Bool) -> Generator<Value> {
        Generator { choices in try choices.drawUntil(isWanted, make) }
    }

    /// Returns sample values, to inspect the generator. A seed always gives the same values.
    public func samples(_ count: Int, seed: UInt64 = 0) throws -> [Value] {
        var values: [Value] = []
        var seeds = Seeds(seed, count: count)
        while let seed = try seeds.next() {
            var choices = Choices(seed: seed)
            let value = try choices.value(of: self)
            seeds.take(value != nil)
            if let value { values.append(value) }
        }
        return values
    }
}
