/// Makes values of a type at random, each from a seed, and smaller ones of a value that breaks a
/// law.
///
/// A generator is made of others, either by the functions here or by drawing from them one after
/// the other:
///
/// ```swift
/// let transfer = Generator { choices in
///     let accounts = try choices.draw(.array(of: .account, count: 2...5))
///     let from = try choices.draw(.element(of: accounts))
///     return Transfer(from: from, amount: try choices.draw(.int(in: 1...100)))
/// }
/// ```
///
/// It says nothing of shrinking. What it draws is recorded as numbers, of which smaller ones stand
/// for simpler values, and a failing value is made smaller by running the generator again over
/// fewer and smaller numbers. So every value that is tried is one that the generator makes, however
/// it was composed.
public struct Generator<Value>: Sendable {
    let make: @Sendable (inout Choices) throws -> Value

    /// - Parameter make: draws whatever the value is made of, and decides by nothing else: the same
    ///   draws give the same value.
    public init(_ make: @escaping @Sendable (inout Choices) throws -> Value) { self.make = make }

    public func map<New>(_ transform: @escaping @Sendable (Value) throws -> New) -> Generator<New> {
        Generator<New> { choices in try transform(try make(&choices)) }
    }

    /// A generator that depends on a value, such as the elements of a list that was made before.
    public func flatMap<New>(_ next: @escaping @Sendable (Value) throws -> Generator<New>) -> Generator<New> {
        Generator<New> { choices in try choices.draw(next(try make(&choices))) }
    }

    /// The values for which `isWanted` is true. Cheap where most are; where few are, make them
    /// directly.
    ///
    /// A law throws ``GenerationError/Code/tooSelective`` when nearly none is.
    public func filter(_ isWanted: @escaping @Sendable (Value) throws -> Bool) -> Generator<Value> {
        Generator { choices in try choices.drawUntil(isWanted, make) }
    }

    /// As many values as asked for, the same for the same seed: to look at what a generator makes.
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
