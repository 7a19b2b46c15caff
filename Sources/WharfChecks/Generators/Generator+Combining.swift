extension Generator {
    /// Of one of these, each as likely; those of the first are the smallest. A generator that
    /// contains itself comes behind one that does not.
    public static func oneOf(_ generators: Generator<Value>...) -> Generator<Value> {
        frequency(generators.map { (1, $0) })
    }

    /// Of one of these, each so many times as likely; those of the first are the smallest.
    public static func frequency(_ generators: (weight: Int, generator: Generator<Value>)...) -> Generator<Value> {
        frequency(generators)
    }

    private static func frequency(_ generators: [(weight: Int, generator: Generator<Value>)]) -> Generator<Value> {
        precondition(
            !generators.isEmpty && generators.allSatisfy { $0.weight > 0 },
            "expected generators of weights above zero, found the weights \(generators.map(\.weight))")
        let total = generators.reduce(0) { $0 + $1.weight }
        return Generator { choices in
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

    /// Nil in one case of four; it is the smallest.
    public static func optional<Wrapped>(
        _ wrapped: Generator<Wrapped>
    ) -> Generator<Wrapped?> where Value == Wrapped? {
        .frequency((1, Generator { _ in nil }), (3, wrapped.map { $0 }))
    }

    /// Of any of these counts, each as likely. It becomes smaller by losing elements, then by
    /// smaller ones.
    ///
    /// The operations of a test that compares a store or a state machine with a simple model are
    /// such an array.
    public static func array<Element>(
        of element: Generator<Element>, count: ClosedRange<Int> = 0...16
    ) -> Generator<[Element]> where Value == [Element] {
        Generator { choices in try choices.elements(of: element, count: count) }
    }

    /// A tuple of one value of each.
    public static func zip<each Part>(
        _ parts: repeat Generator<each Part>
    ) -> Generator<(repeat each Part)> where Value == (repeat each Part) {
        Generator { choices in (repeat try choices.draw(each parts)) }
    }
}
