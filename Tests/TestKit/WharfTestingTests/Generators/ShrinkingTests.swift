import Testing
import WharfChecks

/// The smallest input is really minimal, for every generator and seed.
@Suite struct ShrinkingTests {
    private func smallest<Input>(
        _ generator: Generator<Input>, seed: UInt64 = 1, runs: Int = 1_000, holds: (Input) -> Bool
    ) async throws -> String {
        let failure = try await #require(throws: Counterexample.self) {
            try await forAll(generator, runs: runs, seed: seed) { try require(holds($0), "") }
        }
        return failure.input
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func integersShrinkToTheFailingBound(seed: UInt64) async throws {
        #expect(try await smallest(.int(in: 0...1_000_000), seed: seed) { $0 < 12_345 } == "12345")
        #expect(try await smallest(.int(in: -1_000_000...1_000), seed: seed) { $0 > -777 } == "-777")
        #expect(try await smallest(.int(in: -9_000...9_000), seed: seed) { abs($0) < 50 } == "50")
        #expect(try await smallest(.int(in: -900...(-100)), seed: seed) { $0 > -300 } == "-300")
        #expect(try await smallest(Generator<Int8>.int(in: .min ... .max), seed: seed) { $0 != .min } == "-128")
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func arraysShrinkToTheElementsThatMatter(seed: UInt64) async throws {
        let numbers = Generator.array(of: .int(in: 0...1_000), count: 0...30)
        #expect(try await smallest(numbers, seed: seed) { $0.allSatisfy { $0 < 100 } } == "[100]")
        #expect(try await smallest(numbers, seed: seed) { $0 == $0.sorted() } == "[1, 0]")
        #expect(try await smallest(numbers, seed: seed) { $0.count < 4 } == "[0, 0, 0, 0]")
        // Two equal elements have to shrink together.
        #expect(
            try await smallest(numbers, seed: seed) { Set($0.filter { $0 > 4 }).count == $0.filter { $0 > 4 }.count }
                == "[5, 5]")
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func composedGeneratorsShrinkLikeTheirParts(seed: UInt64) async throws {
        let even = Generator.int(in: 0...1_000).filter { $0 % 2 == 0 }.map { "<\($0)>" }
        #expect(try await smallest(even, seed: seed) { $0.count < 5 } == "\"<100>\"")
        #expect(
            try await smallest(.zip(.bool, .int(in: 0...99), .string()), seed: seed) { $1 < 7 || $2.isEmpty }
                == "(false, 7, \"a\")")
        #expect(try await smallest(.optional(.int(in: 3...9)), seed: seed) { $0 == nil } == "Optional(3)")
        #expect(try await smallest(.string(), seed: seed) { !$0.contains("\0") } == "\"\\0\"")
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func dependentDrawsShrinkToo(seed: UInt64) async throws {
        // A number determines the count of elements. Both shrink together.
        let counted = Generator.int(in: 0...20).flatMap { Generator.array(of: .int(in: 0...99), count: $0...$0) }
        #expect(try await smallest(counted, seed: seed) { $0.allSatisfy { $0 < 10 } } == "[10]")
        let pairs = Generator { choices in
            let values = try choices.draw(.array(of: .int(in: 0...99), count: 1...9))
            return (values, try choices.draw(.element(of: values)))
        }
        #expect(try await smallest(pairs, seed: seed) { $1 < 33 } == "([33], 33)")
    }

    private indirect enum Tree: CustomStringConvertible {
        case leaf(Int)
        case node([Tree])

        static func generator(depth: Int) -> Generator<Tree> {
            let leaf = Generator.int(in: 0...99).map { Tree.leaf($0) }
            guard depth > 0 else { return leaf }
            return .oneOf(
                leaf,
                Generator { choices in .node(try choices.draw(.array(of: generator(depth: depth - 1), count: 0...4))) })
        }

        var leaves: [Int] {
            switch self {
            case .leaf(let value): [value]
            case .node(let trees): trees.flatMap(\.leaves)
            }
        }

        var description: String {
            switch self {
            case .leaf(let value): "\(value)"
            case .node(let trees): "\(trees)"
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func treeShrinksToOneOfItsParts(seed: UInt64) async throws {
        #expect(try await smallest(Tree.generator(depth: 4), seed: seed) { $0.leaves.allSatisfy { $0 < 50 } } == "50")
        #expect(try await smallest(Tree.generator(depth: 4), seed: seed) { $0.leaves.count < 2 } == "[0, 0]")
    }

    private enum Step: CustomStringConvertible {
        case put(Int, Int), remove(Int), read(Int)

        var description: String {
            switch self {
            case .put(let key, let value): "put \(key) \(value)"
            case .remove(let key): "remove \(key)"
            case .read(let key): "read \(key)"
            }
        }
    }

    /// A dictionary that forgets all keys when one is removed.
    @Test(arguments: 0..<20 as Range<UInt64>) func operationSequenceShrinksToTheShortest(seed: UInt64) async throws {
        let key = Generator.int(in: 0...9)
        let step = Generator<Step>.oneOf(
            key.map { .read($0) }, key.map { .remove($0) },
            Generator.zip(key, .int(in: 0...99)).map { .put($0, $1) })
        let found = try await smallest(.array(of: step, count: 0...40), seed: seed) { steps in
            var (model, broken) = ([Int: Int](), [Int: Int]())
            for step in steps {
                switch step {
                case .put(let key, let value): (model[key], broken[key]) = (value, value)
                case .remove(let key): (model[key], broken) = (nil, [:])
                case .read(let key): if model[key] != broken[key] { return false }
                }
            }
            return true
        }
        #expect(["[put 0 0, remove 1, read 0]", "[put 1 0, remove 0, read 1]"].contains(found), "\(found)")
    }
}
