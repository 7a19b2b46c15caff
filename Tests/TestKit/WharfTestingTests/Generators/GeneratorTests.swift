import Testing
import WharfChecks

@Suite struct GeneratorTests {
    @Test func theSameSeedMakesTheSameValues() throws {
        let generator = Generator.zip(.string(), .array(of: .optional(Generator<Int>.int(in: -5...900))), .bool)
        let once = try generator.samples(50, seed: 3)
        #expect(try String(describing: once) == String(describing: generator.samples(50, seed: 3)))
        #expect(try String(describing: once) != String(describing: generator.samples(50, seed: 4)))
    }

    @Test(arguments: [0...0, 5...7, -7...(-5), -3...1000, 0...100_000, .min ... .max, .min ... .min, -1...(.max)])
    func integersAreInTheirRangeAndReachItsEnds(range: ClosedRange<Int>) throws {
        let values = try Generator.int(in: range).samples(500)
        #expect(values.allSatisfy(range.contains))
        #expect(values.contains(range.lowerBound) && values.contains(range.upperBound))
        #expect(values.contains(min(max(0, range.lowerBound), range.upperBound)))
    }

    @Test func integersOfEveryWidthAreMade() throws {
        #expect(try Set(Generator<UInt8>.int(in: 0...255).samples(5_000)).count > 250)
        #expect(try Set(Generator<Int8>.int(in: .min ... .max).samples(5_000)).count > 250)
        #expect(try Generator<UInt64>.int(in: .min ... .max).samples(500).contains(.max))
        #expect(try Generator<UInt64>.int(in: (.max - 1) ... .max).samples(50).contains(.max - 1))
        #expect(try Generator<Int64>.int(in: .min...(.min + 1)).samples(50).contains(.min))
    }

    @Test func everyAlternativeComesAsOftenAsItsWeight() throws {
        let values = try Generator.frequency((1, .just("a")), (9, .just("b"))).samples(1_000)
        #expect((50...150).contains(values.count { $0 == "a" }))
        #expect(try Set(Generator.element(of: ["x", "y", "z"]).samples(100)) == ["x", "y", "z"])
        #expect(try Set(Generator.optional(.bool).samples(100)) == [nil, true, false])
    }

    @Test func arraysHaveEveryAllowedCount() throws {
        let counts = try Generator.array(of: .bool, count: 2...5).samples(100).map(\.count)
        #expect(Set(counts) == [2, 3, 4, 5])
        #expect(try Generator.array(of: .bool, count: 3...3).samples(10).allSatisfy { $0.count == 3 })
    }

    @Test func stringsContainTrickyScalars() throws {
        let scalars = try Set(Generator.string().samples(2_000).flatMap(\.unicodeScalars))
        for scalar in "a\"\\\0\n\u{301}\u{10FFFF}".unicodeScalars { #expect(scalars.contains(scalar)) }
        #expect(scalars.contains { $0.value > 0xE000 } && scalars.contains { $0.value > 0x20000 })
    }

    @Test func filteredValuesSatisfyThePredicate() throws {
        let even = Generator.int(in: 0...1_000).filter { $0 % 2 == 0 }
        #expect(try even.samples(100).allSatisfy { $0 % 2 == 0 })
    }

    @Test func aFilterThatLetsNothingThroughIsAnError() throws {
        let error = #expect(throws: GenerationError.self) {
            try Generator.int(in: 0...1_000).filter { _ in false }.samples(10)
        }
        #expect(error?.code == .tooSelective)
    }

    @Test func endlessGeneratorIsAnErrorAndNoCrash() throws {
        final class Endless: Sendable {
            static let generator = Generator<Int> { choices in
                var sum = 0
                while sum >= 0 { sum += try choices.draw(.int(in: 0...1)) }
                return sum
            }
        }
        let error = #expect(throws: GenerationError.self) { try Endless.generator.samples(1) }
        #expect(error?.code == .tooSelective)
    }
}
