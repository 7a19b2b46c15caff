import Testing
import WharfChecks

// snippet.test
@Suite struct VehicleLawTests {
    @Test(arguments: VehicleLaws.all) func aCarKeeps(law: Law<VehicleLaws.Subject>) async throws {
        try await law.check(Conformer("Car") { Car() })
    }
}
// snippet.end

extension VehicleLawTests {
    private func broken(_ subject: VehicleLaws.Subject) async throws -> [String: String] {
        var inputs: [String: String] = [:]
        for law in VehicleLaws.all {
            do {
                try await law.check(subject)
            } catch let violation as LawViolation {
                #expect(violation.law == law.name && violation.conformer == subject.description)
                inputs[law.name] = violation.counterexample?.input
            }
        }
        return inputs
    }

    @Test func aLorryBreaksTheLawsOfInputAndErrors() async throws {
        #expect(
            try await broken(Conformer("Lorry") { Lorry() }) == [
                "a throttle from 0 to 100 is taken": "61", "no errors are thrown but VehicleError": "-1",
            ])
    }

    @Test(arguments: WrongVehicle.Fault.allCases)
    func aVehicleThatIsWrongBreaksItsLawAndNoOther(fault: WrongVehicle.Fault) async throws {
        let expected: (law: Law<VehicleLaws.Subject>, input: String) =
            switch fault {
            case .takesSixtyAtMost: (VehicleLaws.input, "61")
            case .throwsAnErrorOfItsOwn: (VehicleLaws.errors, "-1")
            case .takesMoreThanAll: (VehicleLaws.output, "[101]")
            case .staysBelowNinety: (VehicleLaws.output, "[91]")
            case .forgetsWhenItRefuses: (VehicleLaws.output, "[1, -1]")
            }
        let found = try await broken(Conformer("\(fault)") { WrongVehicle(fault) })
        #expect(found == [expected.law.name: expected.input])
    }

    @Test func theReportNamesConformerLawInputAndSeed() async throws {
        let violation = try await #require(throws: LawViolation.self) {
            try await VehicleLaws.input.check(Conformer("Lorry") { Lorry() }, seed: 7)
        }
        #expect(violation.description == report)
    }
}

private let report =
    // snippet.report
    """
    Lorry breaks the law "a throttle from 0 to 100 is taken": it threw LorryError: outOfBounds
      smallest failing input: 61
      inputs tried: 2, steps of shrinking: 2, to run it again: WHARF_SEED=7191089600892374487
    """
// snippet.end
