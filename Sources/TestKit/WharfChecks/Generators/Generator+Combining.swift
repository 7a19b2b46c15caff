extension Generator {
    /// Draws from one of the generators, each with the same probability.
    ///
    /// Values of the first one are the smallest. A generator that contains itself must come after
    /// one that does not.
    public static func oneOf(_ generators: Generator<Value>...) -> Generator<Value> {
        frequency(generators.map { (1, $0) })
    }

    /// Draws from one of the generators, with a probability proportional to its weight.
    ///
    /// Values of the first one are the smallest.
    public static func frequency(_ generators: (weight: Int, generator: Generator<Value>)...) -> Generator<Value> {
        frequency(generators)
    }

    private static func frequency(_ generators: [(weight: Int, generator: Generator<Value>)]) -> Generator<Value> {
        precondition(
            !generators.isEmpty && generators.allSatisfy { $0.weight > 0 },
            "each generator needs a weight above zero, and one is needed; the weights are \(generators.map(\.weight))")
        let total = generators.reduce(0) { $0 + $1.weight }
        return Generator { choices in
            // The index is recorded, not the place among the weights. So shrinking moves toward the
            // first generator.
            let index = try choices.choose(0...UInt64(generators.count - 1)) { random in
                var place = Int.random(in: 0..<total, using: &random)
                var index = 0
                while place >= generators[index].weight {
                    place -= generators[index].weight
                    index += 1
                }
                return UInt64(index)
            }
            return try choices.draw(generators[Int(index)].generator)
        }
    }

    /// Draws nil in one of four cases, and nil is the smallest value.
    public static func optional<Wrapped>(
        _ wrapped: Generator<Wrapped>
    ) -> Generator<Wrapped?> where Value == Wrapped? {
        .frequency((1, Generator { _ in nil }), (3, wrapped.map { $0 }))
    }

    /// Draws arrays with a count from the range, each count with the same probability.
    ///
    /// Shrinking removes elements first, and then makes them smaller.
    ///
    /// Such an array can be the operations of a test that compares a store or a state machine with
    /// a simple model.
    public static func array<Element>(
        of element: Generator<Element>, count: ClosedRange<Int> = 0...16
    ) -> Generator<[Element]> where Value == [Element] {
        Generator { choices in try choices.elements(of: element, count: count) }
    }

    /// Draws a tuple with one value of each generator.
    public static func zip<each Part>(
        _ parts: repeat Generator<each Part>
    ) -> Generator<(repeat each Part)> where Value == (repeat each Part) {
        Generator { choices in (repeat try choices.draw(each parts)) }
    }
}
