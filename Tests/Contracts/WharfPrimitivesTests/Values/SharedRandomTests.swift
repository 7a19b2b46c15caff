import Testing
import WharfPrimitives
import WharfRandom

@Suite struct SharedRandomTests {
    @Test func sharedRandomDrawsTheNumbersOfItsGenerator() {
        var generator = SeededGenerator(seed: 7)
        let shared = SharedRandom(SeededGenerator(seed: 7))
        let pairs = (0..<10).map { _ in shared.draw { [$0.next(), $0.next()] } }
        #expect(pairs.flatMap(\.self) == (0..<20).map { _ in generator.next() })
    }

    @Test func tasksShareOneSequence() async {
        let shared = SharedRandom(SeededGenerator(seed: 7))
        let drawn = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { (0..<100).map { _ in shared.draw { $0.next() } } }
            }
            return await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        var generator = SeededGenerator(seed: 7)
        #expect(drawn == Set((0..<800).map { _ in generator.next() }))
    }
}
