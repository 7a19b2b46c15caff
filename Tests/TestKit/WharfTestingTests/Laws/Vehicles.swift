import Synchronization

// snippet.vehicles
final class Car: Vehicle {
    private let state = Mutex(0)

    var throttle: Int { state.withLock { $0 } }

    func setThrottle(_ throttle: Int) throws {
        guard (0...100).contains(throttle) else { throw VehicleError.outOfBounds }
        state.withLock { $0 = throttle }
    }
}
enum LorryError: Error { case outOfBounds }

/// Stricter than the contract, and with an error of its own.
final class Lorry: Vehicle {
    private let state = Mutex(0)

    var throttle: Int { state.withLock { $0 } }

    func setThrottle(_ throttle: Int) throws {
        guard (0...60).contains(throttle) else { throw LorryError.outOfBounds }
        state.withLock { $0 = throttle }
    }
}
// snippet.end

/// A vehicle with one defect.
final class WrongVehicle: Vehicle {
    enum Fault: CaseIterable {
        /// The lorry above, without its own error.
        case takesSixtyAtMost
        case throwsAnErrorOfItsOwn
        case takesMoreThanAll
        case staysBelowNinety
        case forgetsWhenItRefuses
    }

    private let fault: Fault
    private let state = Mutex(0)

    init(_ fault: Fault) { self.fault = fault }

    var throttle: Int { state.withLock { $0 } }

    func setThrottle(_ throttle: Int) throws {
        let most = fault == .takesSixtyAtMost ? 60 : fault == .takesMoreThanAll ? 120 : 100
        guard (0...most).contains(throttle) else {
            if fault == .forgetsWhenItRefuses { state.withLock { $0 = 0 } }
            throw fault == .throwsAnErrorOfItsOwn ? LorryError.outOfBounds as any Error : VehicleError.outOfBounds
        }
        state.withLock { $0 = fault == .staysBelowNinety ? min(throttle, 90) : throttle }
    }
}
