import Testing
import WharfTesting

/// The vehicle and the lorry of "Liskov substitution", as the article "Laws for your own contracts" quotes them.
@Suite struct VehicleLawTests {
    // snippet.test
    @Test(arguments: VehicleLaws.all)
    func aCarKeeps(law: Law<VehicleLaws.Subject>) async throws {
        try await law.check(Conformer("Car") { Car() })
    }
    // snippet.end

    private func broken(_ subject: VehicleLaws.Subject) async throws -> [String: Counterexample] {
        var broken: [String: Counterexample] = [:]
        for law in VehicleLaws.all {
            do {
                try await law.check(subject)
            } catch let violation as LawViolation {
                #expect(violation.law == law.name && violation.conformer == subject.description)
                broken[law.name] = violation.counterexample
            }
        }
        return broken
    }

    // snippet.lorry
    @Test func aLorryIsNoVehicle() async throws {
        let broken = try await broken(Conformer("Lorry") { Lorry() })
        #expect(broken.count == 2)
        #expect(broken["a throttle from 0 to 100 is taken"]?.input == "61")
        #expect(broken["no errors are thrown but VehicleError"]?.input == "-1")
    }
    // snippet.end

    @Test(arguments: WrongVehicle.Fault.allCases)
    func aVehicleThatIsWrongBreaksItsLawAndNoOther(fault: WrongVehicle.Fault) async throws {
        let broken = try await broken(Conformer("\(fault)") { WrongVehicle(fault) })
        let expected: (law: Law<VehicleLaws.Subject>, input: String) =
            switch fault {
            case .takesSixtyAtMost: (VehicleLaws.input, "61")
            case .throwsAnErrorOfItsOwn: (VehicleLaws.errors, "-1")
            case .takesMoreThanAll: (VehicleLaws.output, "[101]")
            case .staysBelowNinety: (VehicleLaws.output, "[91]")
            case .forgetsWhenItRefuses: (VehicleLaws.output, "[1, -1]")
            }
        #expect(broken.mapValues(\.input) == [expected.law.name: expected.input])
    }

    @Test func theReportNamesConformerLawAndInput() async throws {
        let violation = try await #require(throws: LawViolation.self) {
            try await VehicleLaws.input.check(Conformer("Lorry") { Lorry() }, seed: 7)
        }
        let counterexample = try #require(violation.counterexample)
        #expect(
            violation.description == """
                Lorry breaks the law "a throttle from 0 to 100 is taken": it threw LorryError: outOfBounds
                  smallest failing input: 61
                  \(counterexample.tried) tried, then made smaller \(counterexample.shrinks) times; to run it again: \
                WHARF_SEED=\(counterexample.seed)
                """)
    }
}
