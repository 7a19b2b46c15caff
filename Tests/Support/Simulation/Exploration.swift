/// Runs a program in many interleavings and checks each of them.
package enum Exploration {
    /// Begins tasks in the simulation, and returns a check for the end of the run: nil, or a
    /// violation.
    package typealias Program = @Sendable (Simulation) -> () -> String?

    /// Runs the program in every interleaving of its jobs.
    ///
    /// - Parameter limit: a program with more interleavings is too large for this.
    /// - Returns: the number of interleavings.
    /// - Throws: the first interleaving that fails.
    @discardableResult
    package static func exhaustive(
        limit: Int = 1_000_000, _ program: (Simulation) -> () -> String?
    ) throws(Counterexample) -> Int {
        var runs = 0
        var next: [Int]? = []
        while let list = next {
            let made = try run(Choices(list), seed: nil, program)
            runs += 1
            precondition(runs <= limit, "the program has more than \(limit) interleavings; take fewer tasks or steps")
            next = made.next
        }
        return runs
    }

    /// Runs the program once for each seed.
    ///
    /// - Throws: the first interleaving that fails.
    package static func random(
        seeds: ClosedRange<UInt64>, _ program: (Simulation) -> () -> String?
    ) throws(Counterexample) {
        for seed in seeds { _ = try run(Choices(seed: seed), seed: seed, program) }
    }

    /// Runs the interleaving of a counterexample again.
    package static func replay(_ choices: [Int], _ program: (Simulation) -> () -> String?) throws(Counterexample) {
        _ = try run(Choices(choices), seed: nil, program)
    }

    private static func run(
        _ choices: Choices, seed: UInt64?, _ program: (Simulation) -> () -> String?
    ) throws(Counterexample) -> Choices {
        let simulation = Simulation(choices)
        let check = program(simulation)
        do throws(Simulation.Failure) {
            try simulation.run()
            if let violation = check() { throw .violation(violation) }
        } catch {
            throw Counterexample(failure: error, choices: simulation.choices.list, seed: seed)
        }
        return simulation.choices
    }
}

/// An interleaving that fails, with all that replays it.
package struct Counterexample: Error, CustomStringConvertible {
    package let failure: Simulation.Failure
    package let choices: [Int]
    /// Nil for an interleaving of an exhaustive exploration.
    package let seed: UInt64?

    package var description: String {
        "\(failure)\(seed.map { " (seed \($0))" } ?? ""); replay it with Exploration.replay(\(choices))"
    }
}
