// Covariance of results: a conformer may promise more than the contract, and never less.

// snippet.both
class Licence {}
class DrivingLicence: Licence {}
final class LorryLicence: DrivingLicence {}

class Vehicle {
    func needed() -> DrivingLicence { DrivingLicence() }
}

#if CORRECTED
final class Lorry: Vehicle {
    override func needed() -> LorryLicence { LorryLicence() }
}

func office(_ issue: @escaping () -> LorryLicence) -> () -> DrivingLicence { issue }
#else
final class Lorry: Vehicle {
    override func needed() -> Licence { Licence() }  // expect-error: method does not override any
}

func office(_ issue: @escaping () -> Licence) -> () -> DrivingLicence { issue }  // expect-error: cannot convert
#endif
// snippet.end
